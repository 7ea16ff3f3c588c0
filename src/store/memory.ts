/** The store in memory: maps, and a log of how to undo each write. For tests, and as the plain reading of `Store`. */
import { compareIds, type PromiseObject, type ScheduleObject, type TaskObject } from '../protocol/objects.js';
import type { Config, Tx } from '../protocol/tx.js';
import { queueOf, sameQueue } from './queue.js';
import type {
  Change,
  Committed,
  DueTimeout,
  ExecuteRow,
  Queue,
  Snapshot,
  Store,
  StoreTx,
  TimeoutKind,
  UnblockRow,
} from './store.js';

interface SentUnblock {
  readonly row: UnblockRow;
  readonly sentAt: number;
}

/** All records. The lists are replaced, never changed in place, so that an old one can be put back. */
class Records {
  readonly promises = new Map<string, PromiseObject>();
  readonly callbacks = new Map<string, readonly string[]>();
  readonly listeners = new Map<string, readonly string[]>();
  readonly tasks = new Map<string, TaskObject>();
  readonly resumes = new Map<string, readonly string[]>();
  readonly schedules = new Map<string, ScheduleObject>();
  readonly executes = new Map<string, ExecuteRow>();
  readonly unblocks = new Map<string, SentUnblock>();
  /** The clock's mark and the next position of the outbox. */
  readonly numbers = new Map<'clockMark' | 'position', number>();
}

class MemoryTx implements StoreTx {
  readonly changes: Change[] = [];
  readonly #undo: (() => void)[] = [];

  constructor(
    readonly config: Config,
    readonly records: Records,
  ) {}

  get hasWritten(): boolean {
    return this.#undo.length > 0;
  }

  rollBack(): void {
    for (const undo of this.#undo.reverse()) undo();
  }

  getPromise(id: string): PromiseObject | undefined {
    return this.records.promises.get(id);
  }

  setPromise(promise: PromiseObject): void {
    this.#set(this.records.promises, promise.id, promise);
    if (promise.state !== 'pending') this.changes.push({ kind: 'promise.settled', promise });
  }

  getTask(id: string): TaskObject | undefined {
    return this.records.tasks.get(id);
  }

  setTask(task: TaskObject): void {
    this.#set(this.records.tasks, task.id, task);
    this.changes.push({ kind: 'task', task });
  }

  getSchedule(id: string): ScheduleObject | undefined {
    return this.records.schedules.get(id);
  }

  setSchedule(schedule: ScheduleObject): void {
    this.#set(this.records.schedules, schedule.id, schedule);
  }

  deleteSchedule(id: string): void {
    this.#delete(this.records.schedules, id);
  }

  addCallback(awaitedId: string, awaiterId: string): void {
    this.#add(this.records.callbacks, awaitedId, awaiterId);
  }

  takeCallbacks(awaitedId: string): readonly string[] {
    return this.#take(this.records.callbacks, awaitedId);
  }

  dropCallbacksOf(awaiterId: string): void {
    for (const [awaitedId, awaiterIds] of this.records.callbacks) {
      if (!awaiterIds.includes(awaiterId)) continue;
      const others = awaiterIds.filter((id) => id !== awaiterId);
      this.#set(this.records.callbacks, awaitedId, others);
    }
  }

  addListener(awaitedId: string, address: string): void {
    this.#add(this.records.listeners, awaitedId, address);
  }

  takeListeners(awaitedId: string): readonly string[] {
    return this.#take(this.records.listeners, awaitedId);
  }

  addResume(taskId: string, awaitedId: string): boolean {
    return this.#add(this.records.resumes, taskId, awaitedId);
  }

  clearResumes(taskId: string): void {
    this.#delete(this.records.resumes, taskId);
  }

  sendExecute(taskId: string, version: number, address: string): void {
    const position = this.records.executes.get(taskId)?.position ?? this.#nextPosition();
    const row: ExecuteRow = { position, taskId, version, address };
    this.#set(this.records.executes, taskId, row);
    this.changes.push({ kind: 'execute', queue: queueOf(address), row });
  }

  withdrawExecute(taskId: string): void {
    this.#delete(this.records.executes, taskId);
  }

  sendUnblock(promiseId: string, address: string, now: number): void {
    const key = unblockKey(promiseId, address);
    let sent = this.records.unblocks.get(key);
    if (sent === undefined) {
      sent = { row: { position: this.#nextPosition(), promiseId, address }, sentAt: now };
      this.#set(this.records.unblocks, key, sent);
    }
    this.changes.push({ kind: 'unblock', queue: queueOf(address), row: sent.row });
  }

  deleteUnblock(promiseId: string, address: string): boolean {
    return this.#delete(this.records.unblocks, unblockKey(promiseId, address));
  }

  deleteUnblocksBefore(sentBefore: number, limit: number): number {
    const old = [...this.records.unblocks.values()].filter(({ sentAt }) => sentAt < sentBefore);
    old.sort((a, b) => a.row.position - b.row.position);
    const deleted = old.slice(0, limit);
    for (const { row } of deleted) this.deleteUnblock(row.promiseId, row.address);
    return deleted.length;
  }

  getClockMark(): number {
    return this.records.numbers.get('clockMark') ?? 0;
  }

  setClockMark(mark: number): void {
    this.#set(this.records.numbers, 'clockMark', mark);
  }

  #nextPosition(): number {
    const position = this.records.numbers.get('position') ?? 0;
    this.#set(this.records.numbers, 'position', position + 1);
    return position;
  }

  /** Adds to a list that is a set. False if it was there. */
  #add(lists: Map<string, readonly string[]>, key: string, entry: string): boolean {
    const list = lists.get(key) ?? [];
    if (list.includes(entry)) return false;
    this.#set(lists, key, [...list, entry]);
    return true;
  }

  #take(lists: Map<string, readonly string[]>, key: string): readonly string[] {
    const list = lists.get(key) ?? [];
    this.#delete(lists, key);
    return list;
  }

