package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchExecute;
import io.github.resonategrpc.v1.DispatchHello;
import io.github.resonategrpc.v1.DispatchRequest;
import io.github.resonategrpc.v1.DispatchUnblock;
import io.grpc.Status.Code;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps one Dispatch stream open: reconnects with jittered back-off after any end but a final one,
 * and after three ping intervals of silence. It calls its listener on the thread that runs it, so
 * the listener must be quick.
 */
final class DispatchStream {
  /** What happens on a stream. */
  interface Listener {
    /** The stream is open: the first time, or again. */
    void hello(DispatchHello hello);

    /** A task can be acquired. */
    void execute(DispatchExecute execute);

    /** A promise has settled. The same one may come twice. */
    void unblock(DispatchUnblock unblock);

    /**
     * What was pushed and not acquired goes to others: the server is about to stop, or the stream
     * has ended.
     */
    void lapsed();
  }

  private static final Logger LOG = System.getLogger(DispatchStream.class.getPackageName());

  /** A stream that lasted this long was a good one: the next reconnect is a first one again. */
  private static final long STABLE_MS = 10_000;

  /** After a drain all clients of a server come back at about the same time: this spreads them. */
  private static final Backoff DRAIN = new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(2));

  private final ResonateClient client;
  private final DispatchRequest request;
  private final Listener listener;
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private volatile StreamLife current;

  DispatchStream(ResonateClient client, DispatchRequest request, Listener listener) {
    this.client = client;
    this.request = request;
    this.listener = listener;
  }

  /**
   * Returns once it was stopped; or with an error when the stream has ended for good: another
   * process has this pid, or the request is wrong.
   */
  Optional<ResonateException> run() {
    for (int failures = 0; ; failures++) {
      StreamLife life = new StreamLife(client, listener, stopped);
      current = life;
      ResonateException end = life.live(request);
      if (stopped.isDone()) {
        return Optional.empty();
      }
      listener.lapsed();
      if (isFinal(end)) {
        LOG.log(Level.ERROR, () -> "dispatch stream has ended for good: " + end);
        return Optional.of(end);
      }
      LOG.log(Level.WARNING, () -> "dispatch stream has ended: " + end);
      if (life.lastedMs() >= STABLE_MS) {
        failures = 0;
      }
      Backoff backoff = life.draining() ? DRAIN : Backoff.CALL;
      client.clock().sleep(backoff.delayMs(failures, client.clock()), stopped);
      if (stopped.isDone()) {
        return Optional.empty();
      }
    }
  }

  /** Ends the stream for good. */
  void stop() {
    stopped.complete(null);
    StreamLife life = current;
    if (life != null) {
      life.leave();
    }
  }

  /** Coming back would meet the same end. */
  private static boolean isFinal(ResonateException end) {
    return end.reason().equals(Optional.of("SESSION_REPLACED"))
        || end.code() == Code.INVALID_ARGUMENT;
  }
}
