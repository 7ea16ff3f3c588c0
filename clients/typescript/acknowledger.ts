import type { ResonateClient } from './client.js';
import type { UnblockRef } from './gen/resonate_grpc/v1/dispatch.js';
import type { Log } from './log.js';

/** So many are acknowledged in one call, at the most: with the longest ids and addresses it is still within the limit of a request. */
const MOST_UNBLOCKS = 1_000;

/**
 * Acknowledges unblocks, all those of one turn together. If that fails, the server sends them again on the next stream, and
 * they are acknowledged then.
 */
export class Acknowledger {
  #waiting: UnblockRef[] = [];

  constructor(
    private readonly client: ResonateClient,
    private readonly log: Log,
  ) {}

  /** Returns at once. */
  acknowledge(ref: UnblockRef): void {
    this.#waiting.push(ref);
    if (this.#waiting.length === 1) queueMicrotask(() => void this.#flush());
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
