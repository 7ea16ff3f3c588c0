package io.github.resonategrpc;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The machine's clock. */
final class SystemClock implements Clock {
  static final Clock INSTANCE = new SystemClock();

  private final ScheduledThreadPoolExecutor timers;

  private SystemClock() {
    timers = new ScheduledThreadPoolExecutor(1, Background.daemons("resonate-timer"));
    timers.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public Timer after(long ms, Runnable callback) {
    Future<?> scheduled = timers.schedule(callback, ms, TimeUnit.MILLISECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public double random() {
    return ThreadLocalRandom.current().nextDouble();
  }
}
