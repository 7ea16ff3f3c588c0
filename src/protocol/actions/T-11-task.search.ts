import { notImplemented, type Refusal } from '../outcome.js';
import type { TaskSearchRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** T-11: always 501; the protocol does not specify it. */
export function taskSearch(_tx: Tx, _request: TaskSearchRequest, _now: number): Refusal {
  return notImplemented('task.search');
}
