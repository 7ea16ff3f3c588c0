import type { DueTimeout, Store, StoreTx } from '../store/store.js';
import type { Clock } from './clock.js';
import type { Log } from './log.js';
import { fireDue, SWEEP_ORDER, TimeoutFault } from './timeouts.js';
import type { Timer, Timers } from './timers.js';

/** How many timeouts of a kind fire in one slice. */
const SLICE = 100;
/** How many overdue tasks a slice looks at while no lease is lost: delayed tasks may stand behind leases. */
const SLICE_IN_GRACE = 10 * SLICE;
/** How long what is due and did not fire waits for the next slice, in ms. */
const SLICE_PAUSE = 100;
/** The longest pause between two looks at the timeouts, in ms: nothing depends on a single wake-up. */
const TICK = 1_000;
/** A pause this much longer than asked for, in ms, is a stall: holders could not heartbeat. */
const STALL = 1_500;
/** How long after a start or a stall no lease is lost, in ms. */
const LEASE_GRACE = 10_000;
/** How often old unblocks are looked for, in ms, and how many are dropped in one transaction. */
const RETENTION_INTERVAL = 60_000;
const RETENTION_SLICE = 1_000;

export interface SweeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** How long an unacknowledged unblock is kept, in ms. */
  readonly unblockRetention: number;
  /** Puts work into the writer's queue. */
  readonly enqueue: <T>(work: (tx: StoreTx, now: number) => T) => Promise<T>;
  /** The store cannot be read any more. */
  readonly onStoreFailure: (error: unknown) => void;
}

/** Fires timeouts by the clock, in slices that queue like requests, and drops what has been kept long enough. */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #clock: Clock;
  /** Timeouts whose transition failed: left alone, so that they do not stand in front of the rest for ever. */
  readonly #poisoned = new Set<string>();
  #isRunning = false;
  #tick: Timer | undefined;
  #tickAt = 0;
  #slicePending = false;
  #aliveAt: number;
  #graceUntil: number;
  #retentionAt: number;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#aliveAt = this.#clock.monotonic();
    this.#graceUntil = this.#aliveAt + LEASE_GRACE;
    this.#retentionAt = this.#aliveAt;
  }

  start(): void {
    this.#isRunning = true;
    this.#armTick(0);
  }

  stop(): void {
    this.#isRunning = false;
    this.#tick?.cancel();
  }

  /** A transaction may have armed a timeout that is due before the next look. */
  hasten(): void {
    if (this.#slicePending || this.#clock.isManual) return;
    const dueAt = this.#earliestTimeout();
    if (dueAt === undefined) return;
    const left = dueAt - this.#clock.now();
    // What is overdue fell due on its way to disk, or a slice has left it alone.
    const wait = left > 0 ? left : SLICE_PAUSE;
    if (this.#clock.monotonic() + wait < this.#tickAt) this.#armTick(wait);
  }

  /** The event loop turns. After a start or a stall the holders of leases get their chance to heartbeat before any is lost. */
  noteAlive(): void {
    const now = this.#clock.monotonic();
    const pause = now - this.#aliveAt;
    this.#aliveAt = now;
    if (pause <= TICK + STALL) return;
    this.#graceUntil = now + LEASE_GRACE;
    this.#options.log.warn({ ms: Math.round(pause) }, 'the process stood still; no lease is lost for 10 s');
  }

  #armTick(ms: number): void {
    this.#tick?.cancel();
    if (!this.#isRunning) return;
    const pause = Math.min(ms, TICK);
    this.#tickAt = this.#clock.monotonic() + pause;
    this.#tick = this.#options.timers.after(pause, () => this.#onTick());
  }

  #onTick(): void {
    this.noteAlive();
    this.#dropOldUnblocks();
    const dueAt = this.#clock.isManual ? undefined : this.#earliestTimeout();
    const wait = dueAt === undefined ? TICK : Math.max(0, dueAt - this.#clock.now());
    if (this.#slicePending) return this.#armTick(TICK);
    if (wait > 0) return this.#armTick(wait);

    // Queued like a request, after the poll phase: what was received before it, heartbeats above all, runs before it.
    this.#slicePending = true;
    setImmediate(() => {
      const slice = this.#options.enqueue((tx, now) => this.#slice(tx, now));
      slice.then(
        (fired) => this.#sliceDone(fired > 0),
        (error: unknown) => {
          this.#poison(error);
          this.#sliceDone(false);
        },
      );
    });
  }

  #sliceDone(progress: boolean): void {
    this.#slicePending = false;
    this.#armTick(progress ? 0 : SLICE_PAUSE);
  }

  #slice(tx: StoreTx, now: number): number {
    // Asked here and not at the tick: since then the clock may have been stopped by hand, or the process may have stood still.
    if (this.#clock.isManual) return 0;
    const leases = this.#clock.monotonic() >= this.#graceUntil;
    const mayFire = (timeout: DueTimeout) => !this.#poisoned.has(poisonKey(timeout));
    let fired = 0;
    for (const kind of SWEEP_ORDER) {
      // What is left alone still fills its place among what is due.
      const limit = (kind === 'task' && !leases ? SLICE_IN_GRACE : SLICE) + this.#poisoned.size;
      fired += fireDue(this.#options.store, tx, kind, now, { limit, leases, retries: false, mayFire });
    }
    return fired;
  }

  /** The writer has undone the slice, and logged why. */
  #poison(error: unknown): void {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof TimeoutFault) this.#poisoned.add(poisonKey(cause.timeout));
  }

  #earliestTimeout(): number | undefined {
    try {
      return this.#options.store.earliestTimeout();
    } catch (error) {
      this.#options.onStoreFailure(error);
      return undefined;
    }
  }

  #dropOldUnblocks(): void {
    const now = this.#clock.monotonic();
    if (now < this.#retentionAt) return;
    this.#retentionAt = now + RETENTION_INTERVAL;
    const { enqueue, log, unblockRetention } = this.#options;
    enqueue((tx, at) => tx.deleteUnblocksBefore(at - unblockRetention, RETENTION_SLICE)).then(
      (dropped) => {
        if (dropped > 0) log.warn({ dropped }, 'dropped unblocks that nobody acknowledged within the retention');
        if (dropped === RETENTION_SLICE) this.#retentionAt = 0;
      },
      () => {}, // Logged by the writer; the next interval tries again.
    );
  }
}

function poisonKey({ kind, id, dueAt }: DueTimeout): string {
  return `${kind}\0${dueAt}\0${id}`;
}
