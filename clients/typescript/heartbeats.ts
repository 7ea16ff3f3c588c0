import type { ResonateClient } from './client.js';
import type { Timer } from './clock.js';
import type { Lease } from './lease.js';
import type { Log } from './log.js';

/** So many tasks are renewed in one call, at the most: with the longest ids it is still within the limit of a request. */
const MOST_TASKS = 1_000;

/** Renews all leases of this process together, three times within each `ttlMs`. */
export class Heartbeats {
  readonly #leases = new Set<Lease>();
  readonly #intervalMs: number;
  #timer: Timer | undefined;

  constructor(
    private readonly client: ResonateClient,
    private readonly pid: string,
    ttlMs: number,
    private readonly log: Log,
  ) {
    this.#intervalMs = Math.max(1, ttlMs / 3);
  }

  /** Renews this one from now on. */
  add(lease: Lease): void {
    this.#leases.add(lease);
    if (!this.#timer) this.#arm();
  }

  /** Leaves this one alone from now on. */
  remove(lease: Lease): void {
    this.#leases.delete(lease);
    if (this.#leases.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Renews now. Never throws: a lease that cannot be renewed ends by itself. */
  async beat(): Promise<void> {
    const leases = [...this.#leases];
    const calls: Promise<void>[] = [];
    for (let i = 0; i < leases.length; i += MOST_TASKS) calls.push(this.#renew(leases.slice(i, i + MOST_TASKS)));
    await Promise.all(calls);
  }

  async #renew(leases: readonly Lease[]): Promise<void> {
    const sentAt = this.client.clock.now();
    try {
      const tasks = leases.map(({ task }) => task);
      await this.client.taskHeartbeat({ pid: this.pid, tasks }, { deadlineMs: this.#intervalMs });
      for (const lease of leases) lease.renew(sentAt);
    } catch (error) {
      this.log.warn({ err: error, tasks: leases.length }, 'heartbeat failed');
    }
  }

  #arm(): void {
    const timer = this.client.clock.after(this.#intervalMs, () => {
      void this.beat().then(() => {
        if (this.#timer === timer) this.#arm();
      });
    });
    this.#timer = timer;
  }
}
