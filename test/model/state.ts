/**
 * The state of the spec's machine and its primitive effects, from `01-objects/types.lean` and `state.lean`: lists, searched from
 * the front. Shares no code with `src/`. Everything is plain data that JSON can hold; instants and durations are in ms.
 */

/** Tags and headers, as in the model: pairs. No name occurs twice. */
export type Pairs = readonly (readonly [name: string, value: string])[];

export interface Value {
  readonly headers: Pairs;
  /** Opaque text here, bytes on the wire. */
  readonly data?: string;
}

export type PromiseState = 'pending' | 'resolved' | 'rejected' | 'rejected_canceled' | 'rejected_timedout';
export type TaskState = 'pending' | 'acquired' | 'suspended' | 'halted' | 'fulfilled';

/** A promise as a reader sees it. */
export interface PromiseRecord {
  readonly id: string;
  readonly state: PromiseState;
  readonly param: Value;
  readonly value: Value;
  readonly tags: Pairs;
  readonly timeoutAt: number;
  readonly createdAt: number;
  readonly settledAt?: number;
}

/** A promise as stored. */
export interface PromiseObject extends PromiseRecord {
  readonly callbacks: readonly string[];
  readonly listeners: readonly string[];
}

/** A task as a reader sees it. */
export interface TaskRecord {
  readonly id: string;
  readonly state: TaskState;
  readonly version: number;
  readonly resumes: number;
  readonly ttl?: number;
  readonly pid?: string;
}

/** A task as stored. */
export interface TaskObject {
  readonly id: string;
  readonly state: TaskState;
  readonly version: number;
  readonly ttl?: number;
  readonly pid?: string;
  readonly resumes: readonly string[];
}

export interface Schedule {
  readonly id: string;
  readonly cron: string;
  readonly promiseId: string;
  readonly promiseTimeout: number;
  readonly promiseParam: Value;
  readonly promiseTags: Pairs;
  readonly nextRunAt: number;
  readonly lastRunAt?: number;
  readonly createdAt: number;
}

export interface Timeout {
  readonly id: string;
  readonly timeout: number;
}

/** `delay` is the retry that P-02 arms at `resonate:delay`; in all else it is a retry. */
export interface TaskTimeout extends Timeout {
  readonly kind: 'retry' | 'delay' | 'lease';
}

export type Message =
  | { readonly kind: 'execute'; readonly taskId: string; readonly version: number }
  | { readonly kind: 'unblock'; readonly promise: PromiseRecord };

export interface OutboxEntry {
  readonly address: string;
  readonly message: Message;
}

/** Everything that the spec's machine holds. The outbox is in order, oldest first; the order of other lists means nothing. */
export interface State {
  readonly promises: readonly PromiseObject[];
  readonly tasks: readonly TaskObject[];
  readonly schedules: readonly Schedule[];
  readonly promiseTimeouts: readonly Timeout[];
  readonly taskTimeouts: readonly TaskTimeout[];
  readonly scheduleTimeouts: readonly Timeout[];
  readonly outbox: readonly OutboxEntry[];
}

export const EMPTY_STATE: State = {
  promises: [],
  tasks: [],
  schedules: [],
  promiseTimeouts: [],
  taskTimeouts: [],
  scheduleTimeouts: [],
  outbox: [],
};

/** The state monad of the model: functions on a machine replace its state, and change none. */
export interface Machine {
  state: State;
  /** When each unblock of the outbox was sent, for the retention. Nobody sees it. */
  sentAt: readonly (readonly [promiseId: string, address: string, at: number])[];
}

export function newMachine(): Machine {
  return { state: EMPTY_STATE, sentAt: [] };
}

/** The spec's default, in ms. */
export const RETRY_TIMEOUT = 5000;
export const MAX_NUMBER = 2 ** 53 - 1;

/** Sums saturate, never wrap. */
export function plus(instant: number, duration: number): number {
  return Math.min(instant + duration, MAX_NUMBER);
}

export function tagOf(tags: Pairs, name: string): string | undefined {
  return tags.find(([key]) => key === name)?.[1];
}

export function hasTag(tags: Pairs, name: string): boolean {
  return tagOf(tags, name) !== undefined;
}

export function isTimer(tags: Pairs): boolean {
  return tagOf(tags, 'resonate:timer') === 'true';
}

export function isExternal(promise: PromiseObject): boolean {
  return hasTag(promise.tags, 'resonate:target') || isTimer(promise.tags);
}

export function isLive(promise: PromiseRecord, now: number): boolean {
  return promise.state === 'pending' && promise.timeoutAt > now;
}

export function isExpired(promise: PromiseRecord, now: number): boolean {
  return promise.state === 'pending' && promise.timeoutAt <= now;
}

/** The promise as every response shows it. */
export function toRecord(promise: PromiseObject, now: number): PromiseRecord {
  const { callbacks: _, listeners: __, ...record } = promise;
  if (!isExpired(promise, now)) return record;
  return {
    ...record,
    state: isTimer(promise.tags) ? 'resolved' : 'rejected_timedout',
    settledAt: promise.timeoutAt,
  };
}

