/**
 * A process that is not allowed a large file: fills the store in the directory of its argument until there is no room, frees
 * some, goes on, and prints what happened as one line of JSON.
 */
import { EMPTY_VALUE } from '../../src/protocol/objects.js';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import { StoreError } from '../../src/store/store.js';
import { config, pendingPromise } from './samples.js';

export interface FullDiskReport {
  /** The kinds of the errors, in order. */
  readonly errors: readonly string[];
  /** How many creates were acknowledged before the first error, and how many promises are there. */
  readonly acknowledged: number;
  readonly stored: number;
  readonly positions: readonly number[];
  /** Whether creates work again. */
  readonly works: boolean;
}

const [, , path = ''] = process.argv;
const store = openLmdbStore({ path, config });
const errors: string[] = [];

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    errors.push(error instanceof StoreError ? error.kind : String(error));
    return false;
  }
}

function create(id: string): boolean {
  const param = { headers: new Map<string, string>(), data: new Uint8Array(50_000) };
  return attempt(() =>
    store.transact((tx) => {
      tx.setPromise(pendingPromise(id, { param }));
      tx.sendUnblock(id, 'g', 1);
    }),
  );
}

let acknowledged = 0;
while (acknowledged < 1000 && create(`p${acknowledged}`)) acknowledged++;
create('again');
const { promises, unblocks } = store.snapshot();

for (let i = 0; i < acknowledged; i += 2) {
  attempt(() => store.transact((tx) => tx.setPromise(pendingPromise(`p${i}`, { param: EMPTY_VALUE }))));
}
const report: FullDiskReport = {
  errors,
  acknowledged,
  stored: promises.length,
  positions: unblocks.map(({ position }) => position),
  works: create('after'),
};
await store.close();
console.log(JSON.stringify(report));
