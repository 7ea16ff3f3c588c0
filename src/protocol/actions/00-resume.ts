import { makePending } from '../tasks.js';
import type { Tx } from '../tx.js';

/** SPEC "Resume": an awaited promise has settled. Wakes the awaiter's task, or notes the wake-up while it is not suspended. */
export function resume(tx: Tx, awaitedId: string, awaiterId: string, now: number): void {
  const task = tx.getTask(awaiterId);
  if (task === undefined || task.state === 'fulfilled') return;
  const added = tx.addResume(task.id, awaitedId);
  const resumed = added ? { ...task, resumes: task.resumes + 1 } : task;
  if (task.state === 'suspended') makePending(tx, resumed, tx.getPromise(awaiterId), now);
  else if (added) tx.setTask(resumed);
}
