/** What the LMDB store promises beyond the contract of every store: what is on disk, and whose it is. */
import { expect } from 'chai';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import type { PromiseObject, ScheduleObject } from '../../src/protocol/objects.js';
import { OWNER_KEY, PROMISE, recordKey } from '../../src/store/lmdb/keys.js';
import { openLmdbStore, type LmdbStore } from '../../src/store/lmdb/store.js';
import { StoreError } from '../../src/store/store.js';
import { openFiles } from '../support/open-files.js';
import { temporaryDirectory } from './lmdb-factory.js';
import { plain } from './plain.js';
import { acquiredTask, config, pendingPromise, pendingTask, schedule, settledPromise } from './samples.js';

const MIB = 1024 ** 2;
const LONGEST_ID = 'ü'.repeat(256);

describe('LMDB store', () => {
  let path: string;
  let opened: LmdbStore[];

  const openStore = (directory = path): LmdbStore => {
    const store = openLmdbStore({ path: directory, config });
    opened.push(store);
    return store;
  };
  const reopen = async (store: LmdbStore): Promise<LmdbStore> => {
    await store.close();
    opened = opened.filter((other) => other !== store);
    return openStore();
  };
  /** The `StoreError` that opening ends with. */
  const refusal = (directory = path): StoreError => {
    try {
      openStore(directory);
    } catch (error) {
      expect(error).to.be.instanceOf(StoreError);
      return error as StoreError;
    }
    throw new Error('it was opened');
  };

  beforeEach(() => {
    path = temporaryDirectory();
    opened = [];
  });

  afterEach(async () => {
    for (const store of opened) await store.close();
    rmSync(path, { recursive: true });
  });

  describe('opened again', () => {
    it('holds what it held', async () => {
      const store = openStore();
      store.transact((tx) => {
        tx.setPromise(settledPromise('done', { value: { headers: new Map([['h', 'v']]), data: Buffer.from('x') } }));
        tx.setPromise(pendingPromise('waited for', { timeoutArmed: true }));
        tx.setTask(acquiredTask('waited for', 'pid'));
        tx.setPromise(pendingPromise('waiting'));
        tx.setTask(pendingTask('waiting', { timeout: { kind: 'delay', dueAt: 40 } }));
        tx.addCallback('waited for', 'waiting');
        tx.addListener('waited for', 'g');
        tx.addResume('waiting', 'done');
        tx.sendExecute('waiting', 3, 'any@g/p');
        tx.sendUnblock('done', 'uni@g/p', 5);
        tx.setSchedule(schedule('s'));
        tx.setClockMark(1234);
      });
      const before = everything(store);
      expect(everything(await reopen(store))).to.deep.equal(before);
    });

    it('does not hold what was undone, and goes on where it was', async () => {
      let store = openStore();
      store.transact((tx) => tx.sendExecute('first', 0, 'g'));
      const undo = (): void => {
        store.transact((tx) => {
          tx.setPromise(pendingPromise('undone', { timeoutArmed: true }));
          tx.sendExecute('undone', 0, 'g');
          tx.addListener('undone', 'g');
          throw new Error('fault');
        });
      };
      expect(undo).to.throw('fault');
      const before = everything(store);
      store = await reopen(store);
      expect(everything(store)).to.deep.equal(before);
      store.transact((tx) => tx.sendExecute('second', 0, 'g'));
      expect(store.executes({ group: 'g' }, -1, 9).map(({ taskId }) => taskId)).to.deep.equal(['first', 'second']);
    });

    it('keeps keys like __proto__, absent and empty data, the largest numbers and the longest ids', async () => {
      const promise = settledPromise(LONGEST_ID, {
        tags: new Map([
          ['__proto__', 'a'],
          ['constructor', 'b'],
        ]),
        param: { headers: new Map([['__proto__', 'c']]), data: new Uint8Array() },
        value: { headers: new Map() },
        timeoutAt: Number.MAX_SAFE_INTEGER,
        createdAt: Number.MAX_SAFE_INTEGER - 1,
        settledAt: 2 ** 52 + 1,
      });
      const task = acquiredTask(LONGEST_ID, LONGEST_ID, {
        version: Number.MAX_SAFE_INTEGER,
        ttl: Number.MAX_SAFE_INTEGER,
        timeout: { kind: 'lease', dueAt: Number.MAX_SAFE_INTEGER },
      });
      let store = openStore();
      store.transact((tx) => {
        tx.setPromise(promise);
        tx.setTask(task);
        tx.addListener(LONGEST_ID, LONGEST_ID);
        tx.sendExecute(LONGEST_ID, Number.MAX_SAFE_INTEGER, LONGEST_ID);
      });
      store = await reopen(store);
      const found = store.read((tx) => tx.getPromise(LONGEST_ID));
      expect(plain(found)).to.deep.equal(plain(promise));
      expect(found?.param.data, 'empty data is there').to.have.length(0);
      expect(found?.value.data).to.equal(undefined);
      expect(plain(store.read((tx) => tx.getTask(LONGEST_ID)))).to.deep.equal(plain(task));
      expect(store.dueTimeouts('task', Number.MAX_SAFE_INTEGER, 9)).to.deep.equal([
        { kind: 'task', id: LONGEST_ID, dueAt: Number.MAX_SAFE_INTEGER },
      ]);
      expect(store.executes({ group: LONGEST_ID }, -1, 1)[0]?.version).to.equal(Number.MAX_SAFE_INTEGER);
    });

    it('keeps payloads of a mebibyte', async () => {
      const data = (seed: number): Uint8Array => Uint8Array.from({ length: MIB }, (_, i) => (i * seed) % 251);
      let store = openStore();
      store.transact((tx) => {
        for (const seed of [3, 5, 7]) {
          const payload = { headers: new Map(), data: data(seed) };
          tx.setPromise(settledPromise(`p${seed}`, { param: payload, value: payload }));
        }
      });
      store = await reopen(store);
      for (const seed of [3, 5, 7]) {
        const promise = store.read((tx) => tx.getPromise(`p${seed}`)) as PromiseObject;
        expect(Buffer.compare(promise.param.data as Uint8Array, data(seed))).to.equal(0);
        expect(Buffer.compare(promise.value.data as Uint8Array, data(seed))).to.equal(0);
      }
    });
  });

  it('hands out data of its own: later writes do not show in it', () => {
    const store = openStore();
    const put = (id: string, byte: number): void => {
      const param = { headers: new Map<string, string>(), data: new Uint8Array(5000).fill(byte) };
      store.transact((tx) => tx.setPromise(pendingPromise(id, { param })));
    };
    put('a', 1);
    const read = store.read((tx) => tx.getPromise('a'))?.param.data as Uint8Array;
    const inTransaction = store.transact((tx) => tx.getPromise('a')).result?.param.data as Uint8Array;
    // The pages that 'a' was on are free now, and are written over.
    for (let i = 2; i < 40; i++) put(i % 2 === 0 ? 'a' : 'b', i);
    expect(read.every((byte) => byte === 1)).to.equal(true);
    expect(inTransaction.every((byte) => byte === 1)).to.equal(true);
  });

  it('shows a transaction its own writes in the ranges of the store', () => {
    const store = openStore();
    store.transact((tx) => {
      tx.setPromise(pendingPromise('a', { timeoutAt: 5, timeoutArmed: true }));
      tx.sendExecute('a', 0, 'g');
      expect(store.dueTimeouts('promise', 5, 9).map(({ id }) => id)).to.deep.equal(['a']);
      expect(store.executes({ group: 'g' }, -1, 9)).to.have.length(1);
      tx.setPromise(settledPromise('a'));
      expect(store.earliestTimeout()).to.equal(undefined);
    });
    expect(store.read((tx) => tx.getPromise('a'))?.state).to.equal('resolved');
  });

  it('refuses a transaction inside another', () => {
    const store = openStore();
    expect(() => store.transact(() => store.transact(() => 1))).to.throw('a transaction runs inside another');
    expect(store.transact(() => 2).result, 'the next one').to.equal(2);
  });

  it('refuses to write in a read', () => {
    const store = openStore();
    expect(() => store.read((tx) => (tx as StoreTxLike).setPromise(pendingPromise('a')))).to.throw(
      'a read has written',
    );
    expect(() => store.read((tx) => (tx as StoreTxLike).addListener('a', 'g'))).to.throw('a read has written');
    expect(() => store.read((tx) => (tx as StoreTxLike).setSchedule(schedule('a')))).to.throw('a read has written');
    expect(store.snapshot().promises).to.deep.equal([]);
  });

  it('stores nothing for what a transaction only asks for', async () => {
    const store = openStore();
    store.transact((tx) => {
      expect(tx.getPromise('a')).to.equal(undefined);
      expect(tx.getTask('a')).to.equal(undefined);
      expect(tx.takeCallbacks('a')).to.deep.equal([]);
      expect(tx.takeListeners('a')).to.deep.equal([]);
      tx.dropCallbacksOf('a');
      tx.clearResumes('a');
      tx.withdrawExecute('a');
      tx.deleteUnblock('a', 'g');
    });
    await withDatabase(path, (db) => expect([...db.getKeys()].map(String)).to.deep.equal(['Mf', 'Mo']));
  });

  it('says which record is missing when a row refers to one', async () => {
    const store = openStore();
    store.transact((tx) => {
      tx.setPromise(pendingPromise('a'));
      tx.setPromise(pendingPromise('b'));
      tx.addCallback('a', 'b');
    });
    await withDatabase(path, (db) => db.removeSync(recordKey(1, PROMISE)));
    const message = 'a stored row refers to promise number 1, which is missing';
    expect(() => store.transact((tx) => tx.takeCallbacks('a'))).to.throw(message);
    expect(() => store.snapshot()).to.throw(message);
  });

  it('closes its files', async () => {
    const before = openFiles();
    const store = openStore();
    expect(openFiles()).to.be.greaterThan(before);
    await store.close();
    opened = [];
    expect(openFiles()).to.equal(before);
  });

  it('opens a directory whose path has a dot in it, and creates it', () => {
    const dotted = join(path, 'new', 'data.v1');
    openStore(dotted).transact((tx) => tx.setClockMark(1));
    expect(statSync(join(dotted, 'data.mdb')).isFile()).to.equal(true);
  });

  it('opens a directory in which an earlier start came no further than an empty file', () => {
    writeFileSync(join(path, 'data.mdb'), '');
    expect(openStore().snapshot().promises).to.deep.equal([]);
  });

  describe('owned by another process', () => {
    it('writes no more, and runs no work', () => {
      const first = openStore();
      const second = openStore();
      let ran = false;
      const write = (): void => void first.transact(() => (ran = true));
      expect(write).to.throw(StoreError, 'taken it over').with.property('kind', 'unusable');
      expect(() => first.clear()).to.throw(StoreError, 'taken it over');
      expect(ran).to.equal(false);
      second.transact((tx) => tx.setPromise(pendingPromise('a')));
      expect(second.snapshot().promises).to.have.length(1);
    });

    it('writes no more if the mark of the owner is gone', async () => {
      const store = openStore();
      await withDatabase(path, (db) => db.removeSync(OWNER_KEY));
      expect(() => store.transact(() => 1))
        .to.throw(StoreError, 'taken it over')
        .with.property('kind', 'unusable');
    });
  });

  describe('refuses with one line that names the path', () => {
    const expectRefusal = (pattern: RegExp, directory = path): void => {
      const { kind, message } = refusal(directory);
      expect(kind).to.equal('unusable');
      expect(message).to.match(pattern).and.to.include(directory).and.not.to.include('\n');
    };
    const damaged = (name: string, pattern: RegExp, damage: (file: string) => void): void => {
      it(name, async () => {
        const store = openStore();
        store.transact((tx) => {
          for (let i = 0; i < 500; i++) tx.setPromise(pendingPromise(`p${i}`));
          tx.setPromise(pendingPromise('big', { param: { headers: new Map(), data: new Uint8Array(50_000) } }));
        });
        await store.close();
        opened = [];
        const file = join(path, 'data.mdb');
        damage(file);
        const bytes = readFileSync(file);
        expectRefusal(pattern);
        expect(readFileSync(file).equals(bytes), 'the file is left as it was').to.equal(true);
      });
    };

    it('a data directory that is a file, or in one', () => {
      const file = join(path, 'file');
      writeFileSync(file, '');
      expectRefusal(/a file is in its place/, file);
      expectRefusal(/a file is in its place/, join(file, 'data'));
    });

    it('a data file that is a directory', () => {
      mkdirSync(join(path, 'data.mdb'));
      expectRefusal(/data\.mdb/);
      expect(refusal().cause).to.have.property('code', 'EISDIR');
    });

    it('a data directory that cannot be created', () => {
      const impossible = '/proc/resonate-grpc';
      if (existsSync('/proc')) expectRefusal(/cannot use/, impossible);
    });

    const notOurs = /not written by this server/;
    damaged('a text file in place of the data', notOurs, (file) => writeFileSync(file, 'hello\n'.repeat(2000)));
    damaged('a short file', notOurs, (file) => writeFileSync(file, 'x'));
    damaged('zeros', notOurs, (file) => writeFileSync(file, new Uint8Array(100_000)));
    damaged('noise', notOurs, (file) => writeFileSync(file, noise(100_000)));
    damaged('a second header that is noise', /corrupt/, (file) => overwrite(file, 4096, noise(4096)));
    damaged('a header that points outside of the file', /corrupt|truncated/, (file) => {
      overwrite(file, 136, Buffer.from([0xff, 0xff, 0xff, 0x7f]));
      overwrite(file, 4096 + 136, Buffer.from([0xff, 0xff, 0xff, 0x7f]));
    });
    damaged('a file cut off in its header', /truncated/, (file) => truncateSync(file, 4096));
    damaged('a file cut off behind its headers', /truncated/, (file) => truncateSync(file, 2 * 4096));
    damaged('a file cut in half', /truncated/, (file) => truncateSync(file, Math.floor(statSync(file).size / 2)));
    damaged('a file that lacks its last page', /truncated/, (file) => truncateSync(file, statSync(file).size - 4096));

    it("another program's database", async () => {
      await withDatabase(path, (db) => db.putSync(Buffer.from('theirs'), Buffer.from('1')));
      expectRefusal(notOurs);
      await withDatabase(path, (db) => expect([...db.getKeys()].map(String)).to.deep.equal(['theirs']));
    });

    it('data in a later format', async () => {
      await openStore().close();
      opened = [];
      // The format is a msgpack array of the name and the version.
      await withDatabase(path, (db) => {
        const format = db.get(Buffer.from('Mf')) as Buffer;
        expect(format.at(-1)).to.equal(2);
        db.putSync(Buffer.from('Mf'), Buffer.concat([format.subarray(0, -1), Buffer.from([3])]));
      });
      expectRefusal(/format is version 3, and this server reads version 2/);
    });
  });
});

interface StoreTxLike {
  setPromise(promise: PromiseObject): void;
  addListener(awaitedId: string, address: string): void;
  setSchedule(object: ScheduleObject): void;
}

/** All that can be seen from outside. */
function everything(store: LmdbStore): unknown {
  return plain({
    snapshot: store.snapshot(),
    due: (['schedule', 'promise', 'task'] as const).map((kind) => store.dueTimeouts(kind, 1e9, 99)),
    held: store.heldTasks(),
    mark: store.transact((tx) => tx.getClockMark()).result,
  });
}

async function withDatabase(path: string, use: (db: RootDatabase<Buffer, Buffer>) => void): Promise<void> {
  const db = open<Buffer, Buffer>({ path, noSubdir: false, encoding: 'binary', keyEncoding: 'binary' });
  try {
    use(db);
  } finally {
    await db.close();
  }
}

function overwrite(file: string, at: number, bytes: Uint8Array): void {
  const content = readFileSync(file);
  content.set(bytes, at);
  writeFileSync(file, content);
}

/** The same noise every time. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = (state * 48271) % 0x7fffffff) & 0xff);
}
