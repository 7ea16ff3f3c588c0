package io.github.resonategrpc;

import io.github.resonategrpc.v1.PromiseRecord;
import io.github.resonategrpc.v1.TaskAcquireRequest;
import io.github.resonategrpc.v1.TaskRef;
import io.github.resonategrpc.v1.TaskServiceGrpc;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A task that this process holds.
 *
 * @param promise empty if the task was held already: the answer that had the promise was lost
 */
record Acquisition(Lease lease, Optional<PromiseRecord> promise) {
  private static final Logger LOG = System.getLogger(Acquisition.class.getPackageName());

  /**
   * Takes the task that was pushed.
   *
   * @param task with the version that it will be held under
   * @return empty: it is not to be had, and is dropped
   */
  static Optional<Acquisition> of(TaskRef task, RunEnvironment env) {
    Clock clock = env.clock();
    TaskAcquireRequest request =
        TaskAcquireRequest.newBuilder()
            .setId(task.getId())
            .setVersion(task.getVersion() - 1)
            .setPid(env.pid())
            .setTtlMs(env.ttlMs())
            .build();
    long startedAtMs = clock.nowMs();
    for (int failures = 0; ; failures++) {
      long sentAtMs = clock.nowMs();
      try {
        PromiseRecord promise = take(request, env);
        return Optional.of(
            new Acquisition(Lease.begin(task, env.ttlMs(), clock, sentAtMs), Optional.of(promise)));
      } catch (ResonateException e) {
        if (e.showsHolder(env.pid(), task.getVersion())) {
          LOG.log(
              Level.INFO, () -> "task " + task.getId() + " is held already: an answer was lost");
          return Optional.of(
              new Acquisition(
                  Lease.begin(task, env.ttlMs(), clock, startedAtMs), Optional.empty()));
        }
        long delayMs = Backoff.CALL.delayMs(failures, clock);
        boolean tooLate = clock.nowMs() + delayMs - startedAtMs >= env.ttlMs();
        if (!e.isTransient() || tooLate || env.stopping().isDone()) {
          LOG.log(Level.DEBUG, () -> "task " + task.getId() + " was not acquired: " + e);
          return Optional.empty();
        }
        clock.sleep(delayMs, env.stopping());
        if (env.stopping().isDone()) {
          return Optional.empty();
        }
      }
    }
  }

  private static PromiseRecord take(TaskAcquireRequest request, RunEnvironment env) {
    long timeoutMs = Lease.answerTimeoutMs(env.ttlMs());
    return env.client()
        .call(
            TaskServiceGrpc.getTaskAcquireMethod(),
            request,
            timeoutMs,
            new CompletableFuture<Void>())
        .getPromise();
  }
}
