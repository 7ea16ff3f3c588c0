package io.github.resonategrpc;

import java.util.concurrent.Callable;

/** Interrupts the thread of a handler, as long as it is the handler that runs on it. */
final class HandlerThread {
  private Thread thread;
  private boolean interrupted;

  /** Calls on this thread, which is not interrupted any more when this returns. */
  <T> T call(Callable<T> handler) throws Exception {
    enter();
    try {
      return handler.call();
    } finally {
      leave();
    }
  }

  /** Interrupts the handler, now or when it begins; unless it is the one who says so. */
  synchronized void interrupt() {
    interrupted = true;
    if (thread != null && thread != Thread.currentThread()) {
      thread.interrupt();
    }
  }

  private synchronized void enter() {
    thread = Thread.currentThread();
    if (interrupted) {
      thread.interrupt();
    }
  }

  private synchronized void leave() {
    thread = null;
    Thread.interrupted();
  }
}
