import type { PromiseEntry, TaskEntry } from './codec.js';
import { decodePromise, decodeTask, encodePromise, encodeTask } from './codec.js';
import type { Counters } from './counters.js';
import type { EntryCache } from './entry-cache.js';
import { indexKey, PROMISE, recordKey, TASK } from './keys.js';
import { moveExecute } from './outbox.js';
import type { Rows } from './rows.js';
import { moveTimeout, promiseTimeoutOf, taskTimeoutOf } from './timeout-index.js';

/** What is stored, and what it is to become. */
interface Part<T> {
  stored: T;
  current: T;
}

/** All that a transaction knows about an id. A part is loaded when it is first asked for. */
interface Entry {
  readonly id: string;
  /** Undefined while nothing is stored under the id. */
  number: number | undefined;
  isNew: boolean;
  promise: Part<PromiseEntry> | undefined;
  task: Part<TaskEntry> | undefined;
}

function unchanged<T>(stored: T): Part<T> {
  return { stored, current: stored };
}

const NO_TASK: TaskEntry = { task: undefined, execute: undefined, hasAwaited: false };

/**
 * The promises and tasks of one transaction: each is read and decoded once, changed in memory, and encoded and written once
 * when the transaction ends, with the rows of indexes and outbox that follow from the change.
 */
export class Entries {
  readonly #rows: Rows;
  readonly #counters: Counters;
  readonly #cache: EntryCache | undefined;
  readonly #byId = new Map<string, Entry>();
  readonly #byNumber = new Map<number, Entry>();
  readonly #changed = new Set<Entry>();

  /** Reads from the cache first, if there is one. */
  constructor(rows: Rows, counters: Counters, cache: EntryCache | undefined) {
    this.#rows = rows;
    this.#counters = counters;
    this.#cache = cache;
  }

  get haveChanged(): boolean {
    return this.#changed.size > 0;
  }

  getPromise(id: string): PromiseEntry {
    return this.#promiseOf(this.#entry(id)).current;
  }

  setPromise(id: string, changes: Partial<PromiseEntry>): void {
    const entry = this.#entry(id);
    const part = this.#promiseOf(entry);
    part.current = { ...part.current, ...changes };
    this.#change(entry);
  }

  getTask(id: string): TaskEntry {
    return this.#taskOf(this.#entry(id)).current;
  }

  setTask(id: string, changes: Partial<TaskEntry>): void {
    const entry = this.#entry(id);
    const part = this.#taskOf(entry);
    part.current = { ...part.current, ...changes };
    this.#change(entry);
  }

  /** The number that the rows of this id lie under, if there are any. */
  findNumber(id: string): number | undefined {
    return this.#entry(id).number;
  }

  /** The number for rows of this id; it gets one if it has none. */
  numberOf(id: string): number {
    const entry = this.#entry(id);
    return entry.number ?? this.#change(entry);
  }

  idOf(number: number): string {
    const known = this.#byNumber.get(number);
    if (known !== undefined) return known.id;
    const bytes = this.#rows.get(recordKey(number, PROMISE));
    if (bytes === undefined) throw new Error(`a stored row refers to promise number ${number}, which is missing`);
    const stored = decodePromise(bytes);
    this.#add({ id: stored.id, number, isNew: false, promise: unchanged(stored), task: undefined });
    return stored.id;
  }

  /** Writes what has changed since the last flush. */
  flush(): void {
    for (const entry of this.#changed) this.#write(entry, entry.number as number);
    this.#changed.clear();
  }

  /** Leaves what is known to the cache. Only for a transaction that is durable, after its flush. */
  remember(): void {
    for (const { id, number, promise, task } of this.#byId.values()) {
      if (number !== undefined && promise !== undefined)
        this.#cache?.remember(id, { number, promise: promise.stored, task: task?.stored });
    }
  }

  #entry(id: string): Entry {
    return this.#byId.get(id) ?? this.#add(this.#cached(id) ?? this.#indexed(id));
  }

  #cached(id: string): Entry | undefined {
    const known = this.#cache?.get(id);
    if (known === undefined) return undefined;
    const { number, promise, task } = known;
    return { id, number, isNew: false, promise: unchanged(promise), task: task && unchanged(task) };
  }

  #indexed(id: string): Entry {
    return { id, number: this.#rows.getNumber(indexKey(id)), isNew: false, promise: undefined, task: undefined };
  }

  #add(entry: Entry): Entry {
    this.#byId.set(entry.id, entry);
    if (entry.number !== undefined) this.#byNumber.set(entry.number, entry);
    return entry;
  }

  #change(entry: Entry): number {
    this.#changed.add(entry);
    if (entry.number !== undefined) return entry.number;
    entry.number = this.#counters.takeNumber();
    entry.isNew = true;
    this.#byNumber.set(entry.number, entry);
    return entry.number;
  }

  #promiseOf(entry: Entry): Part<PromiseEntry> {
    if (entry.promise !== undefined) return entry.promise;
    const bytes =
      entry.number === undefined || entry.isNew ? undefined : this.#rows.get(recordKey(entry.number, PROMISE));
    const stored = bytes === undefined ? { id: entry.id, isAwaited: false, promise: undefined } : decodePromise(bytes);
    return (entry.promise = unchanged(stored));
  }

  #taskOf(entry: Entry): Part<TaskEntry> {
    if (entry.task !== undefined) return entry.task;
    const bytes = entry.number === undefined || entry.isNew ? undefined : this.#rows.get(recordKey(entry.number, TASK));
    const stored = bytes === undefined ? NO_TASK : decodeTask(entry.id, bytes);
    return (entry.task = unchanged(stored));
  }

  #write(entry: Entry, number: number): void {
    const { id, task, isNew } = entry;
    const promise = isNew ? this.#promiseOf(entry) : entry.promise;
    if (isNew) this.#rows.putNumber(indexKey(id), number);
    if (promise !== undefined && (isNew || promise.current !== promise.stored)) {
      const { stored, current } = promise;
      this.#rows.put(recordKey(number, PROMISE), encodePromise(current));
      moveTimeout(this.#rows, 'promise', id, promiseTimeoutOf(stored.promise), promiseTimeoutOf(current.promise));
      promise.stored = current;
    }
    if (task !== undefined && task.current !== task.stored) {
      const { stored, current } = task;
      this.#rows.put(recordKey(number, TASK), encodeTask(current));
      moveTimeout(this.#rows, 'task', id, taskTimeoutOf(stored.task), taskTimeoutOf(current.task));
      moveExecute(this.#rows, stored.execute, current.execute);
      task.stored = current;
    }
    entry.isNew = false;
  }
}
