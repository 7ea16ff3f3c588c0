package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchDrainRequest;
import io.github.resonategrpc.v1.DispatchExecute;
import io.github.resonategrpc.v1.DispatchHello;
import io.github.resonategrpc.v1.DispatchRequest;
import io.github.resonategrpc.v1.DispatchServiceGrpc;
import io.github.resonategrpc.v1.DispatchUnblock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Does the tasks of a group as the server pushes them. */
public final class Worker implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Worker.class.getPackageName());

  /** The server learns of a drain at once or not at all. */
  private static final long DRAIN_CALL_MS = 2_000;

  /** How long the last unblocks may take to be handled. */
  private static final long LAST_UNBLOCKS_MS = 1_000;

  private final ResonateClient client;
  private final String group;
  private final String pid;
  private final long graceMs;
  private final Consumer<DispatchHello> onHello;
  private final UnblockHandler onUnblock;
  private final RunEnvironment env;
  private final Pool pool;
  private final DispatchStream stream;
  private final Acknowledger acknowledger;
  private final Batches<DispatchUnblock> unblocks = new Batches<>(this::handle);
  private final AtomicBoolean draining = new AtomicBoolean();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private volatile String sessionId;

  Worker(WorkerBuilder settings) {
    client = settings.client;
    group = settings.group;
    pid = settings.pid == null ? Pids.fresh() : settings.pid;
    graceMs = settings.grace.toMillis();
    onHello = settings.onHello;
    onUnblock = settings.onUnblock;
    long ttlMs = settings.ttl.toMillis();
    env =
        new RunEnvironment(
            client,
            pid,
            ttlMs,
            settings.handler,
            settings.attemptBackoff,
            new Heartbeats(client, pid, ttlMs),
            new Failures(),
            new CompletableFuture<>());
    pool = new Pool(env, settings.maxInFlight);
    acknowledger = new Acknowledger(client);
    DispatchRequest request =
        DispatchRequest.newBuilder()
            .setGroup(group)
            .setPid(pid)
            .setMaxInFlight(settings.maxInFlight)
            .build();
    stream = new DispatchStream(client, request, new Ears());
  }

  /**
   * A worker that is to be set up and started.
   *
   * @param client how to reach the server; it stays open when the worker has stopped
   * @param group whose tasks to do: the group of their targets
   * @param handler does the work; many runs of it go on at the same time
   * @return a builder of the worker
   */
  public static WorkerBuilder builder(ResonateClient client, String group, Handler handler) {
    return new WorkerBuilder(client, group, handler);
  }

  /**
   * The process as the server knows it.
   *
   * @return the pid
   */
  public String pid() {
    return pid;
  }

  /**
   * Has the worker drain when the process is told to end: by SIGTERM, SIGINT, or {@code
   * System.exit}. The process waits for it.
   *
   * @return this worker
   */
  public Worker drainOnShutdown() {
    Thread hook = new Thread(this::close, "resonate-drain");
    Runtime.getRuntime().addShutdownHook(hook);
    stopped.whenComplete((done, failure) -> remove(hook));
    return this;
  }

  /**
   * Waits until the worker has stopped. Throws a {@link ResonateException} if it had to: another
   * process has its pid, with the reason SESSION_REPLACED, or the server refuses its options.
   *
   * @throws InterruptedException when the waiting thread is interrupted
   */
  public void await() throws InterruptedException {
    try {
      stopped.get();
    } catch (ExecutionException e) {
      throw (ResonateException) e.getCause();
    }
  }

  /**
   * Drains: takes nothing new, lets the handlers that run go on for the grace period, gives back
   * what is left, and returns when the worker has stopped. Safe to call twice.
   */
  @Override
  public void close() {
    drain(graceMs, null);
    try {
      stopped.join(); // Not interrupted: what is held is to be given back.
    } catch (CompletionException e) {
      LOG.log(Level.DEBUG, "the worker had to stop", e); // Who awaits it is told.
    }
  }

  Worker start() {
    Background.execute(() -> stream.run().ifPresent(failure -> drain(0, failure)));
    return this;
  }

  private void drain(long graceMs, ResonateException failure) {
    if (draining.compareAndSet(false, true)) {
      Background.execute(() -> drainNow(graceMs, failure));
    }
  }

  private void drainNow(long graceMs, ResonateException failure) {
    LOG.log(Level.INFO, () -> "worker " + pid + " of " + group + " drains");
    pool.close();
    announceDrain();
    pool.drain(graceMs);
    stream.stop();
    CompletableFuture<Void> handled = unblocks.idle();
    if (!handled.isDone()) {
      client.clock().sleep(LAST_UNBLOCKS_MS, handled);
    }
    acknowledger.close();
    LOG.log(Level.INFO, () -> "worker " + pid + " of " + group + " has stopped");
    if (failure == null) {
      stopped.complete(null);
    } else {
      stopped.completeExceptionally(failure);
    }
  }

  private void announceDrain() {
    String session = sessionId;
    if (session == null) {
      return;
    }
    DispatchDrainRequest request = DispatchDrainRequest.newBuilder().setSessionId(session).build();
    try {
      client.call(
          DispatchServiceGrpc.getDispatchDrainMethod(),
          request,
          DRAIN_CALL_MS,
          new CompletableFuture<Void>());
    } catch (ResonateException e) {
      LOG.log(Level.WARNING, () -> "drain was not announced: " + e);
    }
  }

  private void handle(List<DispatchUnblock> batch) {
    for (DispatchUnblock unblock : batch) {
      try {
        onUnblock.handle(unblock.getPromise(), unblock.getAddress());
        acknowledger.acknowledge(unblock);
      } catch (Throwable failure) {
        // Not acknowledged: the server sends it again on the next stream.
        LOG.log(
            Level.WARNING,
            () -> "unblock of " + unblock.getPromise().getId() + " was not handled",
            failure);
      }
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // It is the hook that has stopped the worker.
    }
  }

  /** What the worker hears on its stream. */
  private final class Ears implements DispatchStream.Listener {
    @Override
    public void hello(DispatchHello hello) {
      sessionId = hello.getSessionId();
      LOG.log(Level.INFO, () -> "worker " + pid + " of " + group + " is connected");
      try {
        onHello.accept(hello);
      } catch (Throwable failure) {
        LOG.log(Level.ERROR, "onHello has failed", failure);
      }
      if (env.stopping().isDone()) {
        Background.execute(Worker.this::announceDrain);
      }
      // The server may have been away for most of a lease.
      env.heartbeats().beat();
    }

    @Override
    public void execute(DispatchExecute execute) {
      pool.offer(execute);
    }

    @Override
    public void unblock(DispatchUnblock unblock) {
      unblocks.put(unblock);
    }

    @Override
    public void lapsed() {
      sessionId = null;
      pool.lapsed();
    }
  }
}
