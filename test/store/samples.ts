/** Objects for tests of the store. What they say does not matter, only that every field is kept. */
import { EMPTY_VALUE, type PromiseObject, type ScheduleObject, type TaskObject } from '../../src/protocol/objects.js';
import type { Config } from '../../src/protocol/tx.js';

/** Ids in the order of their bytes. The last two sort the other way in UTF-16. */
export const UTF8_ORDER = ['a', 'a\u0001', 'a0', 'ab', 'b', 'é', '\uffee', '\u{1f600}'];
/** As many bytes as an id or an address may have. */
export const LONG = 'ü'.repeat(256);

export const config: Config = { retryTimeout: 5000, nextCron: () => undefined };

export function pendingPromise(id: string, fields: Partial<PromiseObject> = {}): PromiseObject {
  return {
    id,
    state: 'pending',
    param: EMPTY_VALUE,
    value: EMPTY_VALUE,
    tags: new Map(),
    timeoutAt: 1000,
    createdAt: 1,
    timeoutArmed: false,
    ...fields,
  };
}

export function settledPromise(id: string, fields: Partial<PromiseObject> = {}): PromiseObject {
  return pendingPromise(id, { state: 'resolved', settledAt: 7, ...fields });
}

export function pendingTask(id: string, fields: Partial<TaskObject> = {}): TaskObject {
  return { id, state: 'pending', version: 0, resumes: 0, timeout: { kind: 'retry', dueAt: 5000 }, ...fields };
}

export function acquiredTask(id: string, pid: string, fields: Partial<TaskObject> = {}): TaskObject {
  return {
    id,
    state: 'acquired',
    version: 1,
    ttl: 100,
    pid,
    resumes: 0,
    timeout: { kind: 'lease', dueAt: 100 },
    ...fields,
  };
}

export function schedule(id: string, fields: Partial<ScheduleObject> = {}): ScheduleObject {
  return {
    id,
    cron: '* * * * *',
    promiseId: '{{.id}}-{{.timestamp}}',
    promiseTimeout: 1000,
    promiseParam: EMPTY_VALUE,
    promiseTags: new Map(),
    createdAt: 1,
    nextRunAt: 60_000,
    ...fields,
  };
}
