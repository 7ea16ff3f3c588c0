/** The objects of the protocol (SPEC "Objects") and the questions that its rules ask about them. Milliseconds throughout. */

/** The largest instant, duration and version: 2^53 - 1. */
export const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** The next instant of a schedule whose expression has none left: later than every date, and not an instant that comes. */
export const NEVER = MAX_SAFE;

/** The address that gets a task's execute messages. Its presence makes a promise external and gives it a task. */
export const TARGET_TAG = 'resonate:target';
/** `"true"` makes a promise a timer: it resolves at its deadline. */
export const TIMER_TAG = 'resonate:timer';
/** The decimal instant until which promise.create holds the first execute back. */
export const DELAY_TAG = 'resonate:delay';

export type Tags = ReadonlyMap<string, string>;

/** A payload. Absent and empty data are different. */
export interface Value {
  readonly headers: ReadonlyMap<string, string>;
  readonly data?: Uint8Array | undefined;
}

export const EMPTY_VALUE: Value = { headers: new Map() };

export type PromiseState = 'pending' | 'resolved' | 'rejected' | 'rejected_canceled' | 'rejected_timedout';
/** The states that a client may settle a promise with. */
export type SettleState = 'resolved' | 'rejected' | 'rejected_canceled';
export type TaskState = 'pending' | 'acquired' | 'suspended' | 'halted' | 'fulfilled';

/** A promise as stored. Its callbacks and listeners are kept beside it, see `Tx`. */
export interface PromiseObject {
  readonly id: string;
  readonly state: PromiseState;
  readonly param: Value;
  readonly value: Value;
  readonly tags: Tags;
  readonly timeoutAt: number;
  readonly createdAt: number;
  /** Present exactly when settled. */
  readonly settledAt?: number | undefined;
  /** Whether its timeout is armed; it is always due at `timeoutAt`. */
  readonly timeoutArmed: boolean;
}

/**
 * A task's one armed timeout. `delay` is the spec's retry of a task whose first execute is held back by `resonate:delay`:
 * the one kind of retry that something waits for, and so the one that must fire by the clock.
 */
export interface TaskTimeout {
  readonly kind: 'retry' | 'delay' | 'lease';
  readonly dueAt: number;
}

/** A task as stored. The awaited ids behind `resumes` are kept beside it, see `Tx`. */
export interface TaskObject {
  /** Its promise's id. */
  readonly id: string;
  readonly state: TaskState;
  readonly version: number;
  /** Present exactly while acquired. */
  readonly ttl?: number | undefined;
  /** Present exactly while acquired. */
  readonly pid?: string | undefined;
  /** How many awaited promises have settled since the last acquire, suspend or resume. */
  readonly resumes: number;
  readonly timeout?: TaskTimeout | undefined;
}

/** A schedule as stored. Its timeout is always armed at `nextRunAt`. */
export interface ScheduleObject {
  readonly id: string;
  readonly cron: string;
  /** The template of the promises' ids. */
  readonly promiseId: string;
  readonly promiseTimeout: number;
  readonly promiseParam: Value;
  readonly promiseTags: Tags;
  readonly createdAt: number;
  readonly nextRunAt: number;
  readonly lastRunAt?: number | undefined;
}

export function isTimer(tags: Tags): boolean {
  return tags.get(TIMER_TAG) === 'true';
}

export function hasTarget(promise: { readonly tags: Tags }): boolean {
  return promise.tags.has(TARGET_TAG);
}

export function isExternal(tags: Tags): boolean {
  return tags.has(TARGET_TAG) || isTimer(tags);
}

/** Pending, with a deadline still ahead. */
export function isLive(promise: PromiseObject, now: number): boolean {
  return promise.state === 'pending' && promise.timeoutAt > now;
}

/** Pending, with a deadline that has passed: shown as settled, whether or not that is written yet. */
export function isExpired(promise: PromiseObject, now: number): boolean {
  return promise.state === 'pending' && promise.timeoutAt <= now;
}

/** The state in which a promise leaves its deadline. */
export function timedOutState(tags: Tags): PromiseState {
  return isTimer(tags) ? 'resolved' : 'rejected_timedout';
}

/** The promise as a reader sees it at `now`. */
export function project(promise: PromiseObject, now: number): PromiseObject {
  if (!isExpired(promise, now)) return promise;
  return { ...promise, state: timedOutState(promise.tags), settledAt: promise.timeoutAt, timeoutArmed: false };
}

/** Instants and durations saturate, they never wrap or lose precision. */
export function addSaturating(instant: number, duration: number): number {
  return Math.min(instant + duration, MAX_SAFE);
}

/** The order of ids wherever the spec says "id bytes": by UTF-8 bytes, which is by code points. */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    // UTF-16 sorts surrogates before U+E000..U+FFFF, UTF-8 after them.
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
