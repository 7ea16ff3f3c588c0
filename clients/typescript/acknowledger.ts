import { sleep } from './clock.js';
import type { ResonateClient } from './client.js';
import type { UnblockRef } from './gen/resonate_grpc/v1/dispatch.js';
import type { Log } from './log.js';

/** So many are acknowledged in one call, at the most: with the longest ids and addresses it is still within the limit of a request. */
const MOST_UNBLOCKS = 1_000;

/** How long the last ones may take, in ms. */
const FAREWELL_MS = 2_000;

/**
 * Acknowledges unblocks, all those of one turn together. If that fails, the server sends them again on the next stream, and
 * they are acknowledged then.
 */
export class Acknowledger {
  #waiting: UnblockRef[] = [];
  #sent: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: ResonateClient,
    private readonly log: Log,
  ) {}

  /** Returns at once. */
  acknowledge(ref: UnblockRef): void {
    this.#waiting.push(ref);
    if (this.#waiting.length === 1)
      this.#sent = Promise.all([this.#sent, Promise.resolve().then(() => this.#flush())]).then(() => {});
  }

  /** Waits until what was acknowledged has arrived, for a moment: whoever calls this is about to close the client. */
  async finish(): Promise<void> {
    const arrived = new AbortController();
    void this.#sent.then(() => arrived.abort());
    await sleep(this.client.clock, FAREWELL_MS, arrived.signal);
  }

  async #flush(): Promise<void> {
    const unblocks = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < unblocks.length; i += MOST_UNBLOCKS) await this.#send(unblocks.slice(i, i + MOST_UNBLOCKS));
  }

  async #send(unblocks: UnblockRef[]): Promise<void> {
    try {
      await this.client.dispatchAcknowledge({ unblocks });
    } catch (error) {
      this.log.warn({ err: error, count: unblocks.length }, 'unblocks were not acknowledged');
    }
  }
}
