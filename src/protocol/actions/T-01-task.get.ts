import { isLive } from '../objects.js';
import { promiseNotFound, taskNotFound, type TaskOutcome } from '../outcome.js';
import type { TaskGetRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** T-01: reads a task, shown as fulfilled once its promise is not live. Writes nothing. */
export function taskGet(tx: Tx, request: TaskGetRequest, now: number): TaskOutcome {
  const task = tx.getTask(request.id);
  if (task === undefined) return taskNotFound(request.id);
  const promise = tx.getPromise(request.id);
  if (promise === undefined) return promiseNotFound(request.id);
  if (isLive(promise, now)) return { status: 200, task };
  return { status: 200, task: { id: task.id, state: 'fulfilled', version: task.version, resumes: 0 } };
}
