import { NEVER, type ScheduleObject } from '../objects.js';
import type { ScheduleOutcome } from '../outcome.js';
import type { ScheduleCreateRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** S-02: creates a schedule. Idempotent on the id. */
export function scheduleCreate(tx: Tx, request: ScheduleCreateRequest, now: number): ScheduleOutcome {
  const existing = tx.getSchedule(request.id);
  if (existing !== undefined) return { status: 200, schedule: existing };
  // The door refuses an expression that never fires; one that has no instant after `now` is kept, and never fires.
  const nextRunAt = tx.config.nextCron(request.cron, now) ?? NEVER;
  const schedule: ScheduleObject = { ...request, createdAt: now, nextRunAt };
  tx.setSchedule(schedule);
  return { status: 200, schedule };
}
