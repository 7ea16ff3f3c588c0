import type { Clock } from './clock.js';

/** An exponential back-off, in ms. */
export interface Backoff {
  /** The longest first delay. */
  readonly initialMs: number;
  /** The longest delay of all. */
  readonly maxMs: number;
}

/** For calls and streams that met a server or a network in trouble. */
export const CALL_BACKOFF: Backoff = { initialMs: 100, maxMs: 5_000 };

/** For a task whose handler threw. */
export const ATTEMPT_BACKOFF: Backoff = { initialMs: 1_000, maxMs: 60_000 };

/**
 * The delay after `failures` earlier failures (from 0): doubled each time up to the longest, then cut by up to half at
 * random, so that many clients do not come back at the same instant, and none at once.
 */
export function backoffDelay(backoff: Backoff, failures: number, clock: Clock): number {
  const longest = Math.min(backoff.maxMs, backoff.initialMs * 2 ** failures);
  return longest * (1 - clock.random() / 2);
}
