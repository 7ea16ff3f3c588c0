package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchEvent;
import io.github.resonategrpc.v1.DispatchRequest;
import io.github.resonategrpc.v1.DispatchResponse;
import io.github.resonategrpc.v1.DispatchServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** One Dispatch stream, from its opening to its end. */
final class StreamLife {
  /** How long the server may take to say hello. */
  private static final long HELLO_TIMEOUT_MS = 15_000;

  /** A stream is dead after this many ping intervals of silence. */
  private static final int SILENT_INTERVALS = 3;

  private final ResonateClient client;
  private final Clock clock;
  private final DispatchStream.Listener listener;
  private final CompletableFuture<Void> stopped;

  /**
   * What happens, for the one thread that lives this life: it returns how the stream has ended, if
   * it has.
   */
  private final BlockingQueue<Supplier<Optional<ResonateException>>> happenings =
      new LinkedBlockingQueue<>();

  private long silenceMs = HELLO_TIMEOUT_MS;
  private Long helloAtMs;
  private boolean draining;
  private Clock.Timer watch = () -> {};
  private int frames;

  StreamLife(
      ResonateClient client, DispatchStream.Listener listener, CompletableFuture<Void> stopped) {
    this.client = client;
    this.clock = client.clock();
    this.listener = listener;
    this.stopped = stopped;
  }

  /** Returns with the end of the stream. */
  ResonateException live(DispatchRequest request) {
    ClientCall<DispatchRequest, DispatchResponse> call =
        client
            .calls()
            .channel()
            .newCall(DispatchServiceGrpc.getDispatchMethod(), CallOptions.DEFAULT);
    ClientCalls.asyncServerStreamingCall(call, request, new Reader());
    watch();
    try {
      Optional<ResonateException> end = ended("stopped").filter(stop -> stopped.isDone());
      while (end.isEmpty()) {
        end = happenings.take().get();
      }
      return end.get();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    } finally {
      watch.cancel();
      call.cancel("the stream is left", null);
    }
  }

  /** Ends it. */
  void leave() {
    happenings.add(() -> ended("stopped"));
  }

  /** How long ago hello came, if it did. */
  long lastedMs() {
    return helloAtMs == null ? 0 : clock.nowMs() - helloAtMs;
  }

  /** Whether the server has announced its end. */
  boolean draining() {
    return draining;
  }

  private Optional<ResonateException> hear(DispatchResponse frame) {
    frames++;
    watch();
    for (DispatchEvent event : frame.getEventsList()) {
      if (stopped.isDone()) {
        return ended("stopped");
      }
      hear(event);
    }
    return Optional.empty();
  }

  private void hear(DispatchEvent event) {
    switch (event.getEventCase()) {
      case HELLO -> {
        helloAtMs = clock.nowMs();
        long intervalMs = event.getHello().getPingIntervalMs();
        silenceMs = intervalMs > 0 ? SILENT_INTERVALS * intervalMs : HELLO_TIMEOUT_MS;
        watch();
        listener.hello(event.getHello());
      }
      case EXECUTE -> listener.execute(event.getExecute());
      case UNBLOCK -> listener.unblock(event.getUnblock());
      case DRAIN -> {
        draining = true;
        listener.lapsed();
      }
      default -> {} // A ping, or what a newer server says.
    }
  }

  private void watch() {
    watch.cancel();
    int heard = frames;
    Supplier<Optional<ResonateException>> silent =
        () -> heard == frames ? ended("silent for " + silenceMs + " ms") : Optional.empty();
    watch = clock.after(silenceMs, () -> happenings.add(silent));
  }

  private static Optional<ResonateException> ended(String how) {
    return Optional.of(new ResonateException(Code.UNAVAILABLE, how, null));
  }

  /** Puts what gRPC says before the thread, and always reads on. */
  private final class Reader implements StreamObserver<DispatchResponse> {
    @Override
    public void onNext(DispatchResponse frame) {
      happenings.add(() -> hear(frame));
    }

    @Override
    public void onError(Throwable error) {
      ResonateException end = Errors.fromGrpc(error);
      if (end.code() == Code.UNAVAILABLE) {
        client.calls().lookAgain();
      }
      happenings.add(() -> Optional.of(end));
    }

    @Override
    public void onCompleted() {
      // Something between us and the server has ended the stream with OK, which the server never
      // does.
      happenings.add(() -> ended("ended with OK"));
    }
  }
}
