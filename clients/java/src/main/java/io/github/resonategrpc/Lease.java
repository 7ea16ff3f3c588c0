package io.github.resonategrpc;

import io.github.resonategrpc.RunOver.End;
import io.github.resonategrpc.v1.TaskRef;
import java.util.concurrent.CompletableFuture;

/**
 * One task held under one version, for as long as this process may believe so: until {@code ttlMs}
 * after the sending of the last call that renewed it. The server counts from later, so the belief
 * ends first.
 */
final class Lease {
  private static final long LONGEST_ANSWER_MS = 10_000;

  private final TaskRef task;
  private final long ttlMs;
  private final Clock clock;
  private final CompletableFuture<RunOver> over = new CompletableFuture<>();
  private long endsAtMs;
  private Clock.Timer timer;
  private int givingUp;
  private boolean offered;

  private Lease(TaskRef task, long ttlMs, Clock clock, long sentAtMs) {
    this.task = task;
    this.ttlMs = ttlMs;
    this.clock = clock;
    this.endsAtMs = sentAtMs + ttlMs;
  }

  /** Begins with the sending of the call that took the task. */
  static Lease begin(TaskRef task, long ttlMs, Clock clock, long sentAtMs) {
    Lease lease = new Lease(task, ttlMs, clock, sentAtMs);
    synchronized (lease) {
      lease.watch();
    }
    return lease;
  }

  /**
   * A call about a task gets this long for its answer: then it is taken for lost, and there is time
   * to ask again.
   */
  static long answerTimeoutMs(long ttlMs) {
    return Math.max(1, Math.min(ttlMs / 3, LONGEST_ANSWER_MS));
  }

  TaskRef task() {
    return task;
  }

  /** Done when the run is over. */
  CompletableFuture<RunOver> over() {
    return over;
  }

  /**
   * Throws the {@link RunOver} if the run is over. Looks at the time itself: the timer of a process
   * that was frozen is late.
   */
  void check() {
    if (hasRunOut()) {
      end(End.LOST, null);
    }
    if (over.isDone()) {
      throw over.join();
    }
  }

  /** How long a call about the task may take. */
  synchronized long answerTimeoutMs() {
    return Math.min(answerTimeoutMs(ttlMs), endsAtMs - clock.nowMs());
  }

  /**
   * The server has renewed the lease, with a call sent at this time. One that has run out meanwhile
   * stays so.
   */
  synchronized void renew(long sentAtMs) {
    if (over.isDone() || hasRunOut() || sentAtMs + ttlMs <= endsAtMs) {
      return;
    }
    endsAtMs = sentAtMs + ttlMs;
    timer.cancel();
    watch();
  }

  /** Ends the run. The first reason stands, and is returned. */
  RunOver end(End end, Throwable cause) {
    over.complete(new RunOver(end, cause));
    synchronized (this) {
      timer.cancel();
    }
    return over.join();
  }

  /**
   * The task is being suspended, fulfilled or released: an offer of it is then no sign of loss,
   * unless the run goes on after all.
   */
  synchronized void beginGivingUp() {
    givingUp++;
  }

  /** After {@link #beginGivingUp}. */
  void endGivingUp() {
    boolean lost;
    synchronized (this) {
      givingUp--;
      lost = offered && givingUp == 0;
    }
    if (lost) {
      end(End.LOST, null);
    }
  }

  /** The server offers the task under the version that this lease is for. */
  void offeredAgain() {
    boolean lost;
    synchronized (this) {
      offered = true;
      lost = givingUp == 0;
    }
    if (lost) {
      end(End.LOST, null);
    }
  }

  private synchronized boolean hasRunOut() {
    return clock.nowMs() - endsAtMs >= 0;
  }

  private void watch() {
    timer = clock.after(Math.max(0, endsAtMs - clock.nowMs()), this::timedOut);
  }

  private void timedOut() {
    if (hasRunOut()) {
      end(End.LOST, null);
    }
  }
}