  #set<K, V>(map: Map<K, V>, key: K, value: V): void {
    this.#noteUndo(map, key);
    map.set(key, value);
  }

  #delete<K, V>(map: Map<K, V>, key: K): boolean {
    this.#noteUndo(map, key);
    return map.delete(key);
  }

  #noteUndo<K, V>(map: Map<K, V>, key: K): void {
    const before = map.get(key);
    this.#undo.push(() => void (before === undefined ? map.delete(key) : map.set(key, before)));
  }
}

/** A `Store` that forgets everything when the process ends. */
export class MemoryStore implements Store {
  readonly #config: Config;
  #records = new Records();

  constructor({ config }: { readonly config: Config }) {
    this.#config = config;
  }

  transact<T>(work: (tx: StoreTx) => T): Committed<T> {
    const tx = new MemoryTx(this.#config, this.#records);
    try {
      return { result: work(tx), changes: tx.changes };
    } catch (error) {
      tx.rollBack();
      throw error;
    }
  }

  read<T>(work: (tx: Tx) => T): T {
    const tx = new MemoryTx(this.#config, this.#records);
    const result = work(tx);
    if (!tx.hasWritten) return result;
    tx.rollBack();
    throw new Error('a read has written');
  }

  dueTimeouts(kind: TimeoutKind, now: number, limit: number): readonly DueTimeout[] {
    const due = this.#timeouts().filter((timeout) => timeout.kind === kind && timeout.dueAt <= now);
    return due.sort(byDueThenId).slice(0, limit);
  }

  earliestTimeout(): number | undefined {
    const dues = this.#timeouts().map(({ dueAt }) => dueAt);
    return dues.sort((a, b) => a - b)[0];
  }

  dueRetries(now: number): readonly DueTimeout[] {
    const due: DueTimeout[] = [];
    for (const { id, state, timeout } of this.#records.tasks.values()) {
      if (state === 'pending' && timeout !== undefined && timeout.dueAt <= now)
        due.push({ kind: 'task', id, dueAt: timeout.dueAt });
    }
    return due.sort(byDueThenId);
  }

  executes(queue: Queue, after: number, limit: number): readonly ExecuteRow[] {
    return waiting(this.#executeRows(), queue, after, limit);
  }

  unblocks(queue: Queue, after: number, limit: number): readonly UnblockRow[] {
    return waiting(this.#unblockRows(), queue, after, limit);
  }

  *heldTasks(): Iterable<{ readonly taskId: string; readonly pid: string }> {
    for (const { id, state, pid } of this.#records.tasks.values()) {
      if (state === 'acquired' && pid !== undefined) yield { taskId: id, pid };
    }
  }

  snapshot(): Snapshot {
    const { promises, callbacks, listeners, tasks, resumes, schedules } = this.#records;
    return {
      promises: byId(promises).map((promise) => ({
        promise,
        callbacks: callbacks.get(promise.id) ?? [],
        listeners: listeners.get(promise.id) ?? [],
      })),
      tasks: byId(tasks).map((task) => ({ task, resumes: resumes.get(task.id) ?? [] })),
      schedules: byId(schedules),
      executes: this.#executeRows(),
      unblocks: this.#unblockRows(),
    };
  }

  clear(): void {
    const cleared = new Records();
    for (const [name, number] of this.#records.numbers) cleared.numbers.set(name, number);
    this.#records = cleared;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #timeouts(): DueTimeout[] {
    const { promises, tasks, schedules } = this.#records;
    const timeouts: DueTimeout[] = [];
    for (const { id, timeoutArmed, timeoutAt } of promises.values())
      if (timeoutArmed) timeouts.push({ kind: 'promise', id, dueAt: timeoutAt });
    for (const { id, timeout } of tasks.values())
      if (timeout !== undefined && timeout.kind !== 'retry') timeouts.push({ kind: 'task', id, dueAt: timeout.dueAt });
    for (const { id, nextRunAt } of schedules.values()) timeouts.push({ kind: 'schedule', id, dueAt: nextRunAt });
    return timeouts;
  }

  #executeRows(): ExecuteRow[] {
    return [...this.#records.executes.values()].sort(byPosition);
  }

  #unblockRows(): UnblockRow[] {
    return [...this.#records.unblocks.values()].map(({ row }) => row).sort(byPosition);
  }
}

// Neither part holds a NUL, so no two pairs share a key.
function unblockKey(promiseId: string, address: string): string {
  return `${promiseId}\0${address}`;
}

function waiting<Row extends { readonly position: number; readonly address: string }>(
  rows: readonly Row[],
  queue: Queue,
  after: number,
  limit: number,
): readonly Row[] {
  return rows.filter((row) => row.position > after && sameQueue(queueOf(row.address), queue)).slice(0, limit);
}

function byId<T extends { readonly id: string }>(map: ReadonlyMap<string, T>): T[] {
  return [...map.values()].sort((a, b) => compareIds(a.id, b.id));
}

function byDueThenId(a: DueTimeout, b: DueTimeout): number {
  return a.dueAt - b.dueAt || compareIds(a.id, b.id);
}

function byPosition(a: { readonly position: number }, b: { readonly position: number }): number {
  return a.position - b.position;
}
