import { promiseTimeout, scheduleTimeout, taskLease, taskRetry } from '../protocol/actions/02-timeouts.js';
import { compareIds } from '../protocol/objects.js';
import type { Tx } from '../protocol/tx.js';
import { StoreError, type DueTimeout, type Store, type TimeoutKind } from '../store/store.js';

export interface FireOptions {
  /** How many timeouts fire at the most; an instant of a schedule counts as one. */
  readonly limit: number;
  /** Whether leases may be lost: not while their holders get their chance to heartbeat. */
  readonly leases: boolean;
  /** Fire plain retries too, as the model does. Visits all tasks. */
  readonly retries: boolean;
  /** Asked before each: false leaves it alone. */
  readonly mayFire: (timeout: DueTimeout) => boolean;
}

/** A timeout whose transition failed. The transaction must be undone. */
export class TimeoutFault extends Error {
  constructor(
    readonly timeout: DueTimeout,
    options: ErrorOptions,
  ) {
    super(`the timeout of ${timeout.kind} ${JSON.stringify(timeout.id)} failed`, options);
    this.name = 'TimeoutFault';
  }
}

/** The order of a sweep (SPEC "Due timeouts first"). */
export const SWEEP_ORDER: readonly TimeoutKind[] = ['schedule', 'promise', 'task'];

/** Fires what is due of one kind, by (due, id bytes). Returns how many fired. Throws a `TimeoutFault`. */
export function fireDue(store: Store, tx: Tx, kind: TimeoutKind, now: number, options: FireOptions): number {
  let fired = 0;
  for (const timeout of dueTimeouts(store, kind, now, options)) {
    if (fired >= options.limit) break;
    if (!options.mayFire(timeout)) continue;
    try {
      fired += fire(tx, timeout, now, options, options.limit - fired);
    } catch (error) {
      throw error instanceof StoreError ? error : new TimeoutFault(timeout, { cause: error });
    }
  }
  return fired;
}

function fire(tx: Tx, { kind, id }: DueTimeout, now: number, { leases }: FireOptions, limit: number): number {
  switch (kind) {
    case 'schedule':
      return scheduleTimeout(tx, id, now, limit);
    case 'promise':
      return Number(promiseTimeout(tx, id, now));
    case 'task':
      return tx.getTask(id)?.state === 'acquired'
        ? Number(leases && taskLease(tx, id, now))
        : Number(taskRetry(tx, id, now));
  }
}

function dueTimeouts(store: Store, kind: TimeoutKind, now: number, options: FireOptions): readonly DueTimeout[] {
  const indexed = store.dueTimeouts(kind, now, options.limit);
  if (kind !== 'task' || !options.retries) return indexed;
  // The index holds leases and delays, the scan retries and delays: a delay that comes twice fires once.
  return [...indexed, ...store.dueRetries(now)].sort((a, b) => a.dueAt - b.dueAt || compareIds(a.id, b.id));
}
