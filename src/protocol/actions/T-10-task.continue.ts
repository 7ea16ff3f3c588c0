import { OK, promiseNotFound, taskNotFound, taskNotHalted, type Outcome } from '../outcome.js';
import type { TaskContinueRequest } from '../requests.js';
import { makePending } from '../tasks.js';
import type { Tx } from '../tx.js';

/** T-10: an operator puts a halted task back into circulation. */
export function taskContinue(tx: Tx, request: TaskContinueRequest, now: number): Outcome {
  const task = tx.getTask(request.id);
  if (task === undefined) return taskNotFound(request.id);
  if (task.state !== 'halted') return taskNotHalted(task);
  const promise = tx.getPromise(request.id);
  if (promise === undefined) return promiseNotFound(request.id);
  makePending(tx, task, promise, now);
  return OK;
}
