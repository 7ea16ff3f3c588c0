package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchServiceGrpc;
import io.github.resonategrpc.v1.PromiseServiceGrpc;
import io.github.resonategrpc.v1.ScheduleServiceGrpc;
import io.github.resonategrpc.v1.TaskServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Makes unary calls: bounds their time, repeats them where that is safe, and unpacks their errors.
 */
final class Calls {
  /** The server lets deadlines of 25 to 50 days expire at once. */
  private static final long LONGEST_TIMEOUT_MS = TimeUnit.DAYS.toMillis(24);

  /** The calls of which the proto says that a retry is always safe. */
  private static final Set<MethodDescriptor<?, ?>> RETRY_SAFE =
      Set.of(
          PromiseServiceGrpc.getPromiseGetMethod(),
          PromiseServiceGrpc.getPromiseCreateMethod(),
          PromiseServiceGrpc.getPromiseSettleMethod(),
          PromiseServiceGrpc.getPromiseRegisterCallbackMethod(),
          PromiseServiceGrpc.getPromiseRegisterListenerMethod(),
          PromiseServiceGrpc.getPromiseWaitMethod(),
          TaskServiceGrpc.getTaskGetMethod(),
          TaskServiceGrpc.getTaskHeartbeatMethod(),
          TaskServiceGrpc.getTaskHaltMethod(),
          ScheduleServiceGrpc.getScheduleGetMethod(),
          ScheduleServiceGrpc.getScheduleCreateMethod(),
          DispatchServiceGrpc.getDispatchAcknowledgeMethod(),
          DispatchServiceGrpc.getDispatchDrainMethod());

  private final ManagedChannel channel;
  private final Clock clock;

  Calls(ManagedChannel channel, Clock clock) {
    this.channel = channel;
    this.clock = clock;
  }

  static boolean isRetrySafe(MethodDescriptor<?, ?> method) {
    return RETRY_SAFE.contains(method);
  }

  /**
   * Calls, and waits for the answer. Interrupting the thread cancels the call, and so does {@code
   * over}, once it is done.
   */
  <Q, A> A call(
      MethodDescriptor<Q, A> method, Q request, long timeoutMs, CompletableFuture<?> over) {
    long startedAtMs = clock.nowMs();
    for (int failures = 0; ; failures++) {
      try {
        return attempt(method, request, timeoutMs - (clock.nowMs() - startedAtMs), over);
      } catch (ResonateException e) {
        long delayMs = Backoff.CALL.delayMs(failures, clock);
        boolean tooLate = clock.nowMs() + delayMs - startedAtMs >= timeoutMs;
        if (!isRetrySafe(method) || e.code() != Code.UNAVAILABLE || tooLate) {
          throw e;
        }
        clock.sleep(delayMs, over);
      }
    }
  }

  /**
   * The channel waits ever longer before it looks whether the server is back, up to two minutes:
   * not for us.
   */
  void lookAgain() {
    channel.resetConnectBackoff();
  }

  ManagedChannel channel() {
    return channel;
  }

  private <Q, A> A attempt(
      MethodDescriptor<Q, A> method, Q request, long timeoutMs, CompletableFuture<?> over) {
    CallOptions options = CallOptions.DEFAULT;
    if (timeoutMs <= LONGEST_TIMEOUT_MS) {
      options = options.withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS);
    }
    ClientCall<Q, A> call = channel.newCall(method, options);
    Answer<A> answer = new Answer<>();
    ClientCalls.asyncUnaryCall(call, request, answer);
    try {
      CompletableFuture.anyOf(answer.future, over).get();
      if (answer.future.isDone()) {
        return answer.future.get();
      }
      call.cancel("the run is over", null);
      throw ResonateException.cancelled(null);
    } catch (InterruptedException e) {
      call.cancel("interrupted", e);
      Thread.currentThread().interrupt();
      throw ResonateException.cancelled(e);
    } catch (ExecutionException e) {
      ResonateException failure = Errors.fromGrpc(e.getCause());
      if (failure.code() == Code.UNAVAILABLE) {
        lookAgain();
      }
      throw failure;
    }
  }

  /** The answer counts only once the call has ended with OK. */
  private static final class Answer<A> implements StreamObserver<A> {
    final CompletableFuture<A> future = new CompletableFuture<>();
    private A value;

    @Override
    public void onNext(A value) {
      this.value = value;
    }

    @Override
    public void onError(Throwable error) {
      future.completeExceptionally(error);
    }

    @Override
    public void onCompleted() {
      future.complete(value);
    }
  }
}
