import { isLive } from '../objects.js';
import { awaitedNotFound, isRefusal, OK, type SuspendOutcome } from '../outcome.js';
import { awaitSettlement } from '../registration.js';
import type { TaskSuspendRequest } from '../requests.js';
import { checkAcquired } from '../tasks.js';
import type { PromiseObject } from '../objects.js';
import type { Tx } from '../tx.js';

/** T-06: parks the task until an awaited promise settles; 300 if one of them is settled already. */
export function taskSuspend(tx: Tx, request: TaskSuspendRequest, now: number): SuspendOutcome {
  const held = checkAcquired(tx, request, now);
  if (isRefusal(held)) return held;
  const { task } = held;

  const awaited: PromiseObject[] = [];
  for (const id of new Set(request.awaitedIds)) {
    const promise = tx.getPromise(id);
    if (promise === undefined) return awaitedNotFound(id);
    awaited.push(promise);
  }

  if (task.resumes > 0) tx.clearResumes(task.id);
  if (!awaited.every((promise) => isLive(promise, now))) {
    tx.setTask({ ...task, resumes: 0 });
    return { status: 300 };
  }

  for (const promise of awaited) {
    tx.addCallback(promise.id, task.id);
    awaitSettlement(tx, promise);
  }
  tx.setTask({ id: task.id, state: 'suspended', version: task.version, resumes: 0 });
  return OK;
}
