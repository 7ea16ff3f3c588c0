import { isRefusal, OK, type Outcome } from '../outcome.js';
import type { TaskReleaseRequest } from '../requests.js';
import { checkAcquired, makePending } from '../tasks.js';
import type { Tx } from '../tx.js';

/** T-08: the holder gives the task back; it is announced again at once. */
export function taskRelease(tx: Tx, request: TaskReleaseRequest, now: number): Outcome {
  const held = checkAcquired(tx, request, now);
  if (isRefusal(held)) return held;
  makePending(tx, held.task, held.promise, now);
  return OK;
}
