/**
 * The values of the rows: msgpack, as positional arrays. Names would cost room in every row, and a stored table of names
 * could be lost with a transaction that is undone. A new field goes to the end of its array, with a new format version.
 *
 * Maps are flat arrays [key, value, …], so that every key survives, `__proto__` included. `null` stands for absent. A state
 * is its place in a list below: the lists only ever grow at the end.
 */
import { Packr } from 'msgpackr';
import type {
  PromiseObject,
  PromiseState,
  ScheduleObject,
  TaskObject,
  TaskState,
  TaskTimeout,
  Value,
} from '../../protocol/objects.js';
import type { ExecuteRow, UnblockRow } from '../store.js';

const packr = new Packr();

const PROMISE_STATES: readonly PromiseState[] = [
  'pending',
  'resolved',
  'rejected',
  'rejected_canceled',
  'rejected_timedout',
];
const TASK_STATES: readonly TaskState[] = ['pending', 'acquired', 'suspended', 'halted', 'fulfilled'];
const TASK_TIMEOUTS: readonly TaskTimeout['kind'][] = ['retry', 'delay', 'lease'];

type FlatMap = string[];
type Data = Buffer | null;

/** [id, isAwaited], or that and [state, timeoutAt, createdAt, settledAt, timeoutArmed, tags, param (headers, data), value (headers, data)] */
type PromiseRow =
  | [id: string, isAwaited: boolean]
  | [string, boolean, number, number, number, number | null, boolean, FlatMap, FlatMap, Data, FlatMap, Data];

/** What is stored about an id: the id, and the promise if there is one. */
export interface PromiseEntry {
  readonly id: string;
  /** Whether a callback or a listener was ever added: if not, a settlement need not look for any. */
  readonly isAwaited: boolean;
  readonly promise: PromiseObject | undefined;
}

export function encodePromise({ id, isAwaited, promise }: PromiseEntry): Buffer {
  if (promise === undefined) return packr.pack([id, isAwaited]);
  const { state, timeoutAt, createdAt, settledAt, timeoutArmed, tags, param, value } = promise;
  return packr.pack([
    id,
    isAwaited,
    PROMISE_STATES.indexOf(state),
    timeoutAt,
    createdAt,
    settledAt ?? null,
    timeoutArmed,
    flat(tags),
    flat(param.headers),
    param.data ?? null,
    flat(value.headers),
    value.data ?? null,
  ]);
}

/** The bytes must be the caller's own: the data of the promise's values are views of them. So for all the decoders. */
export function decodePromise(bytes: Buffer): PromiseEntry {
  const row = packr.unpack(bytes) as PromiseRow;
  const [id, isAwaited] = row;
  if (row.length === 2) return { id, isAwaited, promise: undefined };
  const [, , state, timeoutAt, createdAt, settledAt, timeoutArmed, tags, ...values] = row;
  const [paramHeaders, paramData, valueHeaders, valueData] = values;
  return {
    id,
    isAwaited,
    promise: {
      id,
      state: nth(PROMISE_STATES, state),
      param: valueOf(paramHeaders, paramData),
      value: valueOf(valueHeaders, valueData),
      tags: unflat(tags),
      timeoutAt,
      createdAt,
      settledAt: settledAt ?? undefined,
      timeoutArmed,
    },
  };
}

/** null or [position, version, address] */
type Waiting = [number, number, string] | null;
/** [execute, hasAwaited], or that and [state, version, ttl, pid, resumes, timeout]; timeout: null or [kind, dueAt] */
type TaskRow =
  | [execute: Waiting, hasAwaited: boolean]
  | [Waiting, boolean, number, number, number | null, string | null, number, [number, number] | null];

/** What is stored beside a promise: its task, and the task's execute while it is in the outbox. */
export interface TaskEntry {
  readonly task: TaskObject | undefined;
  readonly execute: ExecuteRow | undefined;
  /** Whether it was ever made to await a promise, or resumed by one: if not, its end need not look for any. */
  readonly hasAwaited: boolean;
}

export function encodeTask({ task, execute, hasAwaited }: TaskEntry): Buffer {
  const waiting = execute === undefined ? null : [execute.position, execute.version, execute.address];
  if (task === undefined) return packr.pack([waiting, hasAwaited]);
  const { state, version, ttl, pid, resumes, timeout } = task;
  const armed = timeout === undefined ? null : [TASK_TIMEOUTS.indexOf(timeout.kind), timeout.dueAt];
  return packr.pack([
    waiting,
    hasAwaited,
    TASK_STATES.indexOf(state),
    version,
    ttl ?? null,
    pid ?? null,
    resumes,
    armed,
  ]);
}

