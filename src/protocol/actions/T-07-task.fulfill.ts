import { isRefusal, type PromiseOutcome } from '../outcome.js';
import type { TaskFulfillRequest } from '../requests.js';
import { settle } from '../settlement.js';
import { checkAcquired } from '../tasks.js';
import type { Tx } from '../tx.js';

/** T-07: the holder settles the task's promise. */
export function taskFulfill(tx: Tx, request: TaskFulfillRequest, now: number): PromiseOutcome {
  const held = checkAcquired(tx, request, now);
  if (isRefusal(held)) return held;
  const { state, value } = request;
  return { status: 200, promise: settle(tx, held.promise, { state, value, settledAt: now }, now) };
}
