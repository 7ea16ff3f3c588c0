package io.github.resonategrpc;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of this client: as many as there is work, none of which keeps the process alive. */
final class Background {
  private static final Executor THREADS = Executors.newCachedThreadPool(daemons("resonate"));

  private Background() {}

  static void execute(Runnable work) {
    THREADS.execute(work);
  }

  static ThreadFactory daemons(String name) {
    AtomicInteger count = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
