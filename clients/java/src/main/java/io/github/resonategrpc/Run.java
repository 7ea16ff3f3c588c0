package io.github.resonategrpc;

import io.github.resonategrpc.RunOver.End;
import io.github.resonategrpc.v1.DispatchExecute;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.SettleState;
import io.github.resonategrpc.v1.TaskRef;
import io.github.resonategrpc.v1.Value;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One run of the handler for one task: acquire, work, and fulfil, suspend or release. */
final class Run {
  private static final Logger LOG = System.getLogger(Run.class.getPackageName());

  private final RunEnvironment env;
  private final TaskRef task;
  private final HandlerThread handlerThread = new HandlerThread();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final CompletableFuture<Void> returned = new CompletableFuture<>();
  private Lease lease;
  private boolean offered;
  private boolean stopped;

  Run(RunEnvironment env, DispatchExecute execute) {
    this.env = env;
    this.task =
        TaskRef.newBuilder()
            .setId(execute.getTaskId())
            .setVersion(execute.getVersion() + 1)
            .build();
  }

  /** The version that the task is held under, once it is acquired. */
  long version() {
    return task.getVersion();
  }

  /**
   * Done when the task is no longer held, nor being acquired. A handler may still run: one that
   * hangs must not keep its place.
   */
  CompletableFuture<Void> done() {
    return done;
  }

  /** Done when the handler has returned, too. */
  CompletableFuture<Void> returned() {
    return returned;
  }

  /** Returns when the handler does. */
  void perform() {
    try {
      Optional<Acquisition> acquisition = Acquisition.of(task, env);
      if (acquisition.isPresent()) {
        Holder holder = new Holder(env.client(), env.pid(), acquisition.get().lease());
        hold(holder);
        work(holder, acquisition.get().promise());
        holder.lease().end(End.FINISHED, null);
      } else {
        done.complete(null);
      }
    } catch (RunOver over) {
      LOG.log(Level.DEBUG, () -> label() + " is over: " + over.end() + cause(over));
    } catch (Throwable error) {
      LOG.log(Level.ERROR, () -> label() + " was dropped", error);
      drop();
    } finally {
      returned.complete(null);
    }
  }

  /** Ends the handler and gives the task back. */
  void stop() {
    Lease held;
    synchronized (this) {
      stopped = true;
      held = lease;
    }
    if (held != null) {
      held.end(End.STOPPED, null);
    }
  }

  /**
   * The server offers the task again under the version that this run holds: unless it is giving it
   * up, it has lost it.
   */
  void offeredAgain() {
    Lease held;
    synchronized (this) {
      offered = true;
      held = lease;
    }
    if (held != null) {
      held.offeredAgain();
    }
  }

  private void hold(Holder holder) {
    Lease held = holder.lease();
    env.heartbeats().add(held);
    held.over().thenAccept(over -> left(holder, over));
    boolean lost;
    boolean stop;
    synchronized (this) {
      lease = held;
      lost = offered;
      stop = stopped;
    }
    if (lost) {
      held.offeredAgain();
    }
    if (stop) {
      held.end(End.STOPPED, null);
    }
  }

  /** On whatever thread has ended the run. */
  private void left(Holder holder, RunOver over) {
    env.heartbeats().remove(holder.lease());
    handlerThread.interrupt();
    if (over.end() == End.SUSPENDED) {
      env.failures().clear(task.getId());
    }
    if (over.end() == End.LOST) {
      LOG.log(Level.WARNING, () -> label() + " has lost the task" + cause(over));
    }
    if (over.end() == End.STOPPED) {
      Background.execute(
          () -> {
            holder.abandon();
            done.complete(null);
          });
    } else {
      done.complete(null);
    }
  }

  private void work(Holder holder, Optional<PromiseRecord> acquired) {
    if (env.stopping().isDone()) {
      holder.release();
      return;
    }
    PromiseRecord promise = acquired.orElseGet(() -> adopt(holder));
    if (Promises.isSettled(promise)) {
      return;
    }
    try {
      attempt(holder, new TaskContext(holder, promise));
      env.failures().clear(task.getId());
    } catch (Throwable failure) {
      holder.lease().check();
      // The handler failed, or the server does not take its outcome.
      long delayMs = env.attemptBackoff().delayMs(env.failures().add(task.getId()), env.clock());
      LOG.log(
          Level.WARNING, () -> label() + " has failed, and waits for " + delayMs + " ms", failure);
      env.clock().sleep(delayMs, holder.lease().over(), env.stopping());
      holder.release();
    }
  }

  /** How much is left of the lease of a task that was held already is not known. */
  private PromiseRecord adopt(Holder holder) {
    env.heartbeats().beat();
    return holder.get(task.getId());
  }

  private void attempt(Holder holder, TaskContext context) throws Exception {
    SettleState state = SettleState.SETTLE_STATE_RESOLVED;
    Value value;
    try {
      value = handlerThread.call(() -> env.handler().handle(context));
    } catch (Reject reject) {
      state = SettleState.SETTLE_STATE_REJECTED;
      value = reject.value();
    }
    holder.lease().check();
    holder.fulfill(state, value == null ? Values.empty() : value);
  }

  private void drop() {
    Lease held;
    synchronized (this) {
      held = lease;
    }
    if (held == null) {
      done.complete(null);
    } else {
      held.end(End.LOST, null);
    }
  }

  private String label() {
    return "run of task " + task.getId() + " under version " + task.getVersion();
  }

  private static String cause(RunOver over) {
    return over.getCause() == null ? "" : ": " + over.getCause();
  }
}
