import { open } from 'lmdb';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Config, Tx } from '../../protocol/tx.js';
import { prepareDataDirectory, reasonOf, syncDirectory } from '../data-directory.js';
import {
  StoreError,
  type Committed,
  type DueTimeout,
  type ExecuteRow,
  type Queue,
  type Snapshot,
  type Store,
  type StoreTx,
  type TimeoutKind,
  type UnblockRow,
} from '../store.js';
import { decodeFormat, encodeFormat, type Format } from './codec.js';
import { damageOf } from './data-file.js';
import { EntryCache } from './entry-cache.js';
import { storeErrorOf } from './errors.js';
import { after, FORMAT_KEY, META_PREFIX, OWNER_KEY } from './keys.js';
import { readExecutes, readUnblocks } from './outbox.js';
import { Room } from './room.js';
import { Rows, type Database } from './rows.js';
import { readDueRetries, readSnapshot } from './snapshot.js';
import { readDueTimeouts, readEarliestTimeout, readHeldTasks } from './timeout-index.js';
import { LmdbTx } from './tx.js';

export interface LmdbStoreOptions {
  /** The data directory. It is created if it does not exist. */
  readonly path: string;
  readonly config: Config;
}

/** The layout of `keys.ts` and `codec.ts`. Another version is another layout, which this code cannot read. */
const FORMAT: Format = { name: 'resonate-grpc', version: 2 };

/** Address space that is reserved, in bytes. A larger file is mapped anew by lmdb, which costs a moment and no more. */
const MAP_SIZE = 16 * 1024 ** 3;

/**
 * Opens the store in a data directory, and takes it over: whoever had it open before can write no more. Throws a
 * `StoreError` of one line if the directory or the data in it cannot be used.
 */
export function openLmdbStore({ path, config }: LmdbStoreOptions): LmdbStore {
  prepareDataDirectory(path);
  const dataFile = join(path, 'data.mdb');
  const db = openDatabase(path, dataFile);
  try {
    return new LmdbStore(db, dataFile, config);
  } catch (error) {
    void db.close();
    throw error;
  }
}

function openDatabase(path: string, dataFile: string): Database {
  try {
    const damage = damageOf(dataFile);
    if (damage !== undefined) throw new Error(damage);
    const db = open<Buffer, Buffer>({
      path,
      // lmdb takes a path with a dot in it for that of a file.
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      // With it, a commit returns and shows before it is on disk.
      overlappingSync: false,
      mapSize: MAP_SIZE,
      maxDbs: 1,
    });
    syncDirectory(path);
    return db;
  } catch (error) {
    throw new StoreError('unusable', `cannot open ${dataFile}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The store on disk. What `transact` returns is durable: LMDB has synced its pages, and then the header that points to them. */
export class LmdbStore implements Store {
  readonly #db: Database;
  readonly #dataFile: string;
  readonly #room: Room;
  readonly #config: Config;
  readonly #writing: Rows;
  readonly #reading: Rows;
  readonly #cache = new EntryCache();
  readonly #ownerKey = randomBytes(16);
  /** The transaction that is running: what it has set is written before a range is read, so that the range shows it. */
  #open: LmdbTx | undefined;

  /** Takes the database over, after checking that it is ours. */
  constructor(db: Database, dataFile: string, config: Config) {
    this.#db = db;
    this.#dataFile = dataFile;
    this.#room = new Room(dirname(dataFile));
    this.#config = config;
    this.#writing = new Rows(db, true);
    this.#reading = new Rows(db, false);
    this.#inTransaction(() => {
      this.#checkFormat();
      this.#writing.put(OWNER_KEY, this.#ownerKey);
    });
  }

  transact<T>(work: (tx: StoreTx) => T): Committed<T> {
    if (this.#open !== undefined) throw new Error('a transaction runs inside another');
    this.#room.check();
    const tx = new LmdbTx(this.#config, this.#writing, this.#cache);
    this.#open = tx;
    try {
      const result = this.#inTransaction(() => {
        this.#checkOwner();
        const result = work(tx);
        tx.flush();
        return result;
      });
      tx.remember();
      return { result, changes: tx.changes };
    } finally {
      this.#open = undefined;
    }
  }

  read<T>(work: (tx: Tx) => T): T {
    return this.#read((rows) => {
      const tx = new LmdbTx(this.#config, rows);
      const result = work(tx);
      if (tx.hasChanged) throw new Error('a read has written');
      return result;
    });
  }

  dueTimeouts(kind: TimeoutKind, now: number, limit: number): readonly DueTimeout[] {
    return this.#read((rows) => readDueTimeouts(rows, kind, now, limit));
  }

  earliestTimeout(): number | undefined {
    return this.#read(readEarliestTimeout);
  }

  dueRetries(now: number): readonly DueTimeout[] {
    return this.#read((rows) => readDueRetries(rows, now));
  }

  executes(queue: Queue, behind: number, limit: number): readonly ExecuteRow[] {
    return this.#read((rows) => readExecutes(rows, queue, behind, limit));
  }

  unblocks(queue: Queue, behind: number, limit: number): readonly UnblockRow[] {
    return this.#read((rows) => readUnblocks(rows, queue, behind, limit));
  }

  heldTasks(): readonly { readonly taskId: string; readonly pid: string }[] {
    return this.#read(readHeldTasks);
  }

  snapshot(): Snapshot {
    return this.#read(readSnapshot);
  }

  clear(): void {
    this.#inTransaction(() => {
      this.#checkOwner();
      const meta = [...this.#writing.range(META_PREFIX, after(META_PREFIX))];
      this.#writing.removeAll();
      for (const { key, value } of meta) this.#writing.put(key, value);
    });
    this.#cache.clear();
  }

  /** Every commit is on disk already: there is nothing to flush. */
  close(): Promise<void> {
    return this.#db.close();
  }

  #checkFormat(): void {
    const bytes = this.#writing.get(FORMAT_KEY);
    const format = bytes && decodeFormat(bytes);
    if (format?.name === FORMAT.name) {
      if (format.version === FORMAT.version) return;
      throw this.#unusable(`its format is version ${format.version}, and this server reads version ${FORMAT.version}`);
    }
    const isEmpty = [...this.#db.getKeys({ limit: 1 })].length === 0;
    if (!isEmpty) throw this.#unusable('it was not written by this server');
    this.#writing.put(FORMAT_KEY, encodeFormat(FORMAT));
  }

  #checkOwner(): void {
    if (this.#writing.get(OWNER_KEY)?.equals(this.#ownerKey) !== true) {
      throw this.#unusable('another process has taken it over');
    }
  }

  #unusable(problem: string): StoreError {
    return new StoreError('unusable', `cannot use ${this.#dataFile}: ${problem}`);
  }

  #inTransaction<T>(work: () => T): T {
    return this.#guarded(() => {
      let result: { readonly value: T } | undefined;
      // The block returns nothing: lmdb would wait for a promise, with the transaction open.
      this.#db.transactionSync(() => {
        result = { value: work() };
      });
      return (result as unknown as { readonly value: T }).value;
    });
  }

  #read<T>(work: (rows: Rows) => T): T {
    this.#open?.flush();
    return this.#guarded(() => work(this.#reading));
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error, this.#dataFile) ?? error;
    }
  }
}
