/** Reports of how stores of this kind failed their users, one test each, as far as the store alone can show them. */
import { copyFileSync, mkdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { open } from 'lmdb';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import { temporaryDirectory } from './lmdb-factory.js';
import { config, pendingPromise } from './samples.js';

describe('store: known failures', () => {
  let directory: string;
  beforeEach(() => (directory = temporaryDirectory()));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('lmdb-js#256, #198: a backup that is made while the store is written opens, and is one of its states; a torn copy is refused', async () => {
    const [live, backup, torn] = ['live', 'backup', 'torn'].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ];
    const store = openLmdbStore({ path: live, config });
    const write = (from: number, to: number) => {
      for (let i = from; i < to; i++) store.transact((tx) => tx.setPromise(pendingPromise(`p${i}`)));
    };
    write(0, 100);
    // The same file: lmdb-js shares what a process has open.
    const env = open({
      path: live,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
    });
    mkdirSync(backup);
    const made = env.backup(backup, false);
    write(100, 200);
    await made;
    await env.close();
    await store.close();

    const copy = openLmdbStore({ path: backup, config });
    const ids = copy.snapshot().promises.map(({ promise }) => promise.id);
    expect(ids.length).to.be.within(100, 200);
    expect(new Set(ids)).to.deep.equal(new Set(Array.from(ids, (_, i) => `p${i}`)));
    copy.transact((tx) => tx.setPromise(pendingPromise('later')));
    await copy.close();

    mkdirSync(torn);
    copyFileSync(join(live, 'data.mdb'), join(torn, 'data.mdb'));
    truncateSync(join(torn, 'data.mdb'), 40_960);
    expect(() => openLmdbStore({ path: torn, config })).to.throw(/cannot open/);
  });
});
