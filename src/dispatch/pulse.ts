/** The heartbeat of a session: pings, and the end of one whose client has stopped reading. */
import type { Timer, Timers } from '../engine/timers.js';
import type { SessionStream } from './session-stream.js';

export interface PulseOptions {
  readonly stream: SessionStream;
  readonly timers: Timers;
  /** How often a ping comes at the least, in ms. */
  readonly interval: number;
  /** How many intervals may pass with something unsent and nothing written. */
  readonly stalledIntervals: number;
  /** 0 up to 1, for the jitter. */
  readonly random: () => number;
  readonly onStall: () => void;
}

/**
 * A ping is a frame of data: proxies cut streams that carry none. It proves the path from here to the client, never that the
 * client is alive.
 */
export class Pulse {
  readonly #options: PulseOptions;
  #timer: Timer | undefined;
  #silentIntervals = 0;
  #wasUnsent = false;
  #progressed = false;

  constructor(options: PulseOptions) {
    this.#options = options;
    this.#arm();
  }

  /** The transport has taken a frame. */
  progress(): void {
    this.#progressed = true;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    const { timers, interval, random } = this.#options;
    // Never later than promised; earlier by chance, so that many sessions do not ping in step.
    this.#timer = timers.after(interval * (1 - random() / 5), () => this.#beat());
  }

  #beat(): void {
    const { stream, stalledIntervals, onStall } = this.#options;
    const isUnsent = stream.unsentFrames > 0;
    this.#silentIntervals = isUnsent && this.#wasUnsent && !this.#progressed ? this.#silentIntervals + 1 : 0;
    this.#wasUnsent = isUnsent;
    this.#progressed = false;
    if (this.#silentIntervals >= stalledIntervals) {
      this.#timer = undefined;
      onStall();
      return;
    }
    // Behind unsent frames a ping would come no sooner than they do.
    if (!isUnsent) stream.send([{ kind: 'ping' }]);
    this.#arm();
  }
}
