/** What the engine and the dispatcher need of a store, beyond the effects of the protocol. */
import type { PromiseObject, ScheduleObject, TaskObject } from '../protocol/objects.js';
import type { Tx } from '../protocol/tx.js';

/**
 * A queue of the outbox: the messages for any member of a group, or those for one process. The name of a group or pid holds
 * no NUL, so `${group}\0${pid}` is unambiguous.
 */
export type Queue = { readonly group: string; readonly pid?: string | undefined };

/** An execute in the outbox. */
export interface ExecuteRow {
  /** Its place: smaller is older, over all queues. */
  readonly position: number;
  readonly taskId: string;
  readonly version: number;
  /** The target, as written in the tag. */
  readonly address: string;
}

/** An unblock in the outbox: a reference, the promise is read when it is sent. */
export interface UnblockRow {
  /** Its place: smaller is older, over all queues. */
  readonly position: number;
  readonly promiseId: string;
  /** As registered. */
  readonly address: string;
}

/** What a transaction did that others react to, in order, reported after it is durable. */
export type Change =
  /** A promise was set in a settled state. */
  | { readonly kind: 'promise.settled'; readonly promise: PromiseObject }
  /** A task was set. */
  | { readonly kind: 'task'; readonly task: TaskObject }
  /** `sendExecute` was called: the row is new, or it was there already and is to be pushed again. */
  | { readonly kind: 'execute'; readonly queue: Queue; readonly row: ExecuteRow }
  /** `sendUnblock` was called: the row is new, or it was there already. */
  | { readonly kind: 'unblock'; readonly queue: Queue; readonly row: UnblockRow };

/** The timeouts that the store keeps an index of. `task` is a lease or a delay; a plain retry is not indexed. */
export type TimeoutKind = 'schedule' | 'promise' | 'task';

export interface DueTimeout {
  readonly kind: TimeoutKind;
  /** The schedule, promise or task. */
  readonly id: string;
  readonly dueAt: number;
}

/** A transaction of the store: the protocol's effects, and the store's own. */
export interface StoreTx extends Tx {
  /** Removes the unblock of this promise for this address. False if there was none. */
  deleteUnblock(promiseId: string, address: string): boolean;
  /** Removes unblocks that were first sent before `sentBefore` (their `now`), the oldest of each queue first. Returns how many. */
  deleteUnblocksBefore(sentBefore: number, limit: number): number;

  /** The floor of the clock, see `engine/clock.ts`. 0 in a new store. */
  getClockMark(): number;
  setClockMark(mark: number): void;
}

export interface Committed<T> {
  readonly result: T;
  readonly changes: readonly Change[];
}

/** Everything in a store, for debugging and tests. Lists are ordered by id bytes unless it says otherwise. */
export interface Snapshot {
  readonly promises: readonly {
    readonly promise: PromiseObject;
    /** In order of registration. */
    readonly callbacks: readonly string[];
    /** In order of registration. */
    readonly listeners: readonly string[];
  }[];
  readonly tasks: readonly {
    readonly task: TaskObject;
    /** The ids behind the count, in order of arrival. */
    readonly resumes: readonly string[];
  }[];
  readonly schedules: readonly ScheduleObject[];
  /** In order of position. */
  readonly executes: readonly ExecuteRow[];
  /** In order of position. */
  readonly unblocks: readonly UnblockRow[];
}

/** Synchronous. One writer. Queries made inside `transact` show what the transaction has written so far. */
export interface Store {
  /**
   * Runs `work` as one atomic transaction. When it returns, the transaction is on disk. If `work` throws, nothing of it
   * stays and its error is rethrown; if the commit fails, nothing of it stays and a `StoreError` is thrown.
   */
  transact<T>(work: (tx: StoreTx) => T): Committed<T>;
  /** Runs `work`, which must not write, on the latest committed state. */
  read<T>(work: (tx: Tx) => T): T;

  /** The timeouts of a kind with `dueAt <= now`, by (dueAt, id bytes). */
  dueTimeouts(kind: TimeoutKind, now: number, limit: number): readonly DueTimeout[];
  /** The due instant of the earliest timeout of any kind. */
  earliestTimeout(): number | undefined;
  /** Every pending task whose retry or delay is due, by (dueAt, id bytes). Visits all tasks: for debugging. */
  dueRetries(now: number): readonly DueTimeout[];

  /** The executes of a queue with a position greater than `after` (-1: all), oldest first. */
  executes(queue: Queue, after: number, limit: number): readonly ExecuteRow[];
  /** The unblocks of a queue with a position greater than `after` (-1: all), oldest first. */
  unblocks(queue: Queue, after: number, limit: number): readonly UnblockRow[];
  /** Every acquired task with its holder. */
  heldTasks(): Iterable<{ readonly taskId: string; readonly pid: string }>;

  snapshot(): Snapshot;
  /** Removes every record; the clock's mark stays. */
  clear(): void;
  close(): Promise<void>;
}

/** Why a store could not be opened or a transaction could not be committed. */
export class StoreError extends Error {
  constructor(
    /** `full`: no room on the disk, nothing was written, works again once there is. `unusable`: everything else. */
    readonly kind: 'full' | 'unusable',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreError';
  }
}
