import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { Random } from '../support/random.js';
import { Stubs } from '../support/stubs.js';
import type { Acknowledged } from './acknowledged.js';
import { Calls, GROUP, Interrupted } from './calls.js';
import { live } from './lives.js';

export interface LoadOptions {
  readonly address: string;
  /** Distinguishes the ids of this load. */
  readonly name: string;
  readonly seed: number;
  readonly acknowledged: Acknowledged;
  /** How many lives are lived at one time, each with one call under way. */
  readonly concurrency: number;
}

/** Lives of promises and tasks, many at a time, until the server dies. */
export class Load {
  readonly #options: LoadOptions;
  readonly #calls: Calls;
  #lives = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#calls = new Calls(new Stubs(options.address), options.acknowledged);
  }

  /** Resolves when the server has died, with the number of calls that were under way. */
  async run(): Promise<number> {
    const { address, acknowledged, concurrency, name } = this.#options;
    const watcher = DispatchRecorder.open(address, { group: GROUP, pid: `watcher-${name}`, maxInFlight: 10_000 });
    const interrupted = await Promise.all(Array.from({ length: concurrency }, () => this.#lane()));
    await watcher.ended;
    for (const { taskId, version } of watcher.executes) acknowledged.pushed(taskId, version);
    for (const { promise } of watcher.unblocks) acknowledged.reported(promise!);
    watcher.close();
    this.#calls.stubs.close();
    return interrupted.filter(Boolean).length;
  }

  /** One life after the other. Says whether a call was under way at the end. */
  async #lane(): Promise<boolean> {
    for (;;) {
      const number = this.#lives++;
      const id = `${this.#options.name}-${number}`;
      try {
        await live(this.#calls, id, new Random(this.#options.seed + number * 7919));
      } catch (error) {
        if (error instanceof Interrupted) return true;
        this.#options.acknowledged.refused([id], String(error));
        return false;
      }
    }
  }
}
