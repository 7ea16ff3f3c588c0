import { expect } from 'chai';
import { PromiseState } from '../../clients/typescript/index.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { DispatchFixture } from './dispatch-fixture.js';

describe('Dispatch unblocks', () => {
  const fixture = new DispatchFixture();
  const pid = 'p';
  let group: string;
  let address: string;

  before(() => fixture.start({ flags: ['--debug'] }));
  after(() => fixture.stop());
  beforeEach(() => {
    group = fixture.name('group');
    address = `uni@${group}/${pid}`;
  });
  afterEach(() => fixture.closeStreams());

  const listener = () => fixture.connect({ group, pid, maxInFlight: 0 });
  const acknowledge = (promiseId: string, to = address) =>
    fixture.client.dispatchAcknowledge({ unblocks: [{ promiseId, address: to }] });

  it('carry the settled promise and the address that was registered', async () => {
    const stream = await listener();
    const id = await fixture.promise();
    await fixture.listen(id, `grpc://${address}`);
    const value = { headers: new Map([['a', 'b']]), data: Uint8Array.of(1, 2) };
    await fixture.client.promiseSettle({ settlement: { id, state: 2, value } });
    await stream.until(() => stream.unblocks.length > 0);
    const [unblock] = stream.unblocks;
    expect(unblock?.address).to.equal(`grpc://${address}`);
    const { promise } = await fixture.client.promiseGet({ id });
    expect(unblock?.promise).to.deep.equal(promise);
    expect(promise?.state).to.equal(PromiseState.PROMISE_STATE_REJECTED);
  });

  it('come for a promise that times out', async () => {
    const stream = await listener();
    const id = fixture.name('promise');
    await fixture.client.promiseCreate({ promise: { id, timeoutAtMs: Date.now() + 300 } });
    await fixture.listen(id, address);
    await stream.until(() => stream.unblocks.length > 0);
    expect(stream.unblocks[0]?.promise?.state).to.equal(PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT);
  });

  it('wait for a late listener, oldest first', async () => {
    const ids = [await fixture.unblock(address), await fixture.unblock(address), await fixture.unblock(address)];
    const stream = await listener();
    await stream.until(() => stream.unblocks.length >= 3);
    expect(stream.unblocked).to.deep.equal(ids);
  });

  it('come again on the next stream until they are acknowledged', async () => {
    const proxy = await TcpProxy.to(fixture.server.port);
    const [a, b] = [await fixture.unblock(address), await fixture.unblock(address)];
    const first = await fixture.connect({ group, pid, maxInFlight: 0 }, proxy.address);
    await first.until(() => first.unblocks.length >= 2);
    await acknowledge(a);
    proxy.close();
    await first.ended;
    const second = await listener();
    await fixture.barrier(second, { group, pid });
    expect(second.unblocked.slice(0, -1)).to.deep.equal([b]);
    await acknowledge(b);
    second.close();
    const third = await listener();
    await fixture.barrier(third, { group, pid });
    expect(third.unblocked).to.have.length(1);
  });

  it('are acknowledged by anybody, once or twice, known or not', async () => {
    const id = await fixture.unblock(address);
    const stream = await listener();
    await stream.until(() => stream.unblocks.length > 0);
    const other = await fixture.connect({ group: `${group}x`, pid: 'other' });
    await acknowledge(id);
    await acknowledge(id);
    await acknowledge('nothing');
    await fixture.client.dispatchAcknowledge({ unblocks: [] });
    const { outbox } = await other.stubs.snapshot();
    expect(outbox.filter(({ address: to }) => to === address)).to.be.empty;
    stream.close();
    const again = await listener();
    await fixture.barrier(again, { group, pid });
    expect(again.unblocked).to.not.include(id);
  });

  it('go to every address that was registered', async () => {
    const one = await fixture.connect({ group, pid: 'one', maxInFlight: 0 });
    const two = await fixture.connect({ group, pid: 'two', maxInFlight: 0 });
    const id = await fixture.unblock(`uni@${group}/one`, `uni@${group}/two`);
    await one.until(() => one.unblocks.length > 0);
    await two.until(() => two.unblocks.length > 0);
    await acknowledge(id, `uni@${group}/one`);
    const { outbox } = await one.stubs.snapshot();
    expect(outbox.map(({ address }) => address))
      .to.include(`uni@${group}/two`)
      .and.not.include(`uni@${group}/one`);
  });

  it('for any member go to one of them', async () => {
    const one = await fixture.connect({ group, pid: 'one', maxInFlight: 0 });
    const two = await fixture.connect({ group, pid: 'two', maxInFlight: 0 });
    const ids = await Promise.all(Array.from({ length: 10 }, () => fixture.unblock(`any@${group}`)));
    await fixture.barrier(one, { group, pid: 'one' });
    await fixture.barrier(two, { group, pid: 'two' });
    expect([...one.unblocked.slice(0, -1), ...two.unblocked.slice(0, -1)]).to.have.members(ids);
  });

  it('are acknowledged by themselves where the stream asks for it', async () => {
    const stream = await fixture.connect({ group, pid, maxInFlight: 0, autoAcknowledgeUnblocks: true });
    const id = await fixture.unblock(address);
    await stream.until(() => stream.unblocks.length > 0);
    const waiting = async () => (await stream.stubs.snapshot()).outbox.some(({ address: to }) => to === address);
    // The acknowledgement is written after the event.
    while (await waiting());
    stream.close();
    const again = await listener();
    await fixture.barrier(again, { group, pid });
    expect(again.unblocked).to.not.include(id);
  });

  it('wait out a kill and a restart of the server', async () => {
    const acknowledged = await fixture.unblock(address);
    const id = await fixture.unblock(address);
    const stream = await listener();
    await stream.until(() => stream.unblocks.length >= 2);
    await acknowledge(acknowledged);
    await fixture.restart('SIGKILL', ['--debug']);
    const again = await listener();
    await fixture.barrier(again, { group, pid });
    expect(again.unblocked.slice(0, -1)).to.deep.equal([id]);
  });
});
