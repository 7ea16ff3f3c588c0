/** The delivery of unblocks: at least once. */
import type { Engine } from '../engine/engine.js';
import type { Log } from '../engine/log.js';
import type { PromiseObject, Value } from '../protocol/objects.js';
import type { Queue, Store, UnblockRow } from '../store/store.js';
import type { DispatchConfig } from './config.js';
import type { Entry } from './feed.js';
import { Lanes } from './lanes.js';
import type { Session } from './session.js';

/** Which unblock. */
export interface UnblockRef {
  readonly promiseId: string;
  readonly address: string;
}

/** An unblock that was sent to a session and is not acknowledged. */
export interface SentUnblock {
  readonly entry: Entry<UnblockRow>;
  readonly session: Session;
  /** The size of its event, roughly. */
  readonly bytes: number;
}

export interface UnblocksOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly config: DispatchConfig;
  readonly log: Log;
  readonly changed: () => void;
}

/** How many bytes of a promise weigh as much in a slice as one message: large promises make small slices. */
const BYTES_PER_STEP = 4096;

/** A row stays in the outbox until it is acknowledged, by whomever; what a session leaves unacknowledged goes to another. */
export class Unblocks {
  readonly #options: UnblocksOptions;
  readonly #lanes: Lanes<UnblockRow, Session>;
  readonly #sent = new Map<string, SentUnblock>();
  /** Written to sessions that acknowledge by themselves, where the acknowledgement could not be stored. */
  #unstored: SentUnblock[] = [];

  constructor(options: UnblocksOptions) {
    this.#options = options;
    const { store, config, changed } = options;
    this.#lanes = new Lanes<UnblockRow, Session>({
      read: (queue, after, limit) => store.unblocks(queue, after, limit),
      keyOf,
      roomOf: (session) => session.unblockRoom(),
      pageSize: config.pageSize,
      changed,
    });
  }

  /** How many rows are in memory. */
  get size(): number {
    return this.#lanes.size;
  }

  get isDirty(): boolean {
    return this.#lanes.isDirty;
  }

  join(session: Session): void {
    this.#lanes.join(session);
  }

  /** What the session has not acknowledged goes to others. */
  leave(session: Session): void {
    for (const sent of [...session.unblocks]) {
      this.#forget(sent);
      sent.entry.feed.giveBack(sent.entry);
    }
    this.#lanes.leave(session);
  }

  /** Whether the session may get messages has changed. */
  refresh(session: Session): void {
    this.#lanes.refresh(session);
  }

  /** An unblock was sent: it is new, or is there already. */
  onUnblock(queue: Queue, row: UnblockRow): void {
    if (this.#lanes.find(keyOf(row)) === undefined) this.#lanes.announce(queue, row);
  }

  /** Resolves when they are out of the outbox, durably. */
  async acknowledge(refs: readonly UnblockRef[]): Promise<void> {
    await this.#options.engine.acknowledgeUnblocks(refs);
    for (const ref of refs) {
      const entry = this.#lanes.find(keyOf(ref));
      if (entry !== undefined) this.#drop(entry);
    }
  }

  /** These have been written to a session that acknowledges by itself. */
  autoAcknowledge(written: readonly SentUnblock[]): void {
    this.acknowledge(written.map(({ entry }) => entry.row)).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'unblocks could not be acknowledged, trying again later');
      this.#unstored.push(...written);
    });
  }

  /** Sends at most about `limit` unblocks, fewer if they are large. */
  deliver(limit: number): void {
    for (let steps = 0; steps < limit && this.#lanes.isDirty; steps++) {
      const match = this.#lanes.step();
      if (match !== undefined) steps += this.#send(match.entry, match.recipient) / BYTES_PER_STEP;
    }
  }

  /** Reads every queue again. */
  sweep(): void {
    this.#lanes.rescan();
    // What a session did not live to acknowledge has gone to another.
    const unstored = this.#unstored.filter((sent) => this.#sent.get(sent.entry.key) === sent);
    this.#unstored = [];
    if (unstored.length > 0) this.autoAcknowledge(unstored);
  }

  #send(entry: Entry<UnblockRow>, session: Session): number {
    const { address } = entry.row;
    const promise = this.#readPromise(entry);
    if (promise === undefined) return 0;
    const sent: SentUnblock = { entry, session, bytes: sizeOf(promise) };
    this.#sent.set(entry.key, sent);
    session.unblocks.add(sent);
    session.unblockBytes += sent.bytes;
    session.sendUnblock({ kind: 'unblock', promise, address }, sent);
    this.#lanes.refresh(session);
    return sent.bytes;
  }

  /** The promise as it is now. An unblock without one must not stand in the way of the others. */
  #readPromise(entry: Entry<UnblockRow>): PromiseObject | undefined {
    const { promiseId, address } = entry.row;
    let promise: PromiseObject | undefined;
    let err: unknown;
    try {
      promise = this.#options.store.read((tx) => tx.getPromise(promiseId));
    } catch (error) {
      err = error;
    }
    if (promise === undefined) {
      this.#options.log.error({ promiseId, address, err }, 'the promise of an unblock could not be read');
      // The next sweep finds it again.
      entry.feed.drop(entry);
    }
    return promise;
  }

  /** The session no longer has it; what happens to its row is the caller's. */
  #forget(sent: SentUnblock): void {
    const { entry, session, bytes } = sent;
    this.#sent.delete(entry.key);
    session.unblocks.delete(sent);
    session.unblockBytes -= bytes;
    this.#lanes.refresh(session);
  }

  #drop(entry: Entry<UnblockRow>): void {
    const sent = this.#sent.get(entry.key);
    if (sent !== undefined) this.#forget(sent);
    entry.feed.drop(entry);
  }
}

/** An id and an address hold no NUL. */
function keyOf({ promiseId, address }: UnblockRef): string {
  return `${promiseId}\0${address}`;
}

/** The size of a promise on the wire, roughly. */
function sizeOf({ id, param, value, tags }: PromiseObject): number {
  return 64 + id.length + sizeOfMap(tags) + sizeOfValue(param) + sizeOfValue(value);
}

function sizeOfValue({ headers, data }: Value): number {
  return sizeOfMap(headers) + (data?.byteLength ?? 0);
}

function sizeOfMap(map: ReadonlyMap<string, string>): number {
  let size = 0;
  for (const [key, value] of map) size += 8 + key.length + value.length;
  return size;
}
