package io.github.resonategrpc;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Time and chance, so that tests can hold them. */
interface Clock {
  /** A monotonic time, in ms; only differences mean anything. */
  long nowMs();

  /**
   * Calls back once, so many ms from now, unless it is cancelled before. The callback must be
   * quick.
   */
  Timer after(long ms, Runnable callback);

  /** From 0 (inclusive) to 1 (exclusive). */
  double random();

  /** What {@link #after} returns. */
  interface Timer {
    /** Harmless once it has called back. */
    void cancel();
  }

  /**
   * Returns after so many ms, or as soon as one of these is done: callers look at them themselves.
   * Throws CANCELLED if the thread is interrupted.
   */
  default void sleep(long ms, CompletableFuture<?>... wakers) {
    CompletableFuture<Void> elapsed = new CompletableFuture<>();
    Timer timer = after(ms, () -> elapsed.complete(null));
    CompletableFuture<?>[] all = Arrays.copyOf(wakers, wakers.length + 1);
    all[wakers.length] = elapsed;
    try {
      // Not a dependent of each: a future that lives long would keep it; anyOf takes itself off
      // again.
      CompletableFuture.anyOf(all).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ResonateException.cancelled(e);
    } catch (ExecutionException e) {
      return; // It is done as well.
    } finally {
      timer.cancel();
    }
  }
}
