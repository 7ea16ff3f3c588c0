package io.github.resonategrpc;

import java.time.Duration;

/**
 * An exponential back-off: the longest delay doubles with each failure in a row, and each delay is
 * cut by up to half at random, so that many clients do not come back at the same instant, and none
 * at once.
 *
 * @param initial the longest first delay
 * @param max the longest delay of all
 */
public record Backoff(Duration initial, Duration max) {
  /** For calls and streams that met a server or a network in trouble. */
  static final Backoff CALL = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  /** For a task whose handler failed. */
  static final Backoff ATTEMPT = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

  /** The delay after so many earlier failures, from 0. */
  long delayMs(int failures, Clock clock) {
    double longest = Math.min(max.toMillis(), initial.toMillis() * Math.pow(2, failures));
    return (long) (longest * (1 - clock.random() / 2));
  }
}
