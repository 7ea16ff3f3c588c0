package io.github.resonategrpc;

import io.github.resonategrpc.v1.Value;

/**
 * Does a task's work. It is run again from its start after each suspension and each failed attempt.
 */
@FunctionalInterface
public interface Handler {
  /**
   * Works. What it returns resolves the promise, a {@link Reject} that it throws rejects it,
   * anything else that it throws is a failed attempt, and is retried. When its run is over, its
   * thread is interrupted.
   *
   * @param task what to work on, and with
   * @return the value; null is the empty one
   * @throws Exception when the attempt failed
   */
  Value handle(TaskContext task) throws Exception;
}
