/**
 * The server's clock. It never goes back: within a process it follows the monotonic clock, and over restarts it does not go
 * below a mark that the store keeps ahead of every instant that was used.
 */

import { addSaturating } from '../protocol/objects.js';

/** How far ahead of an instant in use the mark is kept, in ms, so that it is extended before it is reached. */
const RESERVE = 1_000;
/** How far a new mark is set ahead, in ms: under load the mark is written once in this less the reserve. */
const EXTENSION = 3_000;
/** A mark this far ahead of the wall clock, in ms, means that one of the two is wrong. */
const TOLERATED_LEAD = 60_000;

export interface ClockOptions {
  /** The stored mark: the floor. */
  readonly mark: number;
  /** Accept a mark more than a minute ahead of the wall clock, and run on from it. */
  readonly allowLead?: boolean | undefined;
  /** ms since the Unix epoch. */
  readonly wall?: (() => number) | undefined;
  /** ms, never going back. */
  readonly monotonic?: (() => number) | undefined;
}

/** The stored mark is too far ahead of the wall clock to start. */
export class ClockError extends Error {}

export class Clock {
  readonly #monotonic: () => number;
  readonly #floor: number;
  readonly #base: number;
  #mark: number;
  #manual: number | undefined;

  /** Throws a `ClockError` for a mark more than a minute ahead of the wall clock, unless `allowLead` is set. */
  constructor(options: ClockOptions) {
    const wall = (options.wall ?? Date.now)();
    this.#monotonic = options.monotonic ?? (() => performance.now());
    const lead = options.mark - wall;
    if (lead > TOLERATED_LEAD && options.allowLead !== true) {
      throw new ClockError(
        `the wall clock is ${Math.ceil(lead / 1000)} s behind the time that this data has seen ` +
          `(${readable(wall)} and ${readable(options.mark)}): ` +
          `set the clock right, or start with --allow-clock-lead to run on from the later one`,
      );
    }
    this.#floor = this.#mark = options.mark;
    // A small lead is waited out at the floor: running on from it would add to the lead at every restart.
    const start = lead > TOLERATED_LEAD ? options.mark : wall;
    this.#base = start - this.#monotonic();
  }

  /** Whole ms since the Unix epoch. Before an instant is used `reservation` must have been asked, and honoured. */
  now(): number {
    return this.#manual ?? Math.max(this.#floor, Math.floor(this.#base + this.#monotonic()));
  }

  /** ms that never stand still or jump, for measuring how long something took. */
  monotonic(): number {
    return this.#monotonic();
  }

  /** The mark that must be durable before `now` is used and answered, or undefined if the present one does. */
  reservation(now: number): number | undefined {
    return now > this.#floor && now + RESERVE > this.#mark ? addSaturating(now, EXTENSION) : undefined;
  }

  /** Tells that this mark is durable. */
  reserved(mark: number): void {
    this.#mark = mark;
  }

  /** The latest instant that may be used without a new reservation. */
  get mark(): number {
    return this.#mark;
  }

  /** Stops the clock at an instant, for the debug service. Not before the present one. */
  set(now: number): void {
    this.#manual = now;
  }

  /** Whether the clock moves only by `set`. */
  get isManual(): boolean {
    return this.#manual !== undefined;
  }
}

/** The debug service can set the clock beyond what a date can hold. */
function readable(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? `${instant} ms` : date.toISOString();
}
