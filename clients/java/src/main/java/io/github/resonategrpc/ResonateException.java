package io.github.resonategrpc;

import io.grpc.Status.Code;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Why a call failed: refused by the server, cut off by the network, past its deadline, or cancelled
 * by its caller.
 */
public final class ResonateException extends RuntimeException {
  private final Code code;
  private final String reason;
  private final Integer status;
  private final Map<String, String> metadata;

  ResonateException(Code code, String message, Throwable cause) {
    this(code, null, null, Map.of(), message, cause);
  }

  ResonateException(
      Code code,
      String reason,
      Integer status,
      Map<String, String> metadata,
      String message,
      Throwable cause) {
    super(message, cause);
    this.code = code;
    this.reason = reason;
    this.status = status;
    this.metadata = Map.copyOf(metadata);
  }

  /**
   * The gRPC status code.
   *
   * @return the code
   */
  public Code code() {
    return code;
  }

  /**
   * Why, for programs: the name of a value of the enum {@code Reason}, without its prefix.
   *
   * @return the reason; empty when the error is not from the server itself but from the network, a
   *     proxy or gRPC
   */
  public Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  /**
   * The protocol's number: 404, 409, 422 or 501.
   *
   * @return the number; empty when the protocol has none for it
   */
  public OptionalInt status() {
    return status == null ? OptionalInt.empty() : OptionalInt.of(status);
  }

  /**
   * The facts behind the reason, as {@code refusal.proto} lists them.
   *
   * @return the facts by their names; empty without a reason
   */
  public Map<String, String> metadata() {
    return metadata;
  }

  /** Names the reason, or else the code, and the message. */
  @Override
  public String toString() {
    return "ResonateException: " + reason().orElse(code.name()) + ": " + getMessage();
  }

  /** The calling thread was interrupted, or what it worked for is over. */
  static ResonateException cancelled(Throwable cause) {
    return new ResonateException(Code.CANCELLED, "cancelled by the caller", cause);
  }

  /**
   * The server or the network is in trouble, and the call may do better later. Whether it has
   * already taken effect is open.
   */
  boolean isTransient() {
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED -> true;
      case RESOURCE_EXHAUSTED -> "OVERLOADED".equals(reason) || "STORAGE_FULL".equals(reason);
      // Without a reason it is not from our server: a stream that was reset on the way. Unless the
      // caller itself has gone.
      case INTERNAL, UNKNOWN, CANCELLED ->
          reason == null && !(getCause() instanceof InterruptedException);
      default -> false;
    };
  }

  /**
   * The refusal names {@code pid} as the holder under this version: an earlier answer to it was
   * lost, and it goes on.
   */
  boolean showsHolder(String pid, long version) {
    return code == Code.ABORTED
        && pid.equals(metadata.get("task_pid"))
        && Long.toString(version).equals(metadata.get("task_version"));
  }
}
