import { isLive } from '../objects.js';
import {
  promiseMissing,
  promiseNotLive,
  taskNotFound,
  taskNotPending,
  taskVersionMismatch,
  type TaskAndPromiseOutcome,
} from '../outcome.js';
import type { TaskAcquireRequest } from '../requests.js';
import { acquire } from '../tasks.js';
import type { Tx } from '../tx.js';

/** T-03: a worker takes a pending task under a lease. */
export function taskAcquire(tx: Tx, request: TaskAcquireRequest, now: number): TaskAndPromiseOutcome {
  const task = tx.getTask(request.id);
  if (task === undefined) return taskNotFound(request.id);
  const promise = tx.getPromise(request.id);
  if (promise === undefined) return promiseMissing(task);
  if (task.state !== 'pending') return taskNotPending(task);
  if (!isLive(promise, now)) return promiseNotLive(task);
  if (task.version !== request.version) return taskVersionMismatch(task, request.version);
  return { status: 200, task: acquire(tx, task, request.pid, request.ttl, now), promise };
}