export function toTaskRecord(task: TaskObject): TaskRecord {
  return { ...task, resumes: task.resumes.length };
}

export function getPromise(m: Machine, id: string): PromiseObject | undefined {
  return m.state.promises.find((p) => p.id === id);
}

export function setPromise(m: Machine, promise: PromiseObject): void {
  m.state = { ...m.state, promises: [promise, ...m.state.promises.filter((p) => p.id !== promise.id)] };
}

export function getTask(m: Machine, id: string): TaskObject | undefined {
  return m.state.tasks.find((t) => t.id === id);
}

export function setTask(m: Machine, task: TaskObject): void {
  m.state = { ...m.state, tasks: [task, ...m.state.tasks.filter((t) => t.id !== task.id)] };
}

export function getSchedule(m: Machine, id: string): Schedule | undefined {
  return m.state.schedules.find((s) => s.id === id);
}

export function setSchedule(m: Machine, schedule: Schedule): void {
  m.state = { ...m.state, schedules: [schedule, ...m.state.schedules.filter((s) => s.id !== schedule.id)] };
}

export function delSchedule(m: Machine, id: string): void {
  m.state = { ...m.state, schedules: m.state.schedules.filter((s) => s.id !== id) };
}

export function setPromiseTimeout(m: Machine, id: string, timeout: number): void {
  delPromiseTimeout(m, id);
  m.state = { ...m.state, promiseTimeouts: [{ id, timeout }, ...m.state.promiseTimeouts] };
}

export function delPromiseTimeout(m: Machine, id: string): void {
  m.state = { ...m.state, promiseTimeouts: m.state.promiseTimeouts.filter((t) => t.id !== id) };
}

/** Replaces only a timeout of the same kind, as in the model: a handler that forgets to disarm is seen. */
export function setTaskTimeout(m: Machine, id: string, kind: TaskTimeout['kind'], timeout: number): void {
  const others = m.state.taskTimeouts.filter((t) => !(t.id === id && t.kind === kind));
  m.state = { ...m.state, taskTimeouts: [{ id, kind, timeout }, ...others] };
}

export function delTaskTimeout(m: Machine, id: string): void {
  m.state = { ...m.state, taskTimeouts: m.state.taskTimeouts.filter((t) => t.id !== id) };
}

export function setScheduleTimeout(m: Machine, id: string, timeout: number): void {
  delScheduleTimeout(m, id);
  m.state = { ...m.state, scheduleTimeouts: [{ id, timeout }, ...m.state.scheduleTimeouts] };
}

export function delScheduleTimeout(m: Machine, id: string): void {
  m.state = { ...m.state, scheduleTimeouts: m.state.scheduleTimeouts.filter((t) => t.id !== id) };
}

/** Departure: keys are tuples. */
function keyOf({ address, message }: OutboxEntry): readonly string[] {
  return message.kind === 'execute' ? [message.taskId] : [message.promise.id, address];
}

function hasKey(entry: OutboxEntry, key: readonly string[]): boolean {
  const own = keyOf(entry);
  return own.length === key.length && own.every((part, i) => part === key[i]);
}

/** A newer message replaces the older one of its key and keeps its place in the queue. */
function setMessage(m: Machine, entry: OutboxEntry): void {
  const key = keyOf(entry);
  const waits = m.state.outbox.some((e) => hasKey(e, key));
  const outbox = waits ? m.state.outbox.map((e) => (hasKey(e, key) ? entry : e)) : [...m.state.outbox, entry];
  m.state = { ...m.state, outbox };
}

/** Departures: an empty target sends nothing, anywhere; no execute for a promise that has expired at the transaction's `now`. */
export function sendExecute(m: Machine, task: TaskObject, promise: PromiseObject, now: number): void {
  const target = tagOf(promise.tags, 'resonate:target') ?? '';
  if (target === '') return;
  if (isExpired(promise, now)) return;
  setMessage(m, { address: target, message: { kind: 'execute', taskId: task.id, version: task.version } });
}

export function sendUnblock(m: Machine, promise: PromiseObject, address: string, now: number): void {
  const entry: OutboxEntry = { address, message: { kind: 'unblock', promise: toRecord(promise, now) } };
  if (!m.sentAt.some(([id, to]) => id === promise.id && to === address)) {
    m.sentAt = [...m.sentAt, [promise.id, address, now]];
  }
  setMessage(m, entry);
}

/** Departure: a transition that takes a task out of pending removes its execute from the outbox. */
export function withdrawExecute(m: Machine, taskId: string): void {
  m.state = { ...m.state, outbox: m.state.outbox.filter((e) => !hasKey(e, [taskId])) };
}

/** True if there was one. */
export function removeUnblock(m: Machine, promiseId: string, address: string): boolean {
  const outbox = m.state.outbox.filter((e) => !hasKey(e, [promiseId, address]));
  const removed = outbox.length < m.state.outbox.length;
  m.state = { ...m.state, outbox };
  m.sentAt = m.sentAt.filter(([id, to]) => !(id === promiseId && to === address));
  return removed;
}
