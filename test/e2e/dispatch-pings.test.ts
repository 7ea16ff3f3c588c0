import { expect } from 'chai';
import { DispatchFixture } from './dispatch-fixture.js';

const PING_MS = 100;

describe('Dispatch pings', () => {
  const fixture = new DispatchFixture();

  before(() => fixture.start({ flags: ['--ping-interval-ms', String(PING_MS)] }));
  after(() => fixture.stop());
  afterEach(() => fixture.closeStreams());

  it('keep a stream from being silent, as often as hello says', async () => {
    const stream = await fixture.connect({ group: fixture.name('group'), pid: 'w' });
    expect((await stream.hello()).pingIntervalMs).to.equal(PING_MS);
    await stream.until(() => stream.kinds.filter((kind) => kind === 'ping').length >= 5);
    expect(new Set(stream.kinds)).to.deep.equal(new Set(['hello', 'ping']));
  });
});
