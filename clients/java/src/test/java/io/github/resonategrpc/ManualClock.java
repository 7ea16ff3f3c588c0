package io.github.resonategrpc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Time stands still until a test moves it; every dice roll is 0, so that back-off is its longest.
 */
final class ManualClock implements Clock {
  private static final long STEP_MS = 200;
  private static final long REAL_STEP_MS = 20;

  private final List<Armed> armed = new ArrayList<>();
  private long nowMs;

  private record Armed(long dueAtMs, long ms, Runnable callback) {}

  @Override
  public synchronized long nowMs() {
    return nowMs;
  }

  @Override
  public synchronized Timer after(long ms, Runnable callback) {
    Armed timer = new Armed(nowMs + ms, ms, callback);
    armed.add(timer);
    notifyAll();
    return () -> cancel(timer);
  }

  @Override
  public double random() {
    return 0;
  }

  /** Moves time, firing what falls due on the way, in order. */
  void advance(long ms) {
    long until = nowMs() + ms;
    for (Optional<Armed> due = due(until); due.isPresent(); due = due(until)) {
      due.get().callback().run();
    }
    synchronized (this) {
      nowMs = until;
    }
  }

  /** Returns once a timer of this length is armed. */
  synchronized void armed(long ms) {
    Patience patience = new Patience();
    while (armed.stream().noneMatch(timer -> timer.ms() == ms)) {
      patience.await(this, "no timer of " + ms + " ms, but " + lengths());
    }
  }

  /** Waits until a timer of this length is armed, and lets it fire. */
  void elapse(long ms) {
    armed(ms);
    advance(ms);
  }

  /**
   * Moves time on and on until this is done: for what also depends on connections, which come in
   * their own time.
   */
  <T> T runUntil(CompletableFuture<T> done) {
    while (!done.isDone()) {
      advance(STEP_MS);
      try {
        Thread.sleep(REAL_STEP_MS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    return Patience.value(done);
  }

  /** The lengths of the timers that are armed, shortest first. */
  synchronized List<Long> lengths() {
    return armed.stream().map(Armed::ms).sorted().toList();
  }

  /** Returns once just these timers are armed. */
  synchronized void armedAre(Long... lengths) {
    Patience patience = new Patience();
    while (!lengths().equals(List.of(lengths))) {
      patience.await(this, "not these timers, but " + lengths());
    }
  }

  private synchronized Optional<Armed> due(long untilMs) {
    Optional<Armed> next =
        armed.stream()
            .filter(timer -> timer.dueAtMs() <= untilMs)
            .min(Comparator.comparing(Armed::dueAtMs));
    next.ifPresent(
        timer -> {
          armed.remove(timer);
          nowMs = Math.max(nowMs, timer.dueAtMs());
        });
    return next;
  }

  private synchronized void cancel(Armed timer) {
    armed.removeIf(each -> each == timer);
    notifyAll();
  }
}
