import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import type { FullDiskReport } from './full-disk-child.js';
import { temporaryDirectory } from './lmdb-factory.js';
import { config } from './samples.js';

/** In the 512-byte blocks of `ulimit -f`, which some shells count as 1024. */
const FILE_SIZE_BLOCKS = 2000;

describe('LMDB store without room', () => {
  let path: string;

  beforeEach(() => {
    path = temporaryDirectory();
  });

  afterEach(() => rmSync(path, { recursive: true }));

  it('says so, keeps what it acknowledged, and works again once there is room', async () => {
    const child = fileURLToPath(new URL('full-disk-child.js', import.meta.url));
    const limited = `ulimit -f ${FILE_SIZE_BLOCKS} && exec "$0" "$@"`;
    const run = spawnSync('sh', ['-c', limited, process.execPath, child, path], { encoding: 'utf8' });
    expect(run.status, run.stderr).to.equal(0);
    const report = JSON.parse(run.stdout) as FullDiskReport;

    expect(report.acknowledged).to.be.within(1, 999);
    expect(report.errors).to.deep.equal(['full', 'full']);
    expect(report.stored, 'promises stored').to.equal(report.acknowledged);
    expect(report.positions).to.deep.equal(Array.from({ length: report.acknowledged }, (_, i) => i));
    expect(report.works, 'creates work again').to.equal(true);

    const store = openLmdbStore({ path, config });
    expect(store.snapshot().promises).to.have.length(report.acknowledged + 1);
    await store.close();
  });
});
