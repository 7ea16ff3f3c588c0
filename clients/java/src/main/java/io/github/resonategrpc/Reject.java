package io.github.resonategrpc;

import io.github.resonategrpc.v1.Value;

/**
 * Thrown by a handler: its promise is rejected with this value. Any other exception is a failed
 * attempt, and is retried.
 */
public final class Reject extends RuntimeException {
  private final Value value;

  /**
   * Rejects.
   *
   * @param value what the promise is rejected with
   */
  public Reject(Value value) {
    this(value, "rejected");
  }

  /**
   * Rejects.
   *
   * @param value what the promise is rejected with
   * @param message for people; it stays in this process
   */
  public Reject(Value value, String message) {
    super(message);
    this.value = value;
  }

  /**
   * What the promise is rejected with.
   *
   * @return the value
   */
  public Value value() {
    return value;
  }
}
