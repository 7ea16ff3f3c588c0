/** S-01 to S-04, from `S-*.lean` and SPEC "Schedules". */
import { nextCron } from './cron.js';
import { NOT_IMPLEMENTED, OK, refusal, type Response } from './response.js';
import {
  delSchedule,
  delScheduleTimeout,
  getSchedule,
  setSchedule,
  setScheduleTimeout,
  type Machine,
  type Pairs,
  type Schedule,
  type Value,
} from './state.js';

export interface ScheduleCreate {
  readonly id: string;
  readonly cron: string;
  readonly promiseId: string;
  readonly promiseTimeout: number;
  readonly promiseParam: Value;
  readonly promiseTags: Pairs;
}

/** S-01 */
export function scheduleGet(m: Machine, req: { readonly id: string }, _now: number): Response {
  const schedule = getSchedule(m, req.id);
  if (schedule === undefined) return refusal(404, 'SCHEDULE_NOT_FOUND', req.id);
  return { status: 200, schedule };
}

/** S-02 */
export function scheduleCreate(m: Machine, req: ScheduleCreate, now: number): Response {
  const existing = getSchedule(m, req.id);
  if (existing !== undefined) return { status: 200, schedule: existing };
  const schedule: Schedule = { ...req, createdAt: now, nextRunAt: nextCron(req.cron, now) };
  setSchedule(m, schedule);
  setScheduleTimeout(m, schedule.id, schedule.nextRunAt);
  return { status: 200, schedule };
}

/** S-03 */
export function scheduleDelete(m: Machine, req: { readonly id: string }, _now: number): Response {
  if (getSchedule(m, req.id) === undefined) return refusal(404, 'SCHEDULE_NOT_FOUND', req.id);
  delSchedule(m, req.id);
  delScheduleTimeout(m, req.id);
  return OK;
}

/** S-04 */
export function scheduleSearch(_m: Machine, _req: object, _now: number): Response {
  return NOT_IMPLEMENTED;
}
