package io.github.resonategrpc;

import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseSettlement;
import io.github.resonategrpc.v1.SettleState;
import io.github.resonategrpc.v1.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What a handler works on, and with. Its writes are fenced: they happen only while this process
 * holds the task. Each call throws {@link RunOver} once the run is over (see there), a {@link
 * ResonateException} when the server refuses it, and otherwise waits out troubles of the server and
 * the network for as long as the lease lasts. Safe for use by many threads.
 */
public final class TaskContext {
  private static final String TIMER_TAG = "resonate:timer";

  private final Holder holder;
  private final PromiseRecord promise;

  TaskContext(Holder holder, PromiseRecord promise) {
    this.holder = holder;
    this.promise = promise;
  }

  /**
   * The task's id, which is its promise's.
   *
   * @return the id
   */
  public String id() {
    return holder.lease().task().getId();
  }

  /**
   * The version that the task is held under. It grows with each run.
   *
   * @return the version
   */
  public long version() {
    return holder.lease().task().getVersion();
  }

  /**
   * The promise that the handler is to fulfil, as it was when the task was acquired.
   *
   * @return the promise
   */
  public PromiseRecord promise() {
    return promise;
  }

  /**
   * The promise's input.
   *
   * @return the value
   */
  public Value param() {
    return promise.getParam();
  }

  /**
   * Is done when the run is over, with the reason. The handler's thread is interrupted then; this
   * is for work on other threads.
   *
   * @return a future of the end
   */
  public CompletableFuture<RunOver> over() {
    return holder.lease().over().copy();
  }

  /**
   * Creates a promise, and its task if the work has a target; or finds it under its id, as it
   * stands. Without a time limit it gets this task's own deadline.
   *
   * @param work what is to be done
   * @return the promise
   */
  public PromiseRecord create(Work work) {
    return holder.create(work.spec(promise.getTimeoutAtMs()));
  }

  /**
   * Resolves a promise. Refused with NOT_FOUND.
   *
   * @param id the promise
   * @param value what it is resolved with
   * @return the promise, with the outcome that stands, which may be an earlier one
   */
  public PromiseRecord settle(String id, Value value) {
    return settle(id, SettleState.SETTLE_STATE_RESOLVED, value);
  }

  /**
   * Settles a promise. Refused with NOT_FOUND.
   *
   * @param id the promise
   * @param state the outcome's kind
   * @param value the outcome
   * @return the promise, with the outcome that stands, which may be an earlier one
   */
  public PromiseRecord settle(String id, SettleState state, Value value) {
    return holder.settle(
        PromiseSettlement.newBuilder().setId(id).setState(state).setValue(value).build());
  }

  /**
   * Reads a promise. Refused with NOT_FOUND.
   *
   * @param id the promise
   * @return the promise
   */
  public PromiseRecord get(String id) {
    return holder.get(id);
  }

  /**
   * Waits for promises. If one is pending, the task is suspended and the run is over: the handler
   * is called again from its start, and then finds the outcomes that it waited for. Give it
   * everything you wait for in one call: of two that run at the same time only one can suspend the
   * task.
   *
   * @param promises what to wait for
   * @return the promises, settled, in the same order
   */
  public List<PromiseRecord> awaitAll(List<PromiseRecord> promises) {
    List<PromiseRecord> records = new ArrayList<>(promises);
    for (; ; ) {
      holder.lease().check();
      // The task waits for the first pending one only. All must settle, so none is missed; and
      // being resumed for each of a
      // hundred children would run the handler a hundred times.
      var pending = records.stream().filter(record -> !Promises.isSettled(record)).findFirst();
      if (pending.isEmpty()) {
        return records;
      }
      holder.suspend(pending.get().getId());
      records.replaceAll(record -> Promises.isSettled(record) ? record : get(record.getId()));
    }
  }

  /**
   * Waits for promises, as {@link #awaitAll(List)} does.
   *
   * @param promises what to wait for
   * @return the promises, settled, in the same order
   */
  public List<PromiseRecord> awaitAll(PromiseRecord... promises) {
    return awaitAll(List.of(promises));
  }

  /**
   * Waits until an instant, on a timer promise: the task is suspended meanwhile, so that may take
   * months. The first instant stands: a later run finds the timer under its id, whatever instant it
   * names.
   *
   * @param id the timer's id
   * @param until the instant
   */
  public void sleep(String id, Instant until) {
    awaitAll(create(Work.of(id).deadline(until).tag(TIMER_TAG, "true")));
  }
}
