package io.github.resonategrpc;

import io.github.resonategrpc.v1.PromiseCreateRequest;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseServiceGrpc;
import io.github.resonategrpc.v1.PromiseWaitRequest;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a server: a method for every unary RPC, and the caller's side of durable work,
 * {@link #invoke}.
 *
 * <p>A call blocks until its answer, for 30 s at the most (see {@link #withTimeout}); interrupting
 * its thread cancels it. Calls of which the proto says that a retry is always safe are repeated on
 * UNAVAILABLE, with jittered back-off, until then; no other call and no other error ever is. Every
 * failure is a {@link ResonateException}. Safe for use by many threads.
 */
public final class ResonateClient extends UnaryCalls implements AutoCloseable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /** One PromiseWait: proxies cut calls that are silent for long. */
  private static final long WAIT_SLICE_MS = 60_000;

  private final Calls calls;
  private final Clock clock;
  private final long timeoutMs;

  private ResonateClient(Calls calls, Clock clock, Duration timeout) {
    this.calls = calls;
    this.clock = clock;
    this.timeoutMs = millis(timeout);
  }

  ResonateClient(ManagedChannel channel, Clock clock) {
    this(new Calls(channel, clock), clock, DEFAULT_TIMEOUT);
  }

  /**
   * A client without TLS.
   *
   * @param address {@code host:port}, or any name that gRPC understands
   * @return a client, which connects when it is first used
   */
  public static ResonateClient connect(String address) {
    return connect(address, InsecureChannelCredentials.create());
  }

  /**
   * A client.
   *
   * @param address {@code host:port}, or any name that gRPC understands
   * @param credentials such as {@code TlsChannelCredentials.create()}
   * @return a client, which connects when it is first used
   */
  public static ResonateClient connect(String address, ChannelCredentials credentials) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(address, credentials)
            // The server bounds its messages by its own limit on requests, which its operator may
            // have raised.
            .maxInboundMessageSize(Integer.MAX_VALUE)
            // A connection that a network swallowed is found out even while only a Dispatch stream
            // is open.
            .keepAliveTime(30, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS)
            .build();
    return new ResonateClient(channel, SystemClock.INSTANCE);
  }

  /**
   * The same connection, with another limit.
   *
   * @param timeout how long a call may take, its retries included; over 24 days means for ever
   * @return a client; closing either closes both
   */
  public ResonateClient withTimeout(Duration timeout) {
    return new ResonateClient(calls, clock, timeout);
  }

  /**
   * Creates a promise, and its task if the work has a target; or finds it under its id, as it
   * stands.
   *
   * @param work what is to be done, with a time limit
   * @return the promise
   */
  public PromiseRecord create(Work work) {
    return promiseCreate(PromiseCreateRequest.newBuilder().setPromise(work.spec()).build())
        .getPromise();
  }

  /**
   * Creates the work as {@link #create} does, and waits for its outcome as {@link #await(String)}
   * does. Calling it again with the same id, from any process, waits for the same work. See {@link
   * Promises#unwrap} for the value.
   *
   * @param work what is to be done, with a time limit
   * @return the promise, settled
   */
  public PromiseRecord invoke(Work work) {
    create(work);
    return await(work.id());
  }

  /**
   * Waits until the promise is settled, for as long as that takes, over restarts of the server.
   * Refused with NOT_FOUND.
   *
   * @param id the promise
   * @return the promise, settled
   */
  public PromiseRecord await(String id) {
    return await(id, Duration.ofMillis(Long.MAX_VALUE));
  }

  /**
   * Waits as {@link #await(String)} does, but not for ever: then it throws DEADLINE_EXCEEDED or
   * UNAVAILABLE.
   *
   * @param id the promise
   * @param timeout how long to wait
   * @return the promise, settled
   */
  public PromiseRecord await(String id, Duration timeout) {
    PromiseWaitRequest request = PromiseWaitRequest.newBuilder().setId(id).build();
    CompletableFuture<Void> never = new CompletableFuture<>();
    long startedAtMs = clock.nowMs();
    for (int failures = 0; ; failures++) {
      long leftMs = millis(timeout) - (clock.nowMs() - startedAtMs);
      long sliceMs = Math.min(leftMs, WAIT_SLICE_MS);
      try {
        return call(PromiseServiceGrpc.getPromiseWaitMethod(), request, sliceMs, never)
            .getPromise();
      } catch (ResonateException e) {
        if (e.code() == Code.DEADLINE_EXCEEDED) {
          failures = 0; // A slice that passed quietly is no failure.
        }
        long delayMs = Backoff.CALL.delayMs(failures, clock);
        if (!e.isTransient() || delayMs >= millis(timeout) - (clock.nowMs() - startedAtMs)) {
          throw e;
        }
        clock.sleep(delayMs);
      }
    }
  }

  /** Closes the connection. Calls that are under way fail. */
  @Override
  public void close() {
    calls.channel().shutdownNow();
  }

  @Override
  <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
    return call(method, request, timeoutMs, new CompletableFuture<Void>());
  }

  <Q, A> A call(
      MethodDescriptor<Q, A> method, Q request, long timeoutMs, CompletableFuture<?> over) {
    return calls.call(method, request, timeoutMs, over);
  }

  Calls calls() {
    return calls;
  }

  Clock clock() {
    return clock;
  }

  private static long millis(Duration duration) {
    try {
      return duration.toMillis();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }
}
