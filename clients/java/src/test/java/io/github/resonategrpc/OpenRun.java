package io.github.resonategrpc;

import io.github.resonategrpc.v1.Value;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** One run of a handler, which the test ends. */
final class OpenRun {
  final TaskContext task;

  /** Done when the handler's thread was interrupted. */
  final CompletableFuture<Void> interrupted = new CompletableFuture<>();

  private final CompletableFuture<Value> end = new CompletableFuture<>();

  OpenRun(TaskContext task) {
    this.task = task;
  }

  void finish(String text) {
    end.complete(Values.text(text));
  }

  void fail(Exception failure) {
    end.completeExceptionally(failure);
  }

  Value await() throws Exception {
    try {
      return end.get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    } catch (InterruptedException e) {
      interrupted.complete(null);
      throw e;
    }
  }
}
