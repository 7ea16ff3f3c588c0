package io.github.resonategrpc;

import io.github.resonategrpc.v1.TaskHeartbeatRequest;
import io.github.resonategrpc.v1.TaskServiceGrpc;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Renews all leases of a worker together, three times within each ttl. */
final class Heartbeats {
  private static final Logger LOG = System.getLogger(Heartbeats.class.getPackageName());

  private final ResonateClient client;
  private final String pid;
  private final long intervalMs;
  private final Set<Lease> leases = new LinkedHashSet<>();
  private Clock.Timer timer;

  Heartbeats(ResonateClient client, String pid, long ttlMs) {
    this.client = client;
    this.pid = pid;
    this.intervalMs = Math.max(1, ttlMs / 3);
  }

  /** Renews this one from now on. */
  synchronized void add(Lease lease) {
    leases.add(lease);
    if (timer == null) {
      arm();
    }
  }

  /** Leaves this one alone from now on. */
  synchronized void remove(Lease lease) {
    leases.remove(lease);
    if (leases.isEmpty() && timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Renews now, and returns at once. A lease that cannot be renewed ends by itself. */
  void beat() {
    Chunks.of(held()).forEach(chunk -> Background.execute(() -> renew(chunk)));
  }

  private void renew(List<Lease> held) {
    TaskHeartbeatRequest.Builder request = TaskHeartbeatRequest.newBuilder().setPid(pid);
    held.forEach(lease -> request.addTasks(lease.task()));
    long sentAtMs = client.clock().nowMs();
    try {
      client.call(
          TaskServiceGrpc.getTaskHeartbeatMethod(),
          request.build(),
          intervalMs,
          new CompletableFuture<Void>());
      held.forEach(lease -> lease.renew(sentAtMs));
    } catch (ResonateException e) {
      LOG.log(Level.WARNING, () -> "heartbeat of " + held.size() + " tasks failed: " + e);
    }
  }

  private synchronized List<Lease> held() {
    return List.copyOf(leases);
  }

  private void arm() {
    timer = client.clock().after(intervalMs, this::tick);
  }

  private void tick() {
    synchronized (this) {
      if (timer == null) {
        return;
      }
      arm();
    }
    beat();
  }
}
