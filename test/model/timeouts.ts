/** What time does, from `02-timeouts.lean` and SPEC "Internal transitions". Each returns how much fired. */
import { nextCron } from './cron.js';
import { promiseCreate } from './promises.js';
import { settlePromise } from './settlement.js';
import { backToPending } from './tasks.js';
import {
  delScheduleTimeout,
  delTaskTimeout,
  getPromise,
  getSchedule,
  getTask,
  isTimer,
  plus,
  removeUnblock,
  RETRY_TIMEOUT,
  sendExecute,
  setSchedule,
  setScheduleTimeout,
  setTaskTimeout,
  type Machine,
  type Timeout,
} from './state.js';

/** Departure: due checks. A firing does nothing unless a timer of that id and kind is armed with `due <= now`. */
function isDue(timeouts: readonly Timeout[], id: string, now: number): boolean {
  return timeouts.some((timer) => timer.id === id && timer.timeout <= now);
}

/** Promise timeout of id. */
export function onPromiseTimeout(m: Machine, id: string, now: number): number {
  if (!isDue(m.state.promiseTimeouts, id, now)) return 0;
  const p = getPromise(m, id);
  if (p === undefined || p.state !== 'pending') return 0;
  settlePromise(m, p, isTimer(p.tags) ? 'resolved' : 'rejected_timedout', { headers: [] }, p.timeoutAt, now);
  return 1;
}

/** Task retry of id. */
export function onTaskRetryTimeout(m: Machine, id: string, now: number): number {
  const retries = m.state.taskTimeouts.filter(({ kind }) => kind !== 'lease');
  if (!isDue(retries, id, now)) return 0;
  const t = getTask(m, id);
  if (t === undefined || t.state !== 'pending') return 0;
  delTaskTimeout(m, id);
  setTaskTimeout(m, id, 'retry', plus(now, RETRY_TIMEOUT));
  const p = getPromise(m, id);
  if (p !== undefined) sendExecute(m, t, p, now);
  return 1;
}

/** Task lease of id. */
export function onTaskLeaseTimeout(m: Machine, id: string, now: number): number {
  const leases = m.state.taskTimeouts.filter(({ kind }) => kind === 'lease');
  if (!isDue(leases, id, now)) return 0;
  const t = getTask(m, id);
  if (t === undefined || t.state !== 'acquired') return 0;
  backToPending(m, t, getPromise(m, id), now);
  return 1;
}

/** Schedule of id. Departure: at most `limit` instants. */
export function onScheduleTimeout(m: Machine, id: string, now: number, limit: number): number {
  if (!isDue(m.state.scheduleTimeouts, id, now)) return 0;
  let s = getSchedule(m, id);
  let fired = 0;
  while (s !== undefined && s.nextRunAt <= now && fired < limit) {
    const t = s.nextRunAt;
    const promise = {
      id: expand(s.promiseId, s.id, t),
      timeoutAt: plus(t, s.promiseTimeout),
      param: s.promiseParam,
      tags: s.promiseTags,
    };
    promiseCreate(m, promise, t, now);
    s = { ...s, lastRunAt: t, nextRunAt: nextCron(s.cron, t) };
    setSchedule(m, s);
    delScheduleTimeout(m, s.id);
    setScheduleTimeout(m, s.id, s.nextRunAt);
    fired += 1;
  }
  return fired;
}

/** The template's variables are replaced literally; what an id holds is not looked at again. */
export function expand(template: string, id: string, timestamp: number): string {
  return template
    .split('{{.id}}')
    .map((part) => part.split('{{.timestamp}}').join(String(timestamp)))
    .join(id);
}

/** SPEC "Due timeouts first". */
export function dueTimeoutsFirst(m: Machine, named: readonly string[], now: number): void {
  const due = m.state.promiseTimeouts.filter(({ id, timeout }) => named.includes(id) && timeout <= now);
  for (const { id } of byDueThenId(due)) onPromiseTimeout(m, id, now);
}

/** A sweep: schedules, then promises, then tasks, each by (due, id bytes). */
export function sweep(m: Machine, now: number): number {
  return (
    slice(m, 'schedule', now, Infinity) + slice(m, 'promise', now, Infinity) + slice(m, 'task', now, Infinity, true)
  );
}

/** At most `limit` firings of one kind. Unless they are asked for, retries that hold no first execute back are left alone. */
export function slice(
  m: Machine,
  kind: 'schedule' | 'promise' | 'task',
  now: number,
  limit: number,
  retries = false,
): number {
  let fired = 0;
  for (const { id } of byDueThenId(timeoutsOf(m, kind, retries)).filter(({ timeout }) => timeout <= now)) {
    if (fired >= limit) break;
    if (kind === 'schedule') fired += onScheduleTimeout(m, id, now, limit - fired);
    if (kind === 'promise') fired += onPromiseTimeout(m, id, now);
    if (kind === 'task') fired += onTaskLeaseTimeout(m, id, now) || onTaskRetryTimeout(m, id, now);
  }
  return fired;
}

function timeoutsOf(m: Machine, kind: 'schedule' | 'promise' | 'task', retries: boolean): readonly Timeout[] {
  if (kind === 'schedule') return m.state.scheduleTimeouts;
  if (kind === 'promise') return m.state.promiseTimeouts;
  return m.state.taskTimeouts.filter((timer) => retries || timer.kind !== 'retry');
}

function byDueThenId<T extends Timeout>(timeouts: readonly T[]): T[] {
  return [...timeouts].sort((a, b) => a.timeout - b.timeout || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
}

/** Departure: unblocks wait, but not for ever. Drops those that were sent before an instant. Returns how many. */
export function dropUnblocksSentBefore(m: Machine, before: number): number {
  const old = m.sentAt.filter(([, , at]) => at < before);
  for (const [promiseId, address] of old) removeUnblock(m, promiseId, address);
  return old.length;
}
