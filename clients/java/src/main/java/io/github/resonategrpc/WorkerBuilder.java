package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchHello;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/** Sets a {@link Worker} up. */
public final class WorkerBuilder {
  final ResonateClient client;
  final String group;
  final Handler handler;
  String pid;
  int maxInFlight = 16;
  Duration ttl = Duration.ofSeconds(30);
  Duration grace = Duration.ofSeconds(10);
  Backoff attemptBackoff = Backoff.ATTEMPT;
  Consumer<DispatchHello> onHello = hello -> {};
  UnblockHandler onUnblock = (promise, address) -> {};

  WorkerBuilder(ResonateClient client, String group, Handler handler) {
    this.client = Objects.requireNonNull(client, "client");
    this.group = Objects.requireNonNull(group, "group");
    this.handler = Objects.requireNonNull(handler, "handler");
  }

  /**
   * Names the process.
   *
   * @param pid unique among all processes, and the same for the life of this one; by default a new
   *     one
   * @return this builder
   */
  public WorkerBuilder pid(String pid) {
    this.pid = Objects.requireNonNull(pid, "pid");
    return this;
  }

  /**
   * Limits the tasks that are held.
   *
   * @param maxInFlight how many at one time, at least 1; by default 16
   * @return this builder
   */
  public WorkerBuilder maxInFlight(int maxInFlight) {
    if (maxInFlight < 1) {
      throw new IllegalArgumentException("maxInFlight must be at least 1");
    }
    this.maxInFlight = maxInFlight;
    return this;
  }

  /**
   * Says how long a lease lasts.
   *
   * @param ttl how long the server leaves a task with a worker that it does not hear from; by
   *     default 30 s
   * @return this builder
   */
  public WorkerBuilder ttl(Duration ttl) {
    if (ttl.toMillis() < 1) {
      throw new IllegalArgumentException("ttl must be at least 1 ms");
    }
    this.ttl = ttl;
    return this;
  }

  /**
   * Says how long a drain lasts.
   *
   * @param grace how long the handlers may go on once the worker drains; by default 10 s
   * @return this builder
   */
  public WorkerBuilder grace(Duration grace) {
    this.grace = Objects.requireNonNull(grace, "grace");
    return this;
  }

  /**
   * Says how long a task whose handler failed is held before it is given back.
   *
   * @param attemptBackoff by default 1 s, doubled up to 60 s
   * @return this builder
   */
  public WorkerBuilder attemptBackoff(Backoff attemptBackoff) {
    this.attemptBackoff = Objects.requireNonNull(attemptBackoff, "attemptBackoff");
    return this;
  }

  /**
   * Listens for connections.
   *
   * @param onHello called whenever the stream is open, the first time or again; it must return soon
   * @return this builder
   */
  public WorkerBuilder onHello(Consumer<DispatchHello> onHello) {
    this.onHello = Objects.requireNonNull(onHello, "onHello");
    return this;
  }

  /**
   * Listens for unblocks.
   *
   * @param onUnblock called for each, one after the other
   * @return this builder
   */
  public WorkerBuilder onUnblock(UnblockHandler onUnblock) {
    this.onUnblock = Objects.requireNonNull(onUnblock, "onUnblock");
    return this;
  }

  /**
   * Starts the worker, which connects for as long as it takes.
   *
   * @return the worker
   */
  public Worker start() {
    return new Worker(this).start();
  }
}
