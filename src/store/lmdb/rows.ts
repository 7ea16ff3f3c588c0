import type { RootDatabase } from 'lmdb';
import { numberBytes, readNumber } from './keys.js';

export type Database = RootDatabase<Buffer, Buffer>;

export interface Row {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * Reads and writes rows, in the transaction that is open. What it returns is the caller's own, never LMDB's mapped pages.
 * An iteration must be finished in the same turn, since it holds a snapshot; and before any row of its range is written.
 */
export class Rows {
  readonly #db: Database;
  readonly #writable: boolean;

  constructor(db: Database, writable: boolean) {
    this.#db = db;
    this.#writable = writable;
  }

  get(key: Buffer): Buffer | undefined {
    return this.#db.getBinary(key);
  }

  has(key: Buffer): boolean {
    return this.#db.doesExist(key);
  }

  getNumber(key: Buffer): number | undefined {
    const bytes = this.get(key);
    return bytes === undefined ? undefined : readNumber(bytes);
  }

  put(key: Buffer, value: Buffer): void {
    this.#mustBeWritable();
    this.#db.putSync(key, value);
  }

  putNumber(key: Buffer, value: number): void {
    this.put(key, numberBytes(value));
  }

  /** False if there was none. */
  remove(key: Buffer): boolean {
    this.#mustBeWritable();
    return this.#db.removeSync(key);
  }

  /** Every row. Not undone by itself, but with its transaction. */
  removeAll(): void {
    this.#mustBeWritable();
    this.#db.clearSync();
  }

  /** The rows with start <= key < end, in order. */
  range(start: Buffer, end: Buffer, limit = Infinity): Iterable<Row> {
    return this.#db.getRange({ start, end, limit });
  }

  first(start: Buffer, end: Buffer): Row | undefined {
    for (const row of this.range(start, end, 1)) return row;
    return undefined;
  }

  // Outside a transaction lmdb would write by one of its own.
  #mustBeWritable(): void {
    if (!this.#writable) throw new Error('a read has written');
  }
}
