import { expect } from 'chai';
import { removeDirectory, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { Sightings, tooEarly } from './durability.js';
import { Shim, type ShimEvent } from './shim/shim.js';

const UNSYNCED_STORE = new URL('./unsynced-store.js', import.meta.url).href;

/** Long enough for whatever is early to be seen before its sync ends. */
const SYNC_DELAY = 60;
const LIVES = 6;

describe('a write whose sync takes long', function () {
  this.timeout(60_000);
  let shim: Shim;
  let data: string;

  beforeEach(() => {
    shim = new Shim();
    data = temporaryDirectory();
  });

  afterEach(() => {
    shim.close();
    removeDirectory(data);
  });

  async function observe(env: Readonly<Record<string, string>> = {}): Promise<Sightings> {
    const server = await ServerProcess.start({ data, env: { ...shim.env, ...env } });
    shim.delaySyncs(SYNC_DELAY);
    const sightings = new Sightings(server.address);
    try {
      await sightings.make(LIVES);
    } finally {
      sightings.close();
      await server.kill();
    }
    return sightings;
  }

  it('shows in no answer, no push and no read before it is on disk', async () => {
    const { all } = await observe();
    const events = shim.events();
    expect(tooEarly(all, events)).to.deep.equal([]);
    for (const way of ['answer', 'push', 'read']) {
      expect(all.filter((sighting) => sighting.way === way).length, way).to.be.at.least(2 * LIVES);
    }
    expect(events.filter(({ name }) => name === 'msync')).to.deep.equal([]);
  });

  it('would be found in all three if it were never synced', async () => {
    const { all } = await observe({ NODE_OPTIONS: `--import ${UNSYNCED_STORE}` });
    const ways = tooEarly(all, shim.events()).map(({ way }) => way);
    expect([...new Set(ways)]).to.have.members(['answer', 'push', 'read']);
  });
});

describe('a sighting', () => {
  const COMMIT = ['mark', 'sync-begin', 'sync-end', 'header-begin', 'header-end'] as const;
  const events = (...names: ShimEvent['name'][]) => names.map((name, i) => ({ name, at: BigInt(i), detail: 'mark-1' }));
  const early = (at: number, ...names: ShimEvent['name'][]) =>
    tooEarly([{ way: 'answer', mark: 'mark-1', at: BigInt(at) }], events(...names)).length > 0;

  it('comes in time from the end of the header on', () => {
    expect([0, 1, 2, 3, 4, 5].map((at) => early(at, ...COMMIT))).to.deep.equal([true, true, true, true, false, false]);
  });

  it('is too early if its commit has lost a step', () => {
    for (const missing of COMMIT)
      expect(early(9, ...COMMIT.filter((name) => name !== missing)), missing).to.equal(true);
  });

  it('is not covered by a sync that had begun before, nor by a header that had', () => {
    expect(early(9, 'sync-begin', 'mark', 'sync-end', 'header-begin', 'header-end')).to.equal(true);
    expect(early(9, 'mark', 'sync-begin', 'header-begin', 'sync-end', 'header-end')).to.equal(true);
  });

  it('is judged by the first commit that has it', () => {
    expect(early(5, ...COMMIT, ...COMMIT)).to.equal(false);
  });
});
