package io.github.resonategrpc;

import io.github.resonategrpc.RunOver.End;
import io.github.resonategrpc.v1.PromiseGetRequest;
import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.PromiseServiceGrpc;
import io.github.resonategrpc.v1.PromiseSettlement;
import io.github.resonategrpc.v1.PromiseSpec;
import io.github.resonategrpc.v1.SettleState;
import io.github.resonategrpc.v1.TaskFenceRequest;
import io.github.resonategrpc.v1.TaskFenceResponse;
import io.github.resonategrpc.v1.TaskFulfillRequest;
import io.github.resonategrpc.v1.TaskRef;
import io.github.resonategrpc.v1.TaskReleaseRequest;
import io.github.resonategrpc.v1.TaskServiceGrpc;
import io.github.resonategrpc.v1.TaskSuspendRequest;
import io.github.resonategrpc.v1.TaskSuspendResponse;
import io.github.resonategrpc.v1.Value;
import io.grpc.MethodDescriptor;
import io.grpc.Status.Code;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The calls of a task's holder. While the server or the network is in trouble they are repeated
 * with back-off, for as long as the lease may be relied on. A refusal that shows another holder, or
 * none, ends the run as lost; any other error is the caller's.
 */
final class Holder {
  private static final Logger LOG = System.getLogger(Holder.class.getPackageName());

  /** How long a task that the worker does not finish may take to be given back. */
  private static final long ABANDON_MS = 2_000;

  private final ResonateClient client;
  private final String pid;
  private final Lease lease;

  Holder(ResonateClient client, String pid, Lease lease) {
    this.client = client;
    this.pid = pid;
    this.lease = lease;
  }

  Lease lease() {
    return lease;
  }

  /** Reads a promise. */
  PromiseRecord get(String id) {
    return persist(() -> read(id));
  }

  /** Creates a promise if the task is still held. */
  PromiseRecord create(PromiseSpec spec) {
    return fence(TaskFenceRequest.newBuilder().setCreate(spec));
  }

  /** Settles a promise if the task is still held. */
  PromiseRecord settle(PromiseSettlement settlement) {
    return fence(TaskFenceRequest.newBuilder().setSettle(settlement));
  }

  /**
   * Parks the task until the promise settles, which ends the run; or returns because it is settled
   * already.
   */
  void suspend(String awaitedId) {
    TaskSuspendRequest request =
        TaskSuspendRequest.newBuilder()
            .setId(task().getId())
            .setVersion(task().getVersion())
            .addAwaitedIds(awaitedId)
            .build();
    givingUp(
        () -> {
          TaskSuspendResponse response =
              persist(() -> call(TaskServiceGrpc.getTaskSuspendMethod(), request));
          if (!response.hasReady()) {
            throw lease.end(End.SUSPENDED, null);
          }
        });
  }

  /** Settles the task's own promise, which ends the run. */
  void fulfill(SettleState state, Value value) {
    TaskFulfillRequest request =
        TaskFulfillRequest.newBuilder()
            .setId(task().getId())
            .setVersion(task().getVersion())
            .setState(state)
            .setValue(value)
            .build();
    givingUp(
        () -> {
          persist(new Fulfilling(request));
          lease.end(End.FINISHED, null);
        });
  }

  /** Gives the task back, to be pushed again at once, which ends the run. */
  void release() {
    givingUp(
        () -> {
          persist(() -> call(TaskServiceGrpc.getTaskReleaseMethod(), releaseRequest()));
          lease.end(End.FINISHED, null);
        });
  }

  /**
   * Gives the task back after the end of the run: one try, and no harm if it fails, since the lease
   * runs out.
   */
  void abandon() {
    try {
      client.call(
          TaskServiceGrpc.getTaskReleaseMethod(),
          releaseRequest(),
          ABANDON_MS,
          new CompletableFuture<Void>());
    } catch (ResonateException e) {
      LOG.log(Level.WARNING, () -> "task " + task().getId() + " was not given back: " + e);
    }
  }

  private TaskRef task() {
    return lease.task();
  }

  private TaskReleaseRequest releaseRequest() {
    return TaskReleaseRequest.newBuilder()
        .setId(task().getId())
        .setVersion(task().getVersion())
        .build();
  }

  private PromiseRecord fence(TaskFenceRequest.Builder action) {
    TaskFenceRequest request = action.setId(task().getId()).setVersion(task().getVersion()).build();
    TaskFenceResponse response = persist(() -> call(TaskServiceGrpc.getTaskFenceMethod(), request));
    if (response.hasRefusal()) {
      throw Errors.fromRefusal(response.getRefusal());
    }
    return response.getPromise();
  }

  private PromiseRecord read(String id) {
    PromiseGetRequest request = PromiseGetRequest.newBuilder().setId(id).build();
    return call(PromiseServiceGrpc.getPromiseGetMethod(), request).getPromise();
  }

  private <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
    return client.call(method, request, lease.answerTimeoutMs(), lease.over());
  }

  private void givingUp(Runnable calls) {
    lease.beginGivingUp();
    try {
      calls.run();
    } finally {
      lease.endGivingUp();
    }
  }

  /** Repeats a call for as long as that may help. */
  private <A> A persist(Supplier<A> call) {
    for (int failures = 0; ; failures++) {
      lease.check();
      try {
        return call.get();
      } catch (ResonateException e) {
        lease.check();
        if (isRefused(e)) {
          throw lease.end(End.LOST, e);
        }
        if (!e.isTransient() && !isHolder(e)) {
          throw e;
        }
        LOG.log(Level.DEBUG, () -> "call about task " + task().getId() + " will be repeated: " + e);
      }
      pause(Backoff.CALL.delayMs(failures, client.clock()));
    }
  }

  private void pause(long ms) {
    try {
      client.clock().sleep(ms, lease.over());
    } catch (ResonateException e) {
      lease.check(); // Whoever ended the run may have interrupted its thread.
      throw e;
    }
  }

  /**
   * The task is no longer ours to write. A promise that is not live will not be again, whoever
   * holds its task.
   */
  private boolean isRefused(ResonateException e) {
    String reason = e.reason().orElse("");
    return reason.equals("TASK_NOT_FOUND")
        || reason.equals("PROMISE_NOT_LIVE")
        || (e.code() == Code.ABORTED && !isHolder(e));
  }

  private boolean isHolder(ResonateException e) {
    return e.showsHolder(pid, task().getVersion());
  }

  /**
   * The refusal of a repeated call may come from the first one, whose answer was lost: it is done
   * if the promise is settled.
   */
  private final class Fulfilling implements Supplier<PromiseRecord> {
    private final TaskFulfillRequest request;
    private boolean repeated;

    Fulfilling(TaskFulfillRequest request) {
      this.request = request;
    }

    @Override
    public PromiseRecord get() {
      boolean mayHaveArrived = repeated;
      repeated = true;
      try {
        return call(TaskServiceGrpc.getTaskFulfillMethod(), request).getPromise();
      } catch (ResonateException refusal) {
        if (!mayHaveArrived || !isRefused(refusal)) {
          throw refusal;
        }
        return settledOr(refusal);
      }
    }

    private PromiseRecord settledOr(ResonateException refusal) {
      try {
        PromiseRecord promise = read(task().getId());
        if (Promises.isSettled(promise)) {
          return promise;
        }
      } catch (ResonateException e) {
        if (e.isTransient()) {
          throw e; // Not known yet: both calls are repeated.
        }
      }
      throw refusal;
    }
  }
}
