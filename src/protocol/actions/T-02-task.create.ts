import { addSaturating, hasTarget, project, type TaskObject } from '../objects.js';
import { promiseWithoutTarget, taskMissing, taskNotPending, type TaskAndPromiseOutcome } from '../outcome.js';
import type { TaskCreateRequest } from '../requests.js';
import { acquire } from '../tasks.js';
import type { Tx } from '../tx.js';
import { bornFulfilled, bornPending, bornSettled } from './P-02-promise.create.js';

/** T-02: creates a promise with its task already acquired, or takes the pending task of an existing promise. */
export function taskCreate(tx: Tx, request: TaskCreateRequest, now: number): TaskAndPromiseOutcome {
  const existing = tx.getPromise(request.promise.id);
  if (existing === undefined) return createBoth(tx, request, now);

  if (!hasTarget(existing)) return promiseWithoutTarget(existing.id);
  const task = tx.getTask(existing.id);
  if (task === undefined) return taskMissing(existing.id);
  const promise = project(existing, now);
  if (task.state === 'fulfilled') return { status: 200, task, promise };
  if (task.state !== 'pending') return taskNotPending(task);
  return { status: 200, task: acquire(tx, task, request.pid, request.ttl, now), promise };
}

function createBoth(tx: Tx, request: TaskCreateRequest, now: number): TaskAndPromiseOutcome {
  const { pid, ttl } = request;
  if (request.promise.timeoutAt <= now) {
    const promise = bornSettled(request.promise);
    const task = bornFulfilled(promise.id);
    tx.setPromise(promise);
    tx.setTask(task);
    return { status: 200, task, promise };
  }

  // Armed whether external or not: somebody works on it.
  const promise = bornPending(request.promise, now, true);
  const task: TaskObject = {
    id: promise.id,
    state: 'acquired',
    version: 1,
    ttl,
    pid,
    resumes: 0,
    timeout: { kind: 'lease', dueAt: addSaturating(now, ttl) },
  };
  tx.setPromise(promise);
  tx.setTask(task);
  return { status: 200, task, promise };
}
