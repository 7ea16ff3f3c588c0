/** One pending call, however often it is asked for. */
import type { Timer, Timers } from '../engine/timers.js';

/** Runs work in a later turn of the event loop, once per turn at most. */
export class Wakeup {
  readonly #timers: Timers;
  readonly #work: () => boolean;
  #timer: Timer | undefined;
  #running = false;
  #stopped = false;

  /** `work` answers whether there is more; what is asked for while it runs is its own doing. */
  constructor(timers: Timers, work: () => boolean) {
    this.#timers = timers;
    this.#work = work;
  }

  request(): void {
    if (this.#timer !== undefined || this.#running || this.#stopped) return;
    this.#timer = this.#timers.after(0, () => this.#run());
  }

  /** Nothing runs from now on. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #run(): void {
    this.#timer = undefined;
    this.#running = true;
    let more: boolean;
    try {
      more = this.#work();
    } finally {
      this.#running = false;
    }
    if (more) this.request();
  }
}