export function decodeTask(id: string, bytes: Buffer): TaskEntry {
  const row = packr.unpack(bytes) as TaskRow;
  const [waiting, hasAwaited] = row;
  const execute =
    waiting === null ? undefined : { position: waiting[0], taskId: id, version: waiting[1], address: waiting[2] };
  if (row.length === 2) return { task: undefined, execute, hasAwaited };
  const [, , state, version, ttl, pid, resumes, timeout] = row;
  return {
    execute,
    hasAwaited,
    task: {
      id,
      state: nth(TASK_STATES, state),
      version,
      ttl: ttl ?? undefined,
      pid: pid ?? undefined,
      resumes,
      timeout: timeout === null ? undefined : { kind: nth(TASK_TIMEOUTS, timeout[0]), dueAt: timeout[1] },
    },
  };
}

/** [cron, promiseId, promiseTimeout, createdAt, nextRunAt, lastRunAt, promiseTags, promiseParam (headers, data)] */
type ScheduleRow = [string, string, number, number, number, number | null, FlatMap, FlatMap, Data];

export function encodeSchedule(schedule: ScheduleObject): Buffer {
  const { cron, promiseId, promiseTimeout, createdAt, nextRunAt, lastRunAt, promiseTags, promiseParam } = schedule;
  return packr.pack([
    cron,
    promiseId,
    promiseTimeout,
    createdAt,
    nextRunAt,
    lastRunAt ?? null,
    flat(promiseTags),
    flat(promiseParam.headers),
    promiseParam.data ?? null,
  ]);
}

export function decodeSchedule(id: string, bytes: Buffer): ScheduleObject {
  const row = packr.unpack(bytes) as ScheduleRow;
  const [cron, promiseId, promiseTimeout, createdAt, nextRunAt, lastRunAt, tags, headers, data] = row;
  return {
    id,
    cron,
    promiseId,
    promiseTimeout,
    promiseParam: valueOf(headers, data),
    promiseTags: unflat(tags),
    createdAt,
    nextRunAt,
    lastRunAt: lastRunAt ?? undefined,
  };
}

/** [taskId, version, address] */
type ExecuteValue = [string, number, string];

export function encodeExecute({ taskId, version, address }: Omit<ExecuteRow, 'position'>): Buffer {
  return packr.pack([taskId, version, address]);
}

export function decodeExecute(position: number, bytes: Buffer): ExecuteRow {
  const [taskId, version, address] = packr.unpack(bytes) as ExecuteValue;
  return { position, taskId, version, address };
}

/** [promiseId, address, sentAt] */
type UnblockValue = [string, string, number];

export function encodeUnblock(promiseId: string, address: string, sentAt: number): Buffer {
  return packr.pack([promiseId, address, sentAt]);
}

export function decodeUnblock(position: number, bytes: Buffer): UnblockRow & { readonly sentAt: number } {
  const [promiseId, address, sentAt] = packr.unpack(bytes) as UnblockValue;
  return { position, promiseId, address, sentAt };
}

/** [name, version] */
export interface Format {
  readonly name: string;
  readonly version: number;
}

export function encodeFormat({ name, version }: Format): Buffer {
  return packr.pack([name, version]);
}

/** Undefined if the bytes are not a format. */
export function decodeFormat(bytes: Buffer): Format | undefined {
  try {
    const [name, version] = packr.unpack(bytes) as unknown[];
    return typeof name === 'string' && typeof version === 'number' ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}

function flat(map: ReadonlyMap<string, string>): FlatMap {
  const flat: FlatMap = [];
  for (const [key, value] of map) flat.push(key, value);
  return flat;
}

function unflat(flat: FlatMap): Map<string, string> {
  const map = new Map<string, string>();
  for (let i = 0; i < flat.length; i += 2) map.set(flat[i] as string, flat[i + 1] as string);
  return map;
}

function valueOf(headers: FlatMap, data: Data): Value {
  return { headers: unflat(headers), data: data ?? undefined };
}

function nth<T>(list: readonly T[], index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new RangeError(`a stored record has the unknown state ${index}`);
  return entry;
}
