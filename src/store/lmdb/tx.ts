import type { PromiseObject, ScheduleObject, TaskObject } from '../../protocol/objects.js';
import type { Config } from '../../protocol/tx.js';
import { queueOf } from '../queue.js';
import type { Change, StoreTx, UnblockRow } from '../store.js';
import { Counters } from './counters.js';
import { Entries } from './entries.js';
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

  constructor(config: Config, rows: Rows) {
    this.config = config;
    this.#rows = rows;
    this.#counters = new Counters(rows);
    this.#entries = new Entries(rows, this.#counters);
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

  getPromise(id: string): PromiseObject | undefined {
    return this.#entries.getPromise(id).promise;
  }

  setPromise(promise: PromiseObject): void {
    this.#entries.setPromise({ id: promise.id, promise });
    if (promise.state !== 'pending') this.changes.push({ kind: 'promise.settled', promise });
  }

  getTask(id: string): TaskObject | undefined {
    return this.#entries.getTask(id).task;
  }

  setTask(task: TaskObject): void {
    this.#entries.setTask(task.id, { ...this.#entries.getTask(task.id), task });
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
    const awaited = this.#entries.numberOf(awaitedId);
    const awaiter = this.#entries.numberOf(awaiterId);
    if (!addMember(this.#rows, awaited, CALLBACKS, numberBytes(awaiter))) return;
    addMember(this.#rows, awaiter, AWAITS, numberBytes(awaited));
  }

  takeCallbacks(awaitedId: string): readonly string[] {
    const awaited = this.#entries.findNumber(awaitedId);
    if (awaited === undefined) return [];
    const awaiters = takeMembers(this.#rows, awaited, CALLBACKS).map((bytes) => readNumber(bytes));
    for (const awaiter of awaiters) removeMember(this.#rows, awaiter, AWAITS, numberBytes(awaited));
    return awaiters.map((awaiter) => this.#entries.idOf(awaiter));
  }

  dropCallbacksOf(awaiterId: string): void {
    const awaiter = this.#entries.findNumber(awaiterId);
    if (awaiter === undefined) return;
    for (const awaited of takeMembers(this.#rows, awaiter, AWAITS)) {
      removeMember(this.#rows, readNumber(awaited), CALLBACKS, numberBytes(awaiter));
    }
  }

  addListener(awaitedId: string, address: string): void {
    addMember(this.#rows, this.#entries.numberOf(awaitedId), LISTENERS, Buffer.from(address));
  }

  takeListeners(awaitedId: string): readonly string[] {
    const awaited = this.#entries.findNumber(awaitedId);
    if (awaited === undefined) return [];
    return takeMembers(this.#rows, awaited, LISTENERS).map((address) => address.toString());
  }

  addResume(taskId: string, awaitedId: string): boolean {
    const awaited = this.#entries.numberOf(awaitedId);
    return addMember(this.#rows, this.#entries.numberOf(taskId), RESUMES, numberBytes(awaited));
  }

  clearResumes(taskId: string): void {
    const number = this.#entries.findNumber(taskId);
    if (number !== undefined) takeMembers(this.#rows, number, RESUMES);
  }

  sendExecute(taskId: string, version: number, address: string): void {
    const { task, execute } = this.#entries.getTask(taskId);
    const row = { position: execute?.position ?? this.#counters.takePosition(), taskId, version, address };
    this.#entries.setTask(taskId, { task, execute: row });
    this.changes.push({ kind: 'execute', queue: queueOf(address), row });
  }

  withdrawExecute(taskId: string): void {
    const { task, execute } = this.#entries.getTask(taskId);
    if (execute !== undefined) this.#entries.setTask(taskId, { task, execute: undefined });
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
}
