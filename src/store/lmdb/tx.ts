import type { PromiseObject, ScheduleObject, TaskObject } from '../../protocol/objects.js';
import type { Config } from '../../protocol/tx.js';
import { queueOf } from '../queue.js';
import type { Change, StoreTx, UnblockRow } from '../store.js';
import { Counters } from './counters.js';
import { Entries } from './entries.js';
import type { EntryCache } from './entry-cache.js';
import { AWAITS, CALLBACKS, CLOCK_KEY, LISTENERS, numberBytes, readNumber, RESUMES, unblockPlaceKey } from './keys.js';
import { putUnblock, readUnblocksBefore, removeUnblock } from './outbox.js';
import type { Rows } from './rows.js';
import { Schedules } from './schedules.js';
import { addMember, removeMember, takeMembers } from './sets.js';

/** A transaction on rows. Records are written by `flush`; members of sets and unblocks at once. */
export class LmdbTx implements StoreTx {
  readonly config: Config;
  /** What has been done, in order. */
  readonly changes: Change[] = [];
  readonly #rows: Rows;
  readonly #counters: Counters;
  readonly #entries: Entries;
  readonly #schedules: Schedules;

  /** `cache`: for a transaction that writes. */
  constructor(config: Config, rows: Rows, cache?: EntryCache) {
    this.config = config;
    this.#rows = rows;
    this.#counters = new Counters(rows);
    this.#entries = new Entries(rows, this.#counters, cache);
    this.#schedules = new Schedules(rows);
  }

  /** Whether `flush` would write a record. */
  get hasChanged(): boolean {
    return this.#entries.haveChanged || this.#schedules.haveChanged;
  }

  /** Writes what has been set since the last flush, so that ranges of rows show it. */
  flush(): void {
    this.#entries.flush();
    this.#schedules.flush();
    this.#counters.flush();
  }

  /** Leaves what it knows to the cache, once it is durable. */
  remember(): void {
    this.#entries.remember();
  }

  getPromise(id: string): PromiseObject | undefined {
    return this.#entries.getPromise(id).promise;
  }

  setPromise(promise: PromiseObject): void {
    this.#entries.setPromise(promise.id, { promise });
    if (promise.state !== 'pending') this.changes.push({ kind: 'promise.settled', promise });
  }

  getTask(id: string): TaskObject | undefined {
    return this.#entries.getTask(id).task;
  }

  setTask(task: TaskObject): void {
    this.#entries.setTask(task.id, { task });
    this.changes.push({ kind: 'task', task });
  }

  getSchedule(id: string): ScheduleObject | undefined {
    return this.#schedules.get(id);
  }

  setSchedule(schedule: ScheduleObject): void {
    this.#schedules.set(schedule.id, schedule);
  }

  deleteSchedule(id: string): void {
    this.#schedules.set(id, undefined);
  }

  addCallback(awaitedId: string, awaiterId: string): void {
    const awaited = this.#awaited(awaitedId);
    const awaiter = this.#awaiter(awaiterId);
    if (!addMember(this.#rows, awaited, CALLBACKS, numberBytes(awaiter))) return;
    addMember(this.#rows, awaiter, AWAITS, numberBytes(awaited));
  }

  takeCallbacks(awaitedId: string): readonly string[] {
    if (!this.#entries.getPromise(awaitedId).isAwaited) return [];
    const awaited = this.#entries.numberOf(awaitedId);
    const awaiters = takeMembers(this.#rows, awaited, CALLBACKS).map((bytes) => readNumber(bytes));
    for (const awaiter of awaiters) removeMember(this.#rows, awaiter, AWAITS, numberBytes(awaited));
    return awaiters.map((awaiter) => this.#entries.idOf(awaiter));
  }

  dropCallbacksOf(awaiterId: string): void {
    if (!this.#entries.getTask(awaiterId).hasAwaited) return;
    const awaiter = this.#entries.numberOf(awaiterId);
    for (const awaited of takeMembers(this.#rows, awaiter, AWAITS)) {
      removeMember(this.#rows, readNumber(awaited), CALLBACKS, numberBytes(awaiter));
    }
  }

  addListener(awaitedId: string, address: string): void {
    addMember(this.#rows, this.#awaited(awaitedId), LISTENERS, Buffer.from(address));
  }

  takeListeners(awaitedId: string): readonly string[] {
    if (!this.#entries.getPromise(awaitedId).isAwaited) return [];
    return takeMembers(this.#rows, this.#entries.numberOf(awaitedId), LISTENERS).map((address) => address.toString());
  }

  addResume(taskId: string, awaitedId: string): boolean {
    const awaited = this.#entries.numberOf(awaitedId);
    return addMember(this.#rows, this.#awaiter(taskId), RESUMES, numberBytes(awaited));
  }

  clearResumes(taskId: string): void {
    if (!this.#entries.getTask(taskId).hasAwaited) return;
    takeMembers(this.#rows, this.#entries.numberOf(taskId), RESUMES);
  }

  sendExecute(taskId: string, version: number, address: string): void {
    const { execute } = this.#entries.getTask(taskId);
    const row = { position: execute?.position ?? this.#counters.takePosition(), taskId, version, address };
    this.#entries.setTask(taskId, { execute: row });
    this.changes.push({ kind: 'execute', queue: queueOf(address), row });
  }

  withdrawExecute(taskId: string): void {
    if (this.#entries.getTask(taskId).execute !== undefined) this.#entries.setTask(taskId, { execute: undefined });
  }

  sendUnblock(promiseId: string, address: string, now: number): void {
    const placeKey = unblockPlaceKey(this.#entries.numberOf(promiseId), address);
    const place = this.#rows.getNumber(placeKey);
    const row: UnblockRow = { position: place ?? this.#counters.takePosition(), promiseId, address };
    if (place === undefined) {
      this.#rows.putNumber(placeKey, row.position);
      putUnblock(this.#rows, row, now);
    }
    this.changes.push({ kind: 'unblock', queue: queueOf(address), row });
  }

  deleteUnblock(promiseId: string, address: string): boolean {
    const number = this.#entries.findNumber(promiseId);
    if (number === undefined) return false;
    const placeKey = unblockPlaceKey(number, address);
    const position = this.#rows.getNumber(placeKey);
    if (position === undefined) return false;
    this.#rows.remove(placeKey);
    removeUnblock(this.#rows, { position, address });
    return true;
  }

  deleteUnblocksBefore(sentBefore: number, limit: number): number {
    const old = readUnblocksBefore(this.#rows, sentBefore, limit);
    for (const { promiseId, address } of old) this.deleteUnblock(promiseId, address);
    return old.length;
  }

  getClockMark(): number {
    return this.#rows.getNumber(CLOCK_KEY) ?? 0;
  }

  setClockMark(mark: number): void {
    this.#rows.putNumber(CLOCK_KEY, mark);
  }

  /** The number of an id whose settlement is waited for from now on. */
  #awaited(id: string): number {
    if (!this.#entries.getPromise(id).isAwaited) this.#entries.setPromise(id, { isAwaited: true });
    return this.#entries.numberOf(id);
  }

  /** The number of an id that waits for others from now on. */
  #awaiter(id: string): number {
    if (!this.#entries.getTask(id).hasAwaited) this.#entries.setTask(id, { hasAwaited: true });
    return this.#entries.numberOf(id);
  }
}
