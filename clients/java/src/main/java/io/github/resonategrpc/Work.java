package io.github.resonategrpc;

import io.github.resonategrpc.v1.PromiseSpec;
import io.github.resonategrpc.v1.Value;
import java.time.Duration;
import java.time.Instant;

/**
 * Work to be done: a promise, and with a target the task that fulfils it. Each method returns a new
 * one.
 */
public final class Work {
  private static final String TARGET_TAG = "resonate:target";

  /** The largest instant of the protocol. */
  private static final Instant LATEST = Instant.ofEpochMilli((1L << 53) - 1);

  private final PromiseSpec spec;
  private final boolean limited;

  private Work(PromiseSpec spec, boolean limited) {
    this.spec = spec;
    this.limited = limited;
  }

  /**
   * Work with this id, and nothing else yet.
   *
   * @param id its idempotency key: 1 to 512 bytes
   * @return the work
   */
  public static Work of(String id) {
    return new Work(PromiseSpec.newBuilder().setId(id).build(), false);
  }

  /**
   * Says who gets the task. Without it there is none: somebody settles the promise by its id.
   *
   * @param address such as {@code any@group}
   * @return work with this target
   */
  public Work target(String address) {
    return tag(TARGET_TAG, address);
  }

  /**
   * Gives the input.
   *
   * @param param the input
   * @return work with this input
   */
  public Work param(Value param) {
    return new Work(spec.toBuilder().setParam(param).build(), limited);
  }

  /**
   * Gives the input as text.
   *
   * @param text the input, as of {@link Values#text(String)}
   * @return work with this input
   */
  public Work param(String text) {
    return param(Values.text(text));
  }

  /**
   * Limits the time it may take.
   *
   * @param timeout from now, by this machine's clock
   * @return work with this time limit
   */
  public Work timeout(Duration timeout) {
    Instant now = Instant.now();
    return deadline(
        timeout.compareTo(Duration.between(now, LATEST)) < 0 ? now.plus(timeout) : LATEST);
  }

  /**
   * Limits the time it may take.
   *
   * @param deadline until when
   * @return work with this time limit
   */
  public Work deadline(Instant deadline) {
    // Up to a whole ms: no earlier than what was asked for.
    Instant whole = deadline.isBefore(LATEST) ? deadline.plusNanos(999_999) : LATEST;
    return new Work(
        spec.toBuilder().setTimeoutAtMs(Math.max(0, whole.toEpochMilli())).build(), true);
  }

  /**
   * Adds a tag.
   *
   * @param key its name
   * @param value its value
   * @return work with this tag
   */
  public Work tag(String key, String value) {
    return new Work(spec.toBuilder().putTags(key, value).build(), limited);
  }

  String id() {
    return spec.getId();
  }

  PromiseSpec spec() {
    if (!limited) {
      throw new IllegalArgumentException("work \"" + id() + "\" needs a timeout or a deadline");
    }
    return spec;
  }

  /** With this deadline, if it has none of its own. */
  PromiseSpec spec(long fallbackAtMs) {
    return limited ? spec : spec.toBuilder().setTimeoutAtMs(fallbackAtMs).build();
  }
}
