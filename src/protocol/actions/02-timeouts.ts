/** The transitions that time causes. Each does nothing unless its timer is armed and due (SPEC "Departure: due checks"). */
import { EMPTY_VALUE, NEVER, addSaturating, compareIds, timedOutState, type PromiseObject } from '../objects.js';
import { settle } from '../settlement.js';
import { announce, makePending } from '../tasks.js';
import type { Tx } from '../tx.js';
import { promiseCreate } from './P-02-promise.create.js';

/** The promise's deadline has passed. True if it fired. */
export function promiseTimeout(tx: Tx, id: string, now: number): boolean {
  const promise = tx.getPromise(id);
  if (promise === undefined || !isDue(promise, now)) return false;
  timeOut(tx, promise, now);
  return true;
}

function isDue(promise: PromiseObject, now: number): boolean {
  return promise.timeoutArmed && promise.state === 'pending' && promise.timeoutAt <= now;
}

function timeOut(tx: Tx, promise: PromiseObject, now: number): void {
  const state = timedOutState(promise.tags);
  settle(tx, promise, { state, value: EMPTY_VALUE, settledAt: promise.timeoutAt }, now);
}

/** SPEC "Due timeouts first": fires the due timeouts of the promises that a request names, by (due, id bytes). */
export function dueTimeoutsFirst(tx: Tx, ids: readonly string[], now: number): void {
  const due: PromiseObject[] = [];
  for (const id of new Set(ids)) {
    const promise = tx.getPromise(id);
    if (promise !== undefined && isDue(promise, now)) due.push(promise);
  }
  due.sort((a, b) => a.timeoutAt - b.timeoutAt || compareIds(a.id, b.id));
  for (const promise of due) timeOut(tx, promise, now);
}

/** The pending task was not acquired in time: its execute is sent again. True if it fired. */
export function taskRetry(tx: Tx, id: string, now: number): boolean {
  const task = tx.getTask(id);
  if (task?.state !== 'pending' || task.timeout === undefined || task.timeout.dueAt > now) return false;
  tx.setTask({ ...task, timeout: { kind: 'retry', dueAt: addSaturating(now, tx.config.retryTimeout) } });
  const promise = tx.getPromise(id);
  if (promise !== undefined) announce(tx, task, promise, now);
  return true;
}

/** The holder did not renew its lease: the task goes back to pending. True if it fired. */
export function taskLease(tx: Tx, id: string, now: number): boolean {
  const task = tx.getTask(id);
  if (task?.state !== 'acquired' || task.timeout === undefined || task.timeout.dueAt > now) return false;
  makePending(tx, task, tx.getPromise(id), now);
  return true;
}

/**
 * The schedule's next instants have come: creates their promises, each as of its instant, at most `limit` of them. If more
 * remain the schedule stays due. Returns how many fired.
 */
export function scheduleTimeout(tx: Tx, id: string, now: number, limit: number): number {
  let schedule = tx.getSchedule(id);
  let fired = 0;
  while (schedule !== undefined && schedule.nextRunAt <= now && schedule.nextRunAt !== NEVER && fired < limit) {
    const at: number = schedule.nextRunAt;
    promiseCreate(
      tx,
      {
        id: expandTemplate(schedule.promiseId, schedule.id, at),
        timeoutAt: addSaturating(at, schedule.promiseTimeout),
        param: schedule.promiseParam,
        tags: schedule.promiseTags,
      },
      at,
      now,
    );
    const nextRunAt = tx.config.nextCron(schedule.cron, at);
    // An expression that has run out of instants never fires again, and is kept for its readers.
    schedule = { ...schedule, lastRunAt: at, nextRunAt: nextRunAt ?? NEVER };
    tx.setSchedule(schedule);
    fired++;
  }
  return fired;
}

/** `{{.id}}` and `{{.timestamp}}` replaced literally: what an id contains is not expanded again. */
export function expandTemplate(template: string, id: string, timestamp: number): string {
  return template.replace(/\{\{\.(id|timestamp)\}\}/g, (_, name) => (name === 'id' ? id : String(timestamp)));
}
