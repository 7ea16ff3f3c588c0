import { OK, scheduleNotFound, type Outcome } from '../outcome.js';
import type { ScheduleDeleteRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** S-03: deletes a schedule and its timeout. */
export function scheduleDelete(tx: Tx, request: ScheduleDeleteRequest, _now: number): Outcome {
  if (tx.getSchedule(request.id) === undefined) return scheduleNotFound(request.id);
  tx.deleteSchedule(request.id);
  return OK;
}
