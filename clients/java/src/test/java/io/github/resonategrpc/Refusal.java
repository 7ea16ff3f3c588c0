package io.github.resonategrpc;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.protobuf.StatusProto;
import java.util.HashMap;
import java.util.Map;

/** An error as the real server writes it. */
record Refusal(
    Code code, String reason, Map<String, String> metadata, String message, String domain) {
  /** What a client sees when the connection breaks before the answer. */
  static final Refusal LOST = bare(Code.UNAVAILABLE, "connection dropped");

  static final Refusal DRAINING = of(Code.UNAVAILABLE, "DRAINING");
  static final Refusal REPLACED = of(Code.ABORTED, "SESSION_REPLACED");
  static final Refusal INVALID = of(Code.INVALID_ARGUMENT, "INVALID_REQUEST");
  static final Refusal OVERLOADED = of(Code.RESOURCE_EXHAUSTED, "OVERLOADED");
  static final Refusal NO_PROMISE = of(Code.NOT_FOUND, "PROMISE_NOT_FOUND").with("status", "404");
  static final Refusal NO_TASK = of(Code.NOT_FOUND, "TASK_NOT_FOUND").with("status", "404");

  /** Not from the server itself. */
  static Refusal bare(Code code, String message) {
    return new Refusal(code, null, Map.of(), message, null);
  }

  static Refusal of(Code code, String reason) {
    return new Refusal(code, reason, Map.of(), "scripted", "resonate-grpc");
  }

  /** Of a call about a task that stands like this; nobody holds it if the pid is null. */
  static Refusal conflict(String reason, long version, String pid, String state) {
    Refusal refusal =
        of(Code.ABORTED, reason)
            .with("status", "409")
            .with("id", "t")
            .with("task_state", state)
            .with("task_version", Long.toString(version));
    return pid == null ? refusal : refusal.with("task_pid", pid);
  }

  static Refusal heldBy(String pid, long version, String reason) {
    return conflict(reason, version, pid, "acquired");
  }

  Refusal with(String key, String value) {
    Map<String, String> more = new HashMap<>(metadata);
    more.put(key, value);
    return new Refusal(code, reason, more, message, domain);
  }

  Refusal from(String otherDomain) {
    return new Refusal(code, reason, metadata, message, otherDomain);
  }

  Throwable error() {
    if (reason == null) {
      return Status.fromCode(code).withDescription(message).asRuntimeException();
    }
    ErrorInfo info =
        ErrorInfo.newBuilder().setReason(reason).setDomain(domain).putAllMetadata(metadata).build();
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(code.value())
            .setMessage(message)
            .addDetails(Any.pack(info))
            .build());
  }
}
