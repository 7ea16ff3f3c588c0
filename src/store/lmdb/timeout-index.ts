/** The index of the timeouts that fire by the clock. Its rows follow from the objects: none is written by itself. */
import type { PromiseObject, ScheduleObject, TaskObject } from '../../protocol/objects.js';
import type { DueTimeout, TimeoutKind } from '../store.js';
import { after, numberBytes, parseTimeoutKey, timeoutKey, timeoutPrefix } from './keys.js';
import type { Rows } from './rows.js';

/** An armed timeout, as it is in the index. */
interface Armed {
  readonly dueAt: number;
  /** The holder, of a lease. */
  readonly pid?: string | undefined;
}

const KINDS: readonly TimeoutKind[] = ['schedule', 'promise', 'task'];

export function promiseTimeoutOf(promise: PromiseObject | undefined): Armed | undefined {
  return promise?.timeoutArmed === true ? { dueAt: promise.timeoutAt } : undefined;
}

/** A plain retry is not in the index: it fires only for what has been pushed, which the dispatcher knows. */
export function taskTimeoutOf(task: TaskObject | undefined): Armed | undefined {
  if (task?.timeout === undefined || task.timeout.kind === 'retry') return undefined;
  return { dueAt: task.timeout.dueAt, pid: task.pid };
}

export function scheduleTimeoutOf(schedule: ScheduleObject | undefined): Armed | undefined {
  return schedule === undefined ? undefined : { dueAt: schedule.nextRunAt };
}

/** Makes the index agree with the object's change from one armed timeout to another. */
export function moveTimeout(
  rows: Rows,
  kind: TimeoutKind,
  id: string,
  from: Armed | undefined,
  to: Armed | undefined,
): void {
  if (from?.dueAt === to?.dueAt && from?.pid === to?.pid) return;
  if (from !== undefined) rows.remove(timeoutKey(kind, from.dueAt, id));
  if (to !== undefined) rows.put(timeoutKey(kind, to.dueAt, id), Buffer.from(to.pid ?? ''));
}

/** The timeouts of a kind with `dueAt <= now`, by (dueAt, id bytes): the order of their keys. */
export function readDueTimeouts(rows: Rows, kind: TimeoutKind, now: number, limit: number): DueTimeout[] {
  const prefix = timeoutPrefix(kind);
  const end = Buffer.concat([prefix, numberBytes(now + 1)]);
  return Array.from(rows.range(prefix, end, limit), ({ key }) => ({ kind, ...parseTimeoutKey(key) }));
}

export function readEarliestTimeout(rows: Rows): number | undefined {
  const firsts = KINDS.flatMap((kind) => {
    const prefix = timeoutPrefix(kind);
    const row = rows.first(prefix, after(prefix));
    return row === undefined ? [] : parseTimeoutKey(row.key).dueAt;
  });
  return firsts.length === 0 ? undefined : Math.min(...firsts);
}

/** The acquired tasks are those with a lease. */
export function readHeldTasks(rows: Rows): { readonly taskId: string; readonly pid: string }[] {
  const held: { taskId: string; pid: string }[] = [];
  const prefix = timeoutPrefix('task');
  for (const { key, value } of rows.range(prefix, after(prefix))) {
    if (value.length > 0) held.push({ taskId: parseTimeoutKey(key).id, pid: value.toString() });
  }
  return held;
}
