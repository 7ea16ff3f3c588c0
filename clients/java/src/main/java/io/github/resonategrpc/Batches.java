package io.github.resonategrpc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Hands items to a handler on another thread, without bound and without waiting: all that has come
 * meanwhile, in order, at once.
 */
final class Batches<T> {
  private final Consumer<List<T>> handler;
  private List<T> items = new ArrayList<>();
  private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

  /** The handler must not throw. */
  Batches(Consumer<List<T>> handler) {
    this.handler = handler;
  }

  synchronized void put(T item) {
    items.add(item);
    if (idle.isDone()) {
      idle = new CompletableFuture<>();
      Background.execute(this::handle);
    }
  }

  /** Done once all that has been put is handled. */
  synchronized CompletableFuture<Void> idle() {
    return idle;
  }

  private void handle() {
    for (List<T> batch = next(); !batch.isEmpty(); batch = next()) {
      handler.accept(batch);
    }
  }

  private synchronized List<T> next() {
    List<T> batch = items;
    items = new ArrayList<>();
    if (batch.isEmpty()) {
      idle.complete(null);
    }
    return batch;
  }
}
