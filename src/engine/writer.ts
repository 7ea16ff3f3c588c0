import { taskRetry } from '../protocol/actions/02-timeouts.js';
import {
  execute,
  isRead,
  wouldProject,
  type Operation,
  type OperationName,
  type OutcomeOf,
} from '../protocol/operations.js';
import type { Tx } from '../protocol/tx.js';
import { StoreError, type Change, type Committed, type Store, type StoreTx } from '../store/store.js';
import type { Clock } from './clock.js';
import { EngineError, type Engine, type SubmitOptions } from './engine.js';
import { silentLog, type Log } from './log.js';
import { Sweeper } from './sweeper.js';
import { fireDue, SWEEP_ORDER } from './timeouts.js';
import type { Timers } from './timers.js';

export interface WriterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  /** How long an unacknowledged unblock is kept, in ms. */
  readonly unblockRetention: number;
  readonly log?: Log | undefined;
  /** Called once when the store fails for good: the process must not go on. */
  readonly onFatal: (error: Error) => void;
}

/** How many requests may wait for a batch; more are refused as overload. */
const MAX_QUEUED = 50_000;
/** How many requests share a transaction at the most. */
const MAX_BATCH = 512;
/** How long a batch may run before the rest of it waits for the next one, in ms. */
const BATCH_TIME = 8;
/** A request or a slice of timeouts. `work` may run again, in another transaction, if a neighbour in its batch failed. */
interface Job {
  readonly work: (tx: StoreTx, now: number) => unknown;
  readonly isCancelled: (() => boolean) | undefined;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The engine on a store of this process: one queue, and once per turn of the event loop one transaction for what is in it
 * (group commit). Everybody is answered after the transaction is on disk.
 */
export class Writer implements Engine {
  readonly #options: WriterOptions;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #listeners: ((changes: readonly Change[]) => void)[] = [];
  readonly #sweeper: Sweeper;
  #queue: Job[] = [];
  #batchScheduled = false;
  #state: 'running' | 'stopping' | 'failed' = 'running';
  #diskFull = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log ?? silentLog;
    this.#sweeper = new Sweeper({
      ...options,
      log: this.#log,
      enqueue: (work) => this.#enqueue(work),
      onStoreFailure: (error) => this.#storeFailed(error),
    });
  }

  /** Starts to fire timeouts by the clock. */
  start(): void {
    this.#sweeper.start();
  }

  now(): number {
    return this.#clock.now();
  }

  onCommit(listener: (changes: readonly Change[]) => void): void {
    this.#listeners.push(listener);
  }

  async submit<N extends OperationName>(operation: Operation<N>, options: SubmitOptions = {}): Promise<OutcomeOf<N>> {
    const run = (tx: Tx, now: number): OutcomeOf<N> => {
      options.onRun?.(now);
      return execute(tx, operation, now);
    };
    if (isRead(operation.name) && options.inTurn !== true) {
      const now = this.#readInstant();
      const outcome = this.#store.read((tx) => (wouldProject(tx, operation, now) ? undefined : run(tx, now)));
      if (outcome !== undefined) return outcome;
    }
    return this.#request(run, options.isCancelled);
  }

  async acknowledgeUnblocks(unblocks: readonly { promiseId: string; address: string }[]): Promise<void> {
    await this.#request((tx) => {
      for (const { promiseId, address } of unblocks) tx.deleteUnblock(promiseId, address);
    });
  }

  async retryTasks(taskIds: readonly string[]): Promise<void> {
    await this.#enqueue((tx, now) => {
      for (const id of taskIds) taskRetry(tx, id, now);
    });
  }

  /** Stops the clock and sets it, for the debug service. False for an instant before the present one. */
  setClock(now: number): boolean {
    if (now < this.#clock.now()) return false;
    this.#clock.set(now);
    return true;
  }

  /** One sweep of everything that is due, retries included, as the model does. Returns how many fired. For the debug service. */
  async fireAllDue(): Promise<number> {
    let fired = 0;
    for (const kind of SWEEP_ORDER) {
      fired += await this.#enqueue((tx, now) =>
        fireDue(this.#store, tx, kind, now, { limit: Infinity, leases: true, retries: true, mayFire: () => true }),
      );
    }
    return fired;
  }

  /** Removes every record, for the debug service. */
  async clear(): Promise<void> {
    await this.#drained();
    this.#store.clear();
  }

  /** Refuses what comes from now on, runs what has been submitted, and stops firing timeouts. */
  async stop(): Promise<void> {
    if (this.#state === 'running') this.#state = 'stopping';
    this.#sweeper.stop();
    await this.#drained();
  }

  async #drained(): Promise<void> {
    while (this.#queue.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** What a client asks for is refused while too many wait. What time brings is not: else no timeout would fire meanwhile. */
  #request<T>(work: (tx: StoreTx, now: number) => T, isCancelled?: () => boolean): Promise<T> {
    if (this.#queue.length >= MAX_QUEUED) {
      return Promise.reject(new EngineError('overloaded', `${MAX_QUEUED} requests are waiting already`));
    }
    return this.#enqueue(work, isCancelled);
  }

  #enqueue<T>(work: (tx: StoreTx, now: number) => T, isCancelled?: () => boolean): Promise<T> {
    if (this.#state !== 'running') return Promise.reject(new EngineError('draining', 'the server is stopping'));
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, isCancelled, resolve: resolve as (answer: unknown) => void, reject });
      this.#scheduleBatch();
    });
  }

  #scheduleBatch(): void {
    if (this.#batchScheduled) return;
    this.#batchScheduled = true;
    // After the poll phase: whatever this turn of the event loop received shares one transaction.
    setImmediate(() => {
      this.#batchScheduled = false;
      this.#sweeper.noteAlive();
      this.#runBatch();
      if (this.#queue.length > 0) this.#scheduleBatch();
    });
  }

  #runBatch(): void {
    let batch = this.#takeBatch();
    while (batch.length > 0) {
      let current: Job | undefined;
      let committed: Committed<unknown[]>;
      try {
        committed = this.#transact(batch, (job) => (current = job));
      } catch (error) {
        if (error instanceof StoreError || current === undefined) return this.#commitFailed(error, batch);
        // The transaction is undone. The other jobs are deterministic: they run again without the faulty one.
        const faulty = current;
        faulty.reject(this.#fault(error));
        batch = batch.filter((job) => job !== faulty);
        continue;
      }
      if (this.#diskFull) this.#log.info({}, 'there is room on the disk again');
      this.#diskFull = false;
      // What did not fit into the time of a batch stays in front of the queue.
      this.#queue.unshift(...batch.slice(committed.result.length));
      this.#publish(committed.changes);
      return committed.result.forEach((answer, i) => batch[i]?.resolve(answer));
    }
  }

  #takeBatch(): Job[] {
    return this.#queue.splice(0, MAX_BATCH).filter((job) => {
      if (job.isCancelled?.() !== true) return true;
      job.reject(new EngineError('cancelled', 'the call ended before it ran'));
      return false;
    });
  }

  /** One transaction for as many jobs as fit into the time of a batch. Its result are their answers. */
  #transact(batch: readonly Job[], onRun: (job: Job | undefined) => void): Committed<unknown[]> {
    let mark: number | undefined;
    const committed = this.#store.transact((tx) => {
      const answers: unknown[] = [];
      const startedAt = this.#clock.monotonic();
      for (const job of batch) {
        if (answers.length > 0 && this.#clock.monotonic() - startedAt > BATCH_TIME) break;
        onRun(job);
        const now = this.#clock.now();
        answers.push(job.work(tx, now));
        mark = this.#clock.reservation(now) ?? mark;
      }
      onRun(undefined);
      if (mark !== undefined) tx.setClockMark(mark);
      return answers;
    });
    if (mark !== undefined) this.#clock.reserved(mark);
    return committed;
  }

  /** Tells the listeners: before the callers, so that a push is not overtaken by an answer that it caused. */
  #publish(changes: readonly Change[]): void {
    // Without a change too: a timer and a listener arm a timeout, and nobody reacts to them.
    this.#sweeper.hasten();
    if (changes.length === 0) return;
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        this.#log.error({ err: error }, 'a listener to committed changes failed');
      }
    }
  }

  #fault(error: unknown): EngineError {
    this.#log.error({ err: error }, 'an operation failed; it was rolled back');
    return new EngineError('fault', 'a fault in the server; its cause is in the server log', { cause: error });
  }

  #commitFailed(error: unknown, batch: readonly Job[]): void {
    if (error instanceof StoreError && error.kind === 'full') {
      if (!this.#diskFull) this.#log.error({ err: error }, 'the disk is full; writes are refused until there is room');
      this.#diskFull = true;
      for (const job of batch) job.reject(new EngineError('storage_full', 'the disk of the server is full'));
      return;
    }
    for (const job of batch) job.reject(new EngineError('fault', 'the store failed', { cause: error }));
    this.#storeFailed(error);
  }

  #storeFailed(error: unknown): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    for (const job of this.#queue) job.reject(new EngineError('draining', 'the store failed'));
    this.#queue = [];
    this.#sweeper.stop();
    this.#options.onFatal(error instanceof Error ? error : new Error(String(error)));
  }

  /** The instant of a read. What a read shows depends on it, so the mark must cover it too. */
  #readInstant(): number {
    const now = this.#clock.now();
    const mark = this.#clock.reservation(now);
    if (mark === undefined) return now;
    try {
      this.#store.transact((tx) => tx.setClockMark(mark));
      this.#clock.reserved(mark);
      return now;
    } catch (error) {
      // Without room on the disk time cannot be reserved; reads go on at the last instant that was.
      if (error instanceof StoreError && error.kind === 'full') return Math.min(now, this.#clock.mark);
      this.#storeFailed(error);
      throw error;
    }
  }
}
