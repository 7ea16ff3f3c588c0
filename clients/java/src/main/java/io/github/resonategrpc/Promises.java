package io.github.resonategrpc;

import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseState;
import io.github.resonategrpc.v1.Value;

/** Reads promises. */
public final class Promises {
  private Promises() {}

  /**
   * Whether the promise has its outcome, which never changes.
   *
   * @param promise the promise
   * @return whether it is settled
   */
  public static boolean isSettled(PromiseRecord promise) {
    return promise.hasSettledAtMs();
  }

  /**
   * What the promise resolved with. Throws a {@link Reject} with what it was rejected with, so that
   * a handler that lets it pass rejects its own promise in turn.
   *
   * @param promise the promise, settled
   * @return its value
   */
  public static Value unwrap(PromiseRecord promise) {
    if (!isSettled(promise)) {
      throw new IllegalStateException("promise \"" + promise.getId() + "\" is pending");
    }
    if (promise.getState() == PromiseState.PROMISE_STATE_RESOLVED) {
      return promise.getValue();
    }
    String state = promise.getState().name().replaceFirst("^PROMISE_STATE_", "");
    throw new Reject(promise.getValue(), "promise \"" + promise.getId() + "\" is " + state);
  }
}
