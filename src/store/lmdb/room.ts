import { statfsSync } from 'node:fs';
import { StoreError } from '../store.js';

/** What the system says about the disk of a path: its blocks, those still to be had, and the bytes of one. */
export type LookAtDisk = (path: string) => {
  readonly blocks: number;
  readonly bavail: number;
  readonly bsize: number;
};

/** More than LMDB writes between two looks, in bytes; on a small disk a tenth of it. */
const LEAST_ROOM_BYTES = 32 * 1024 ** 2;
/** How old a look may be, in ms. */
const LOOK_INTERVAL = 20;

/**
 * Sees to it that LMDB does not meet a full disk: when the system refuses a write, lmdb-js (3.5.6) formats its message into too
 * short a buffer, and the process may abort. A quota, or a limit of the file's size, is not seen from here.
 */
export class Room {
  readonly #directory: string;
  readonly #look: LookAtDisk;
  readonly #now: () => number;
  #lookedAt = -Infinity;

  constructor(directory: string, look: LookAtDisk = statfsSync, now = () => performance.now()) {
    this.#directory = directory;
    this.#look = look;
    this.#now = now;
  }

  /** Throws a `StoreError` of kind `full` if there is hardly any room left on the disk. */
  check(): void {
    const now = this.#now();
    if (now - this.#lookedAt < LOOK_INTERVAL) return;
    const { bavail, blocks, bsize } = this.#look(this.#directory);
    const least = Math.min(LEAST_ROOM_BYTES, (blocks * bsize) / 10);
    if (bavail * bsize < least) throw new StoreError('full', `hardly any room left on the disk of ${this.#directory}`);
    this.#lookedAt = now;
  }
}
