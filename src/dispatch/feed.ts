/** The part of one queue of the outbox that is in memory. */
import { parseAddress } from '../protocol/address.js';
import { Heap } from './heap.js';

/** A message in the outbox. */
export interface Row {
  /** Smaller is older. */
  readonly position: number;
  readonly address: string;
}

/** A row that is in memory: ready to be taken, or taken. */
export class Entry<R extends Row> {
  /** The member that an `any` address prefers. */
  readonly preferred: string | undefined;
  /** Its place in memory: the row's position, unless it was deferred. */
  order: number;

  constructor(
    /** What the row is about, unique among all rows of its kind. */
    readonly key: string,
    readonly row: R,
    readonly feed: Feed<R>,
  ) {
    const address = parseAddress(row.address);
    this.preferred = address.kind === 'any' ? address.preferred : undefined;
    this.order = row.position;
  }
}

/** What a feed needs to know. */
export interface FeedOptions<R extends Row> {
  /** Reads the queue: rows with a position greater than `after`, oldest first. */
  readonly read: (after: number, limit: number) => readonly R[];
  readonly keyOf: (row: R) => string;
  /** Every entry of this kind in memory, by key: the feed keeps its own in it. */
  readonly index: Map<string, Entry<R>>;
  /** How many rows are read at a time, and wait in memory unread by anybody. */
  readonly pageSize: number;
  /** Called after what is ready, or whether there is more to read, may have changed. */
  readonly changed: () => void;
}

/**
 * A window on a queue that may be far larger. Every row up to the cursor is in memory, ready or taken; beyond it, rows stay
 * in the store until somebody has room for them. Nothing here is the only copy of anything.
 */
export class Feed<R extends Row> {
  readonly #options: FeedOptions<R>;
  #cursor = -1;
  /** The largest position that was ever read. */
  #newest = -1;
  #complete = false;
  readonly #ready = new Heap<Entry<R>>(
    (a, b) => a.order < b.order || (a.order === b.order && a.row.position < b.row.position),
  );
  readonly #entries = new Set<Entry<R>>();

  constructor(options: FeedOptions<R>) {
    this.#options = options;
  }

  /** The oldest ready entry in memory. */
  head(): Entry<R> | undefined {
    return this.#ready.peek();
  }

  /** Whether `load` could find something: nothing is ready, and the store may hold more. */
  get unread(): boolean {
    return !this.#complete && this.#ready.size === 0;
  }

  /** Reads one page. */
  load(): void {
    const { read, keyOf, index, pageSize } = this.#options;
    const rows = read(this.#cursor, pageSize);
    for (const row of rows) {
      this.#advanceTo(row.position);
      if (!index.has(keyOf(row))) this.#add(row);
    }
    this.#complete = rows.length < pageSize;
    this.#options.changed();
  }

  /** Reads the queue again from its start, skipping what is in memory. */
  rescan(): void {
    this.#cursor = -1;
    this.#complete = false;
    this.#options.changed();
  }

  /** A row is in the queue that is not in memory. */
  announce(row: R): void {
    // Beyond the cursor it may be kept only if nothing unread lies between, and is kept only if few are waiting.
    if (row.position <= this.#cursor || (this.#complete && this.#ready.size < this.#options.pageSize)) {
      this.#advanceTo(Math.max(this.#cursor, row.position));
      this.#add(row);
    } else {
      this.#complete = false;
    }
    this.#options.changed();
  }

  /** Takes a ready entry. */
  take(entry: Entry<R>): void {
    this.#ready.remove(entry);
    this.#options.changed();
  }

  /** Makes a taken entry ready again, at its old place; one that was dropped stays dropped. */
  giveBack(entry: Entry<R>): void {
    if (!this.#entries.has(entry)) return;
    this.#ready.put(entry);
    this.#options.changed();
  }

  /**
   * Makes a taken entry ready again, behind what is ready now, or else behind one page: nobody wanted it, and it must not
   * stand in the way of others for ever, nor they in its.
   */
  defer(entry: Entry<R>): void {
    if (!this.#entries.has(entry)) return;
    const head = this.head();
    if (!this.#complete && (head === undefined || head.order > this.#newest)) this.load();
    entry.order = this.#newest + 0.5;
    this.giveBack(entry);
  }

  /** The row has left the queue. */
  drop(entry: Entry<R>): void {
    if (!this.#entries.delete(entry)) return;
    this.#options.index.delete(entry.key);
    if (this.#ready.remove(entry)) this.#options.changed();
  }

  /** Nobody is left to take anything: everything is forgotten. */
  close(): void {
    for (const entry of this.#entries) this.#options.index.delete(entry.key);
    this.#entries.clear();
  }

  #advanceTo(position: number): void {
    this.#cursor = position;
    this.#newest = Math.max(this.#newest, position);
  }

  #add(row: R): void {
    const entry = new Entry(this.#options.keyOf(row), row, this);
    this.#options.index.set(entry.key, entry);
    this.#entries.add(entry);
    this.#ready.put(entry);
  }
}
