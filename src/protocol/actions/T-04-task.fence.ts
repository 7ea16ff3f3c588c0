import { isRefusal, type FenceOutcome } from '../outcome.js';
import type { TaskFenceRequest } from '../requests.js';
import { checkAcquired } from '../tasks.js';
import type { Tx } from '../tx.js';
import { promiseCreate } from './P-02-promise.create.js';
import { promiseSettle } from './P-03-promise.settle.js';

/** T-04: a promise.create or promise.settle that only the task's holder can make. The inner outcome has its own status. */
export function taskFence(tx: Tx, request: TaskFenceRequest, now: number): FenceOutcome {
  const held = checkAcquired(tx, request, now);
  if (isRefusal(held)) return held;
  const { action } = request;
  const outcome =
    action.kind === 'create' ? promiseCreate(tx, action.promise, now) : promiseSettle(tx, action.settlement, now);
  return { status: 200, outcome };
}
