import { notImplemented, type Refusal } from '../outcome.js';
import type { ScheduleSearchRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** S-04: always 501; the protocol does not specify it. */
export function scheduleSearch(_tx: Tx, _request: ScheduleSearchRequest, _now: number): Refusal {
  return notImplemented('schedule.search');
}
