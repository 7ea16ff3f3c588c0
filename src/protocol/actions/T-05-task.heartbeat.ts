import { addSaturating, isLive, type TaskObject } from '../objects.js';
import { OK, type Outcome } from '../outcome.js';
import type { TaskHeartbeatRequest, TaskRef } from '../requests.js';
import type { Tx } from '../tx.js';

/** T-05: renews the leases that the caller still holds, and skips the others without a word. */
export function taskHeartbeat(tx: Tx, request: TaskHeartbeatRequest, now: number): Outcome {
  for (const ref of request.tasks) {
    const task = tx.getTask(ref.id);
    if (task === undefined || !isHeldBy(task, ref, request.pid)) continue;
    const promise = tx.getPromise(ref.id);
    if (promise === undefined || !isLive(promise, now)) continue;
    tx.setTask({ ...task, timeout: { kind: 'lease', dueAt: addSaturating(now, task.ttl ?? 0) } });
  }
  return OK;
}

function isHeldBy(task: TaskObject, ref: TaskRef, pid: string): boolean {
  return task.state === 'acquired' && task.version === ref.version && task.pid === pid;
}
