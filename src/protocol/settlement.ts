import { resume } from './actions/00-resume.js';
import type { PromiseObject, PromiseState, TaskObject, Value } from './objects.js';
import type { Tx } from './tx.js';

/** SPEC "Settling a promise", shared by P-03, T-07 and the promise timeout. The promise is pending. */
export function settle(
  tx: Tx,
  promise: PromiseObject,
  outcome: { readonly state: PromiseState; readonly value: Value; readonly settledAt: number },
  now: number,
): PromiseObject {
  const settled: PromiseObject = { ...promise, ...outcome, timeoutArmed: false };
  tx.setPromise(settled);
  const callbacks = tx.takeCallbacks(promise.id);
  const listeners = tx.takeListeners(promise.id);

  const task = tx.getTask(promise.id);
  if (task !== undefined) fulfil(tx, task);

  tx.dropCallbacksOf(promise.id);
  for (const address of listeners) tx.sendUnblock(promise.id, address, now);
  for (const awaiterId of callbacks) resume(tx, promise.id, awaiterId, now);
  return settled;
}

function fulfil(tx: Tx, task: TaskObject): void {
  if (task.resumes > 0) tx.clearResumes(task.id);
  tx.setTask({ id: task.id, state: 'fulfilled', version: task.version, resumes: 0 });
  tx.withdrawExecute(task.id);
}
