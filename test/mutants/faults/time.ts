/** Faults of time: a clock that goes back, and timeouts that fire too early, too late or never. */
import type { Fault } from './fault.js';

const WRITER = 'src/engine/writer.ts';
const SWEEPER = 'src/engine/sweeper.ts';
const CLOCK = 'src/engine/clock.ts';

export const timeFaults: readonly Fault[] = [
  {
    name: 'clock goes back over a restart',
    harm: 'A promise that was shown as timed out is pending again, and somebody settles it otherwise.',
    file: CLOCK,
    text: 'Math.max(this.#floor, Math.floor(this.#base + this.#monotonic()))',
    replacement: 'Math.floor(this.#base + this.#monotonic())',
    foundBy: ['engine/clock', 'does not go below the mark after a restart'],
  },
  {
    name: 'mark not stored',
    harm: 'The same: the clock has nothing to start from.',
    file: WRITER,
    text: 'if (mark !== undefined) tx.setClockMark(mark);',
    replacement: '',
    foundBy: ['engine/writer', 'keeps the mark ahead of every instant that it answered with'],
  },
  {
    name: 'mark taken for stored before the commit',
    harm: 'The same, after a full disk: the instants that follow are thought to be covered.',
    file: WRITER,
    text: 'mark = this.#clock.reservation(now) ?? mark;',
    replacement: 'mark = this.#clock.reservation(now) ?? mark; if (mark !== undefined) this.#clock.reserved(mark);',
    foundBy: ['engine/writer', 'has reserved no time with a commit that failed'],
  },
  {
    name: 'instants of reads not covered by the mark',
    harm: 'The same, for what only a read has shown.',
    file: WRITER,
    text: 'const now = this.#readInstant();',
    replacement: 'const now = this.#clock.now();',
    foundBy: ['engine/writer', 'are covered by the mark'],
  },
  {
    name: 'jumps of the wall clock followed',
    harm: 'When an operator sets the clock, every lease and deadline fires, or none.',
    file: CLOCK,
    text: 'options.monotonic ?? (() => performance.now())',
    replacement: 'options.wall ?? Date.now',
    foundBy: ['engine/clock', 'follows the monotonic clock, and no jump of the wall clock'],
  },
  {
    name: 'lease fired before the heartbeat that was queued before',
    harm: 'A worker that is alive and in time loses its task to another.',
    file: SWEEPER,
    text: `this.#slicePending = true;
    setImmediate(() => {`,
    replacement: `this.#slicePending = true;
    [0].forEach(() => {`,
    foundBy: ['engine/sweeper', 'let a heartbeat that was received first keep its lease'],
  },
  {
    name: 'no grace after a start',
    harm: 'After a restart of the server every worker loses its tasks before it can say that it lives.',
    file: SWEEPER,
    text: 'this.#graceUntil = this.#aliveAt + LEASE_GRACE;',
    replacement: 'this.#graceUntil = this.#aliveAt;',
    foundBy: ['engine/sweeper', 'take no lease within 10 s of a start'],
  },
  {
    name: 'no grace after a stall',
    harm: 'After a machine was suspended every worker loses its tasks.',
    file: SWEEPER,
    text: 'this.#graceUntil = now + LEASE_GRACE;',
    replacement: '',
    foundBy: ['engine/sweeper', 'take no lease within 10 s of a stall'],
  },
  {
    name: 'grace asked for when the slice is queued',
    harm: 'A slice that has waited through the stall takes every lease.',
    file: SWEEPER,
    text: `const slice = this.#options.enqueue((tx, now) => this.#slice(tx, now));`,
    replacement: `
      const until = this.#graceUntil;
      const slice = this.#options.enqueue((tx, now) => {
        this.#graceUntil = until;
        return this.#slice(tx, now);
      });`,
    foundBy: ['engine/sweeper', 'take no lease in a slice that waited through the stall'],
  },
  {
    name: 'slice that is not followed by another',
    harm: 'After the first hundred timeouts none fires any more.',
    file: SWEEPER,
    text: 'this.#armTick(progress ? 0 : SLICE_PAUSE);',
    replacement: '',
    foundBy: ['engine/sweeper', 'fire in any number'],
  },
  {
    name: 'timeouts of transactions without changes missed',
    harm: 'A timer fires up to a second late.',
    file: WRITER,
    text: `this.#sweeper.hasten();
    if (changes.length === 0) return;`,
    replacement: `if (changes.length === 0) return;
    this.#sweeper.hasten();`,
    foundBy: ['engine/sweeper', 'fire at their instant for a timer too'],
  },
  {
    name: 'no look at the timeouts without a wake-up',
    harm: 'One lost wake-up, and timeouts stand still for as long as nobody calls.',
    file: SWEEPER,
    text: 'const pause = Math.min(ms, TICK);',
    replacement: 'const pause = ms;',
    foundBy: ['engine/sweeper', 'fire though no transaction has told of them'],
  },
  {
    name: 'no look at the timeouts while there are none',
    harm: 'The same, on a server that has been idle.',
    file: SWEEPER,
    text: 'const wait = dueAt === undefined ? TICK :',
    replacement: 'if (dueAt === undefined) return;\n    const wait =',
    foundBy: ['engine/sweeper', 'fire at their instant for a timer too'],
  },
  {
    name: 'idle server that sleeps through its own work',
    harm: 'A server that nobody calls fires nothing and pushes nothing.',
    file: 'src/engine/timers.ts',
    text: 'const immediate = setImmediate(callback);',
    replacement: 'const immediate = setImmediate(callback).unref();',
    foundBy: ['engine/timers', 'call back at once in a process that is idle'],
  },
  {
    name: 'broken record in front of all others',
    harm: 'One record that cannot be read, and no timeout fires any more.',
    file: SWEEPER,
    text: 'this.#poison(error);',
    replacement: '',
    foundBy: ['engine/sweeper', 'pass over one whose record is broken'],
  },
  {
    name: 'unblocks dropped before their retention is over',
    harm: 'A caller that was away for a minute is never told of the outcome.',
    file: SWEEPER,
    text: 'tx.deleteUnblocksBefore(at - unblockRetention, RETENTION_SLICE)',
    replacement: 'tx.deleteUnblocksBefore(at, RETENTION_SLICE)',
    foundBy: ['engine/sweeper', 'drops unblocks that nobody acknowledged within the retention'],
  },
];
