/** The messages of one kind, over all groups that somebody is connected to. */
import type { Queue } from '../store/store.js';
import type { Entry, Row } from './feed.js';
import { Lane, type LaneOptions, type Match, type Recipient } from './lane.js';

export type LanesOptions<R extends Row, T extends Recipient> = Omit<LaneOptions<R, T>, 'index'>;

/** Groups take turns, so that a long queue in one does not hold up the others. */
export class Lanes<R extends Row, T extends Recipient> {
  readonly #options: LanesOptions<R, T>;
  readonly #index = new Map<string, Entry<R>>();
  readonly #lanes = new Map<string, Lane<R, T>>();
  /** The lanes in which `next` may find something. */
  readonly #dirty = new Set<Lane<R, T>>();

  constructor(options: LanesOptions<R, T>) {
    this.#options = options;
  }

  /** How many rows are in memory. */
  get size(): number {
    return this.#index.size;
  }

  /** Whether a further step may find something. */
  get isDirty(): boolean {
    return this.#dirty.size > 0;
  }

  find(key: string): Entry<R> | undefined {
    return this.#index.get(key);
  }

  join(recipient: T): void {
    const { group } = recipient;
    let lane = this.#lanes.get(group);
    if (lane === undefined) {
      const created = new Lane<R, T>(group, {
        ...this.#options,
        index: this.#index,
        changed: () => this.#touch(created),
      });
      lane = created;
      this.#lanes.set(group, lane);
    }
    lane.join(recipient);
  }

  /** What was taken for the recipient has been given back. */
  leave(recipient: T): void {
    const lane = this.#lanes.get(recipient.group);
    lane?.leave(recipient);
    if (lane?.isEmpty !== true) return;
    this.#lanes.delete(recipient.group);
    this.#dirty.delete(lane);
  }

  /** The recipient's room may have changed. */
  refresh(recipient: T): void {
    this.#lanes.get(recipient.group)?.refresh(recipient);
  }

  /** A row is in the outbox that is not in memory. */
  announce(queue: Queue, row: R): void {
    this.#lanes.get(queue.group)?.announce(queue, row);
  }

  /** Reads every queue again. */
  rescan(): void {
    for (const lane of this.#lanes.values()) lane.rescan();
  }

  /** Takes a message from the group whose turn it is. One bounded step: it may find nothing and still be dirty. */
  step(): Match<R, T> | undefined {
    const [lane] = this.#dirty;
    if (lane === undefined) return undefined;
    this.#dirty.delete(lane);
    const match = lane.next();
    // Reading marks the lane as changed; what counts is whether it has come to rest.
    this.#dirty.delete(lane);
    if (match !== undefined || !lane.isSettled) this.#dirty.add(lane);
    return match;
  }

  #touch(lane: Lane<R, T>): void {
    if (this.#lanes.get(lane.group) !== lane) return;
    this.#dirty.add(lane);
    this.#options.changed();
  }
}
