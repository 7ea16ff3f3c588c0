package io.github.resonategrpc;

import java.util.concurrent.CompletableFuture;

/**
 * What all runs of a worker share.
 *
 * @param stopping done when the worker begins to drain: nothing new is begun
 */
record RunEnvironment(
    ResonateClient client,
    String pid,
    long ttlMs,
    Handler handler,
    Backoff attemptBackoff,
    Heartbeats heartbeats,
    Failures failures,
    CompletableFuture<Void> stopping) {
  Clock clock() {
    return client.clock();
  }
}
