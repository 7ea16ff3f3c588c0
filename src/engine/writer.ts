import { taskRetry } from '../protocol/actions/02-timeouts.js';
import {
  execute,
  isRead,
  wouldProject,
  type Operation,
  type OperationName,
  type OutcomeOf,
} from '../protocol/operations.js';
import { StoreError, type Change, type Committed, type DueTimeout, type Store, type StoreTx } from '../store/store.js';
import type { Clock } from './clock.js';
import { EngineError, type Engine, type SubmitOptions } from './engine.js';
import { silentLog, type Log } from './log.js';
import { fireDue, SWEEP_ORDER } from './timeouts.js';
import type { Timer, Timers } from './timers.js';

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
/** How many timeouts of a kind fire in one slice. */
const SLICE = 100;
/** The longest pause between two looks at the timeouts, in ms: nothing depends on a single wake-up. */
const TICK = 1_000;
/** A pause this much longer than asked for, in ms, is a stall: holders could not heartbeat. */
const STALL = 1_500;
/** How long after a start or a stall no lease is lost, in ms. */
const LEASE_GRACE = 10_000;
/** How often old unblocks are looked for, in ms, and how many are dropped in one transaction. */
const RETENTION_INTERVAL = 60_000;
const RETENTION_SLICE = 1_000;

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
  /** Timeouts whose handler failed: left alone, so that they do not stand in front of the rest for ever. */
  readonly #poisoned = new Set<string>();
  #queue: Job[] = [];
  #batchScheduled = false;
  #state: 'running' | 'stopping' | 'failed' = 'running';
  #tick: Timer | undefined;
  #tickAt = 0;
  #slicePending = false;
  #firing: DueTimeout | undefined;
  #aliveAt: number;
  #graceUntil: number;
  #retentionAt: number;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log ?? silentLog;
    this.#aliveAt = this.#clock.monotonic();
    this.#graceUntil = this.#aliveAt + LEASE_GRACE;
    this.#retentionAt = this.#aliveAt;
  }

  /** Starts to fire timeouts by the clock. */
  start(): void {
    this.#armTick(0);
  }

  now(): number {
    return this.#clock.now();
  }

  onCommit(listener: (changes: readonly Change[]) => void): void {
    this.#listeners.push(listener);
  }

  async submit<N extends OperationName>(operation: Operation<N>, options: SubmitOptions = {}): Promise<OutcomeOf<N>> {
    if (isRead(operation.name)) {
      const now = this.#readInstant();
      const outcome = this.#store.read((tx) =>
        wouldProject(tx, operation, now) ? undefined : execute(tx, operation, now),
      );
      if (outcome !== undefined) return outcome;
    }
    return this.#enqueue((tx, now) => execute(tx, operation, now), options.isCancelled);
  }

  async acknowledgeUnblocks(unblocks: readonly { promiseId: string; address: string }[]): Promise<void> {
    await this.#enqueue((tx) => {
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
        fireDue(this.#store, tx, kind, now, { limit: Infinity, leases: true, retries: true, onFire: () => true }),
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
    this.#tick?.cancel();
    await this.#drained();
  }

  async #drained(): Promise<void> {
    while (this.#queue.length > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  #enqueue<T>(work: (tx: StoreTx, now: number) => T, isCancelled?: () => boolean): Promise<T> {
    if (this.#state !== 'running') return Promise.reject(new EngineError('draining', 'the server is stopping'));
    if (this.#queue.length >= MAX_QUEUED) {
      return Promise.reject(new EngineError('overloaded', `${MAX_QUEUED} requests are waiting already`));
    }
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
      this.#noteStall();
      this.#runBatch();
      if (this.#queue.length > 0) this.#scheduleBatch();
    });
  }

  #runBatch(): void {
    let batch = this.#takeBatch();
    while (batch.length > 0) {
      let current: Job | undefined;
      try {
        const { result: answers, changes } = this.#transact(batch, (job) => (current = job));
        // What did not fit into the time of a batch stays in front of the queue.
        this.#queue.unshift(...batch.slice(answers.length));
        this.#publish(changes);
        answers.forEach((answer, i) => batch[i]?.resolve(answer));
        return;
      } catch (error) {
        if (error instanceof StoreError || current === undefined) return this.#commitFailed(error, batch);
        // The transaction is undone. The other jobs are deterministic: they run again without the faulty one.
        const faulty = current;
        faulty.reject(this.#fault(error));
        batch = batch.filter((job) => job !== faulty);
      }
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
    this.#hastenTick();
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
    const timeout = this.#firing;
    this.#firing = undefined;
    if (timeout !== undefined) this.#poisoned.add(poisonKey(timeout));
    this.#log.error({ err: error, ...(timeout && { timeout }) }, 'an operation failed; it was rolled back');
    return new EngineError('fault', 'a fault in the server; its cause is in the server log', { cause: error });
  }

  #commitFailed(error: unknown, batch: readonly Job[]): void {
    this.#firing = undefined;
    if (error instanceof StoreError && error.kind === 'full') {
      this.#log.error({ err: error }, 'the disk is full');
      for (const job of batch) job.reject(new EngineError('storage_full', 'the disk of the server is full'));
      return;
    }
    for (const job of batch) job.reject(new EngineError('fault', 'the store failed', { cause: error }));
    this.#state = 'failed';
    for (const job of this.#queue) job.reject(new EngineError('draining', 'the store failed'));
    this.#queue = [];
    this.#tick?.cancel();
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
      if (error instanceof StoreError && error.kind === 'full') return this.#clock.mark;
      throw error;
    }
  }

  #armTick(ms: number): void {
    this.#tick?.cancel();
    if (this.#state !== 'running') return;
    const pause = Math.min(ms, TICK);
    this.#tickAt = this.#clock.monotonic() + pause;
    this.#tick = this.#options.timers.after(pause, () => this.#onTick());
  }

  /** A transaction may have armed a timeout that is due before the next look. */
  #hastenTick(): void {
    if (this.#slicePending || this.#clock.isManual) return;
    const dueAt = this.#store.earliestTimeout();
    if (dueAt === undefined) return;
    const wait = Math.max(0, dueAt - this.#clock.now());
    // Not for what is overdue already: a slice has just left it alone, or the tick is on its way.
    if (wait > 0 && this.#clock.monotonic() + wait < this.#tickAt) this.#armTick(wait);
  }

  #onTick(): void {
    this.#noteStall();
    this.#dropOldUnblocks();
    const dueAt = this.#clock.isManual ? undefined : this.#store.earliestTimeout();
    const wait = dueAt === undefined ? TICK : Math.max(0, dueAt - this.#clock.now());
    if (this.#slicePending) return this.#armTick(TICK);
    if (wait > 0) return this.#armTick(wait);

    // Queued like a request: what was received before it, heartbeats above all, runs before it.
    this.#slicePending = true;
    const leases = this.#clock.monotonic() >= this.#graceUntil;
    this.#enqueue((tx, now) => this.#slice(tx, now, leases)).then(
      (fired) => this.#sliceDone(fired > 0),
      () => this.#sliceDone(false),
    );
  }

  #sliceDone(progress: boolean): void {
    this.#slicePending = false;
    // Nothing fired although something is due: leases in their grace, or a poisoned timeout.
    this.#armTick(progress ? 0 : TICK / 10);
  }

  #slice(tx: StoreTx, now: number, leases: boolean): number {
    let fired = 0;
    const onFire = (timeout: DueTimeout): boolean => {
      this.#firing = timeout;
      return !this.#poisoned.has(poisonKey(timeout));
    };
    // What is left alone still fills its place in a page of due timeouts.
    const limit = SLICE + this.#poisoned.size;
    for (const kind of SWEEP_ORDER) {
      const waiting = kind === 'task' && !leases ? 10 * SLICE : limit;
      fired += fireDue(this.#store, tx, kind, now, { limit: waiting, leases, retries: false, onFire });
    }
    this.#firing = undefined;
    return fired;
  }

  /** After a start or a stall the holders of leases get their chance to heartbeat before any lease is lost. */
  #noteStall(): void {
    const now = this.#clock.monotonic();
    if (now - this.#aliveAt > TICK + STALL) {
      this.#graceUntil = now + LEASE_GRACE;
      this.#log.warn({ ms: Math.round(now - this.#aliveAt) }, 'the process stood still; no lease is lost for 10 s');
    }
    this.#aliveAt = now;
  }

  #dropOldUnblocks(): void {
    const now = this.#clock.monotonic();
    if (now < this.#retentionAt) return;
    this.#retentionAt = now + RETENTION_INTERVAL;
    const { unblockRetention } = this.#options;
    this.#enqueue((tx, at) => tx.deleteUnblocksBefore(at - unblockRetention, RETENTION_SLICE)).then(
      (dropped) => {
        if (dropped > 0) this.#log.warn({ dropped }, 'dropped unblocks that nobody acknowledged within the retention');
        if (dropped === RETENTION_SLICE) this.#retentionAt = 0;
      },
      () => {},
    );
  }
}

function poisonKey({ kind, id, dueAt }: DueTimeout): string {
  return `${kind}\0${dueAt}\0${id}`;
}
