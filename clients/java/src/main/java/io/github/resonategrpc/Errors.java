package io.github.resonategrpc;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.github.resonategrpc.v1.Refusal;
import io.grpc.Status;
import io.grpc.Status.Code;
import io.grpc.protobuf.StatusProto;
import java.util.Map;
import java.util.Optional;

/** Reads what the server says about a failure. */
final class Errors {
  private static final String DOMAIN = "resonate-grpc";
  private static final Map<Integer, Code> CODE_OF_STATUS =
      Map.of(
          404,
          Code.NOT_FOUND,
          409,
          Code.ABORTED,
          422,
          Code.FAILED_PRECONDITION,
          501,
          Code.UNIMPLEMENTED);

  private Errors() {}

  /** What gRPC reports, with the server's {@code ErrorInfo} unpacked. */
  static ResonateException fromGrpc(Throwable error) {
    Status status = Status.fromThrowable(error);
    String message = Optional.ofNullable(status.getDescription()).orElse(status.getCode().name());
    return errorInfo(error)
        .map(
            info ->
                new ResonateException(
                    status.getCode(),
                    info.getReason(),
                    protocolStatus(info),
                    info.getMetadataMap(),
                    message,
                    error))
        .orElseGet(() -> new ResonateException(status.getCode(), message, error));
  }

  /** The inner refusal of a fence, as the error that the inner call would have met. */
  static ResonateException fromRefusal(Refusal refusal) {
    return new ResonateException(
        CODE_OF_STATUS.getOrDefault(refusal.getProtocolStatus(), Code.UNKNOWN),
        refusal.getReason().name().replaceFirst("^REASON_", ""),
        refusal.getProtocolStatus(),
        refusal.getMetadataMap(),
        refusal.getMessage(),
        null);
  }

  private static Optional<ErrorInfo> errorInfo(Throwable error) {
    try {
      com.google.rpc.Status details = StatusProto.fromThrowable(error);
      if (details == null) {
        return Optional.empty();
      }
      for (Any detail : details.getDetailsList()) {
        if (detail.is(ErrorInfo.class)
            && DOMAIN.equals(detail.unpack(ErrorInfo.class).getDomain())) {
          return Optional.of(detail.unpack(ErrorInfo.class));
        }
      }
      return Optional.empty();
    } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
      return Optional.empty(); // Whatever a proxy wrote there, the status itself still stands.
    }
  }

  private static Integer protocolStatus(ErrorInfo info) {
    try {
      return Integer.valueOf(info.getMetadataOrDefault("status", ""));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
