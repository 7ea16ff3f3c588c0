import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import type { StoreFactory } from './contract.js';
import { config } from './samples.js';

/** The LMDB store, each on a directory of its own. */
export const lmdb: StoreFactory = {
  name: 'lmdb',
  open: () => {
    const path = temporaryDirectory();
    const store = openLmdbStore({ path, config });
    return Promise.resolve({
      store,
      close: async () => {
        await store.close();
        rmSync(path, { recursive: true });
      },
    });
  },
};

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'resonate-grpc-'));
}
