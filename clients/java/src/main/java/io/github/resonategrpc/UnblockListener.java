package io.github.resonategrpc;

import io.github.resonategrpc.v1.DispatchExecute;
import io.github.resonategrpc.v1.DispatchHello;
import io.github.resonategrpc.v1.DispatchRequest;
import io.github.resonategrpc.v1.DispatchUnblock;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseRegisterListenerRequest;
import io.grpc.Status.Code;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Waits for many promises over one stream. The registration is durable: an unblock is sent until it
 * is acknowledged, over reconnects and restarts of the server; this acknowledges it once those that
 * wait have it.
 */
public final class UnblockListener implements AutoCloseable {
  private static final Logger LOG = System.getLogger(UnblockListener.class.getPackageName());

  private final ResonateClient client;
  private final String address;
  private final DispatchStream stream;
  private final Acknowledger acknowledger;
  private final Batches<DispatchUnblock> unblocks =
      new Batches<>(batch -> batch.forEach(this::tell));
  private final Map<String, Set<CompletableFuture<PromiseRecord>>> waiters = new HashMap<>();
  private ResonateException failure;

  private UnblockListener(ResonateClient client, String group, String pid) {
    if (group.contains("/")) {
      throw new IllegalArgumentException(
          "a group with a slash has no uni address: \"" + group + "\"");
    }
    this.client = client;
    this.address = "uni@" + group + "/" + pid;
    this.acknowledger = new Acknowledger(client);
    DispatchRequest request =
        DispatchRequest.newBuilder().setGroup(group).setPid(pid).setMaxInFlight(0).build();
    this.stream = new DispatchStream(client, request, new Ears());
  }

  /**
   * Opens a stream under a new pid. What is registered for it before a restart of this process
   * waits for nobody.
   *
   * @param client how to reach the server; it stays open
   * @param group the group to join, without a slash
   * @return a listener, to be closed
   */
  public static UnblockListener open(ResonateClient client, String group) {
    return open(client, group, Pids.fresh());
  }

  /**
   * Opens a stream.
   *
   * @param client how to reach the server; it stays open
   * @param group the group to join, without a slash
   * @param pid unique among the processes
   * @return a listener, to be closed
   */
  public static UnblockListener open(ResonateClient client, String group, String pid) {
    UnblockListener listener = new UnblockListener(client, group, pid);
    Background.execute(() -> listener.stream.run().ifPresent(listener::fail));
    return listener;
  }

  /**
   * Where unblocks are sent.
   *
   * @return the address
   */
  public String address() {
    return address;
  }

  /**
   * Registers for a promise. Returns at once; cancel the future to give up.
   *
   * @param id the promise
   * @return the promise once it is settled, at once if it is already; or a {@link
   *     ResonateException}: NOT_FOUND for an unknown one, or why the listener has ended
   */
  public CompletableFuture<PromiseRecord> listen(String id) {
    CompletableFuture<PromiseRecord> outcome = new CompletableFuture<>();
    // Before registering: the unblock can overtake the answer.
    enter(id, outcome);
    outcome.whenComplete((promise, failure) -> leave(id, outcome));
    Background.execute(() -> register(id, outcome));
    return outcome;
  }

  /**
   * Ends the stream. What still waits fails with CANCELLED; what was registered stays registered.
   */
  @Override
  public void close() {
    stream.stop();
    acknowledger.close();
    fail(new ResonateException(Code.CANCELLED, "the listener is closed", null));
  }

  private void register(String id, CompletableFuture<PromiseRecord> outcome) {
    PromiseRegisterListenerRequest request =
        PromiseRegisterListenerRequest.newBuilder().setAwaitedId(id).setAddress(address).build();
    try {
      PromiseRecord promise = client.promiseRegisterListener(request).getPromise();
      if (Promises.isSettled(promise)) {
        outcome.complete(promise);
      }
    } catch (RuntimeException e) {
      outcome.completeExceptionally(e);
    }
  }

  private void enter(String id, CompletableFuture<PromiseRecord> outcome) {
    ResonateException ended;
    synchronized (this) {
      ended = failure;
      if (ended == null) {
        waiters.computeIfAbsent(id, key -> new HashSet<>()).add(outcome);
      }
    }
    if (ended != null) {
      outcome.completeExceptionally(ended);
    }
  }

  private synchronized void leave(String id, CompletableFuture<PromiseRecord> outcome) {
    waiters.computeIfPresent(
        id,
        (key, waiting) -> {
          waiting.remove(outcome);
          return waiting.isEmpty() ? null : waiting;
        });
  }

  private synchronized List<CompletableFuture<PromiseRecord>> waiting(String id) {
    return List.copyOf(waiters.getOrDefault(id, Set.of()));
  }

  /** Not on the thread of the stream: whoever waits may have hung work on it. */
  private void tell(DispatchUnblock unblock) {
    PromiseRecord promise = unblock.getPromise();
    waiting(promise.getId()).forEach(outcome -> outcome.complete(promise));
    // Also if nobody waits: whoever asks again gets the outcome as the answer to registering.
    acknowledger.acknowledge(unblock);
  }

  private void fail(ResonateException error) {
    List<CompletableFuture<PromiseRecord>> all;
    synchronized (this) {
      if (failure == null) {
        failure = error;
      }
      all = waiters.values().stream().flatMap(Set::stream).toList();
    }
    all.forEach(outcome -> outcome.completeExceptionally(error));
  }

  /** What the listener hears on its stream. */
  private final class Ears implements DispatchStream.Listener {
    @Override
    public void hello(DispatchHello hello) {
      LOG.log(Level.INFO, () -> "listening as " + address);
    }

    @Override
    public void execute(DispatchExecute execute) {}

    @Override
    public void unblock(DispatchUnblock unblock) {
      unblocks.put(unblock);
    }

    @Override
    public void lapsed() {}
  }
}
