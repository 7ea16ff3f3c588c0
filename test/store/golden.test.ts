/** Data that an earlier version wrote is opened, and read as it was. */
import { expect } from 'chai';
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import { temporaryDirectory } from './lmdb-factory.js';
import { config } from './samples.js';
import { storeJson } from './store-json.js';

const GOLDEN = fileURLToPath(new URL('../../../test/store/golden', import.meta.url));

describe('golden data directories', () => {
  for (const version of readdirSync(GOLDEN)) {
    it(`of format ${version} are opened and hold what was written`, async () => {
      const path = temporaryDirectory();
      try {
        copyFileSync(join(GOLDEN, version, 'data.mdb'), join(path, 'data.mdb'));
        const store = openLmdbStore({ path, config });
        const expected = JSON.parse(readFileSync(join(GOLDEN, version, 'expected.json'), 'utf8')) as unknown;
        expect(storeJson(store)).to.deep.equal(expected);
        await store.close();
      } finally {
        rmSync(path, { recursive: true });
      }
    });
  }
});
