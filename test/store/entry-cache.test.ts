import { expect } from 'chai';
import { EntryCache } from '../../src/store/lmdb/entry-cache.js';
import type { PromiseObject } from '../../src/protocol/objects.js';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import { removeDirectory, temporaryDirectory } from '../support/server-process.js';
import { config, pendingPromise } from './samples.js';

function remember(cache: EntryCache, number: number, promise: PromiseObject): void {
  cache.remember(promise.id, { number, promise: { id: promise.id, isAwaited: false, promise }, task: undefined });
}

function withData(id: string, data: Uint8Array): PromiseObject {
  return pendingPromise(id, { param: { headers: new Map(), data } });
}

describe('the cache of entries', () => {
  it('holds the last that was remembered', () => {
    const cache = new EntryCache();
    expect(cache.get('a')).to.equal(undefined);
    remember(cache, 1, pendingPromise('a'));
    remember(cache, 1, pendingPromise('a', { timeoutAt: 7 }));
    expect(cache.get('a')?.promise.promise?.timeoutAt).to.equal(7);
  });

  it('is empty once it is cleared, what is old too', () => {
    const cache = new EntryCache();
    const ids = Array.from({ length: 2_000 }, (_, i) => `id-${i}`);
    ids.forEach((id, number) => remember(cache, number, withData(id, new Uint8Array(1_000))));
    expect(ids.some((id) => cache.get(id) !== undefined)).to.equal(true);
    cache.clear();
    expect(ids.every((id) => cache.get(id) === undefined)).to.equal(true);
  });

  it('holds no large promise, nor what it was when it was small', () => {
    for (const others of [0, 1_000]) {
      const cache = new EntryCache();
      remember(cache, 1, pendingPromise('a'));
      // So many that it is in the old generation, and not yet forgotten.
      for (let i = 0; i < others; i++) remember(cache, i, withData(`id-${i}`, new Uint8Array(2_000)));
      expect(cache.get('a')).to.not.equal(undefined);
      remember(cache, 1, withData('a', new Uint8Array(5_000)));
      expect(cache.get('a')).to.equal(undefined);
    }
  });

  it('is bounded: what is old and not used is forgotten', () => {
    const cache = new EntryCache();
    remember(cache, 0, pendingPromise('first'));
    for (let i = 1; i <= 20_000; i++) remember(cache, i, withData(`id-${i}`, new Uint8Array(2_000)));
    expect(cache.get('first')).to.equal(undefined);
    expect(cache.get('id-20000')?.number).to.equal(20_000);
  });

  it('prefers what is newer, however much came in between', () => {
    const cache = new EntryCache();
    let filler = 0;
    for (let timeoutAt = 1; timeoutAt <= 50; timeoutAt++) {
      remember(cache, 1, pendingPromise('a', { timeoutAt }));
      // Some of these are behind the turn of a generation, and some before it.
      for (let i = 0; i < 300; i++) {
        const known = cache.get('a');
        expect(known === undefined || known.promise.promise?.timeoutAt === timeoutAt).to.equal(true);
        remember(cache, filler, withData(`filler-${filler++}`, new Uint8Array(2_000)));
      }
    }
  });

  it('keeps data of its own, not the request that it came in', () => {
    const cache = new EntryCache();
    const request = Buffer.from('much more than the data');
    remember(cache, 1, withData('a', request.subarray(19)));
    const kept = cache.get('a')?.promise.promise?.param.data;
    expect(kept).to.deep.equal(new Uint8Array(Buffer.from('data')));
    expect(kept?.buffer.byteLength).to.equal(4);
  });

  it('has nothing of a transaction that was undone', async () => {
    const path = temporaryDirectory();
    const store = openLmdbStore({ path, config });
    try {
      store.transact((tx) => tx.setPromise(pendingPromise('a', { timeoutAt: 1 })));
      const undone = (): unknown =>
        store.transact((tx) => {
          tx.setPromise(pendingPromise('a', { timeoutAt: 2 }));
          tx.setPromise(pendingPromise('b'));
          // Has what was set so far written.
          store.earliestTimeout();
          throw new Error('undone');
        });
      expect(undone).to.throw('undone');
      const { result } = store.transact((tx) => [tx.getPromise('a')?.timeoutAt, tx.getPromise('b')]);
      expect(result).to.deep.equal([1, undefined]);
    } finally {
      await store.close();
      removeDirectory(path);
    }
  });

  it('has nothing of a store that was cleared', async () => {
    const path = temporaryDirectory();
    const store = openLmdbStore({ path, config });
    try {
      store.transact((tx) => tx.setPromise(pendingPromise('a')));
      store.clear();
      expect(store.transact((tx) => tx.getPromise('a')).result).to.equal(undefined);
    } finally {
      await store.close();
      removeDirectory(path);
    }
  });
});
