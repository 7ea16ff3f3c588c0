/** The task transitions that several operations share. */
import { addSaturating, isLive, TARGET_TAG, type PromiseObject, type TaskObject } from './objects.js';
import {
  promiseMissing,
  promiseNotLive,
  taskNotAcquired,
  taskNotFound,
  taskVersionMismatch,
  type Refusal,
} from './outcome.js';
import type { TaskRef } from './requests.js';
import type { Tx } from './tx.js';

/** The acquired-task checks of T-04, T-06, T-07 and T-08, in the spec's order. */
export function checkAcquired(
  tx: Tx,
  ref: TaskRef,
  now: number,
): { readonly status: 200; readonly task: TaskObject; readonly promise: PromiseObject } | Refusal {
  const task = tx.getTask(ref.id);
  if (task === undefined) return taskNotFound(ref.id);
  const promise = tx.getPromise(ref.id);
  if (promise === undefined) return promiseMissing(task);
  if (task.state !== 'acquired') return taskNotAcquired(task);
  if (!isLive(promise, now)) return promiseNotLive(task);
  if (task.version !== ref.version) return taskVersionMismatch(task, ref.version);
  return { status: 200, task, promise };
}

/** pending → acquired, by T-03 and T-02: the one place where a version grows. */
export function acquire(tx: Tx, task: TaskObject, pid: string, ttl: number, now: number): TaskObject {
  if (task.resumes > 0) tx.clearResumes(task.id);
  const acquired: TaskObject = {
    id: task.id,
    state: 'acquired',
    version: task.version + 1,
    ttl,
    pid,
    resumes: 0,
    timeout: { kind: 'lease', dueAt: addSaturating(now, ttl) },
  };
  tx.setTask(acquired);
  tx.withdrawExecute(task.id);
  return acquired;
}

/** → pending, with its retry armed and its execute sent: resume, lease loss, T-08, T-10. The version stays. */
export function makePending(tx: Tx, task: TaskObject, promise: PromiseObject | undefined, now: number): void {
  tx.setTask({
    id: task.id,
    state: 'pending',
    version: task.version,
    resumes: task.resumes,
    timeout: { kind: 'retry', dueAt: addSaturating(now, tx.config.retryTimeout) },
  });
  if (promise !== undefined) announce(tx, task, promise, now);
}

/** Sends the execute of a pending task: not to an empty target, and not for a promise that has expired (SPEC departures). */
export function announce(tx: Tx, task: TaskObject, promise: PromiseObject, now: number): void {
  const target = promise.tags.get(TARGET_TAG) ?? '';
  if (target !== '' && isLive(promise, now)) tx.sendExecute(task.id, task.version, target);
}
