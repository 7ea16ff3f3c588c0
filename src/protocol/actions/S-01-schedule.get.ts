import { scheduleNotFound, type ScheduleOutcome } from '../outcome.js';
import type { ScheduleGetRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** S-01: reads a schedule. */
export function scheduleGet(tx: Tx, request: ScheduleGetRequest, _now: number): ScheduleOutcome {
  const schedule = tx.getSchedule(request.id);
  if (schedule === undefined) return scheduleNotFound(request.id);
  return { status: 200, schedule };
}
