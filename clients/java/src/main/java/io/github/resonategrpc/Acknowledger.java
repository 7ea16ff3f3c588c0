package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchAcknowledgeRequest;
import io.github.resonategrpc.v1.DispatchServiceGrpc;
import io.github.resonategrpc.v1.DispatchUnblock;
import io.github.resonategrpc.v1.UnblockRef;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Acknowledges unblocks, all those that come during one call in the next. If that fails, the server
 * sends them again on the next stream, and they are acknowledged then.
 */
final class Acknowledger {
  private static final Logger LOG = System.getLogger(Acknowledger.class.getPackageName());

  /** How long the last acknowledgements may take. */
  private static final long FAREWELL_MS = 2_000;

  private static final long TIMEOUT_MS = 30_000;

  private final ResonateClient client;
  private final Batches<UnblockRef> refs = new Batches<>(all -> Chunks.of(all).forEach(this::send));
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  Acknowledger(ResonateClient client) {
    this.client = client;
  }

  /** Returns at once. */
  void acknowledge(DispatchUnblock unblock) {
    refs.put(
        UnblockRef.newBuilder()
            .setPromiseId(unblock.getPromise().getId())
            .setAddress(unblock.getAddress())
            .build());
  }

  /** Acknowledges what is left, and returns soon. */
  void close() {
    CompletableFuture<Void> idle = refs.idle();
    if (!idle.isDone()) {
      client.clock().sleep(FAREWELL_MS, idle);
    }
    closed.complete(null);
  }

  private void send(List<UnblockRef> unblocks) {
    DispatchAcknowledgeRequest request =
        DispatchAcknowledgeRequest.newBuilder().addAllUnblocks(unblocks).build();
    try {
      client.call(DispatchServiceGrpc.getDispatchAcknowledgeMethod(), request, TIMEOUT_MS, closed);
    } catch (ResonateException e) {
      LOG.log(Level.WARNING, () -> unblocks.size() + " unblocks were not acknowledged: " + e);
    }
  }
}
