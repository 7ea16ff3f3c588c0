package io.github.resonategrpc;

import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/** A call that waits for its answer. */
final class ScriptedCall<Q, A> {
  final Q request;
  final boolean hasDeadline;

  /** Done when the client has given the call up. */
  final CompletableFuture<Void> cancelled = new CompletableFuture<>();

  private final StreamObserver<A> answer;

  ScriptedCall(Q request, StreamObserver<A> answer) {
    this.request = request;
    this.answer = answer;
    hasDeadline = Context.current().getDeadline() != null;
    ((ServerCallStreamObserver<A>) answer).setOnCancelHandler(() -> cancelled.complete(null));
  }

  void reply(A response) {
    send(response);
    end();
  }

  void refuse(Refusal refusal) {
    answer.onError(refusal.error());
  }

  void lose() {
    refuse(Refusal.LOST);
  }

  void send(A response) {
    answer.onNext(response);
  }

  void end() {
    answer.onCompleted();
  }
}
