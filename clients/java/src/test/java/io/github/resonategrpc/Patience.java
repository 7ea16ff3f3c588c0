package io.github.resonategrpc;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** How long a test waits for what must come: as long as a slow machine may need. */
final class Patience {
  static final long SECONDS = 60;

  private final long endsAt = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);

  /** Waits for a change of the monitor, which the caller has. */
  void await(Object monitor, String problem) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(endsAt - System.nanoTime());
    if (leftMs <= 0) {
      fail(problem);
    }
    try {
      monitor.wait(leftMs);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What the future becomes. */
  static <T> T value(CompletableFuture<T> future) {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed", e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** How the future fails. */
  static <E extends Throwable> E failure(CompletableFuture<?> future, Class<E> type) {
    try {
      return fail("did not fail, but returned " + future.get(SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (type.isInstance(e.getCause())) {
        return type.cast(e.getCause());
      }
      throw new AssertionError("failed otherwise", e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
