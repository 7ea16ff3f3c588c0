import { OK, taskFulfilled, taskNotFound, type Outcome } from '../outcome.js';
import type { TaskHaltRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** T-09: an operator takes the task out of circulation. No version check, no look at the promise. */
export function taskHalt(tx: Tx, request: TaskHaltRequest, _now: number): Outcome {
  const task = tx.getTask(request.id);
  if (task === undefined) return taskNotFound(request.id);
  if (task.state === 'fulfilled') return taskFulfilled(task);
  if (task.state === 'halted') return OK;
  tx.setTask({ id: task.id, state: 'halted', version: task.version, resumes: task.resumes });
  tx.withdrawExecute(task.id);
  return OK;
}
