import { expect } from 'chai';
import { once } from 'node:events';
import http2 from 'node:http2';
import net, { type Socket } from 'node:net';
import { DispatchRequest, DispatchServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import { Code, type ResonateError } from '../../clients/typescript/index.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { DispatchFixture } from './dispatch-fixture.js';

const HOUR = '3600000';

async function errorOf(call: Promise<unknown>): Promise<ResonateError> {
  return call.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error as ResonateError,
  );
}

describe('Dispatch streams', () => {
  const fixture = new DispatchFixture();
  let group: string;
  let proxy: TcpProxy;

  // Pushes that expire would hide what the end of a stream does.
  before(() => fixture.start({ flags: ['--retry-timeout-ms', HOUR] }));
  after(() => fixture.stop());
  beforeEach(async () => {
    group = fixture.name('group');
    proxy = await TcpProxy.to(fixture.server.port);
  });
  afterEach(() => {
    fixture.closeStreams();
    proxy.close();
  });

  describe('a stream that is cut', () => {
    const CUTS: Readonly<Record<string, () => void>> = {
      'by a reset of its connection': () => proxy.cut(),
      'by an end of file': () => proxy.halfClose(),
    };
    for (const [name, cut] of Object.entries(CUTS)) {
      it(`${name} gives back what was not acquired, and nothing else`, async () => {
        const first = await fixture.connect({ group, pid: 'first', maxInFlight: 20 }, proxy.address);
        const ids = await fixture.create(`any@${group}`, 20);
        await first.executed(20);
        const held = await Promise.all(ids.slice(0, 3).map((id) => fixture.acquire('first', id)));

        const second = await fixture.connect({ group, pid: 'second', maxInFlight: 50 });
        cut();
        await second.executed(17);
        expect(second.pushed).to.deep.equal(ids.slice(3));
        await Promise.all(held.map((task) => fixture.fulfill(task)));
        await fixture.barrier(second, { group, pid: 'second' });
        expect(second.pushed).to.have.length(17);
      });
    }

    it('by a cancellation gives back what was not acquired', async () => {
      const first = await fixture.connect({ group, pid: 'first' });
      const ids = await fixture.create(`any@${group}`, 5);
      await first.executed(5);
      const second = await fixture.connect({ group, pid: 'second' });
      first.cancel();
      await second.executed(5);
      expect(second.pushed).to.deep.equal(ids);
    });

    it('before its client has read anything gives all back', async () => {
      const first = await fixture.connect({ group, pid: 'first', maxInFlight: 50 }, proxy.address);
      proxy.stall();
      const ids = await fixture.createMany(`any@${group}`, 50);
      const second = await fixture.connect({ group, pid: 'second', maxInFlight: 50 });
      const before = await fixture.createMany(`uni@${group}/second`, 1);
      await second.executed(1);
      proxy.cut();
      await second.executed(50);
      expect(first.pushed).to.be.empty;
      expect(second.pushed.slice(0, 1)).to.deep.equal(before);
      expect(second.pushed.slice(1).every((id) => ids.includes(id))).to.be.true;
    });

    it('in the middle of a frame by the death of its process gives all back', async () => {
      const ids = await fixture.create(`any@${group}`, 5);
      const socket = await rawDispatch(fixture.server.port, group, 'first');
      const second = await fixture.connect({ group, pid: 'second' });
      await fixture.barrier(second, { group, pid: 'second' });
      expect(second.pushed).to.be.empty;
      socket.destroy();
      await second.executed(5);
      expect(second.pushed).to.deep.equal(ids);
    });

    it('leaves the process what it held, and its credit taken', async () => {
      const pid = fixture.name('p');
      const first = await fixture.connect({ group, pid, maxInFlight: 2 }, proxy.address);
      const ids = await fixture.create(`any@${group}`, 3);
      await first.executed(2);
      const held = await fixture.acquire(pid, ids[0]!);
      proxy.cut();
      const again = await fixture.connect({ group, pid, maxInFlight: 2 });
      await again.executed(1);
      await fixture.barrier(again, { group, pid });
      expect(again.pushed).to.deep.equal([ids[1]]);
      await fixture.fulfill(held);
      await again.executed(2);
      expect(again.pushed).to.deep.equal(ids.slice(1));
    });
  });

  describe('a newer stream of the same process', () => {
    it('ends the older one and gets what that had not acquired', async () => {
      const older = await fixture.connect({ group, pid: 'p' });
      const ids = await fixture.create(`uni@${group}/p`, 5);
      await older.executed(5);
      await fixture.acquire('p', ids[0]!);
      const newer = await fixture.connect({ group, pid: 'p' });
      expect(await older.ended).to.include({ code: Code.ABORTED, reason: 'SESSION_REPLACED' });
      await newer.executed(4);
      expect(newer.pushed).to.deep.equal(ids.slice(1));
    });

    it('loses nothing to the late end of the older one', async () => {
      const older = await fixture.connect({ group, pid: 'p' }, proxy.address);
      proxy.stall();
      const ids = await fixture.create(`any@${group}`, 5);
      const newer = await fixture.connect({ group, pid: 'p' });
      await newer.executed(5);
      const other = await fixture.connect({ group, pid: 'other' });
      proxy.cut();
      await older.ended;
      await fixture.barrier(other, { group, pid: 'other' });
      expect(other.pushed, 'what the newer one has stays with it').to.be.empty;
      const [id] = await fixture.create(`uni@${group}/p`);
      await newer.execute(id!);
      expect(newer.pushed).to.deep.equal([...ids, id]);
    });

    it('in another group lives beside it, and shares its credits', async () => {
      // Credits are counted by pid: one that holds nothing from another test.
      const pid = fixture.name('p');
      const here = await fixture.connect({ group, pid, maxInFlight: 1 });
      const there = await fixture.connect({ group: `${group}x`, pid, maxInFlight: 1 });
      const [a] = await fixture.create(`any@${group}`);
      await here.execute(a!);
      const held = await fixture.acquire(pid, a!);
      const [b] = await fixture.create(`any@${group}x`);
      await fixture.barrier(there, { group: `${group}x`, pid });
      expect(there.pushed).to.be.empty;
      await fixture.fulfill(held);
      await there.execute(b!);
    });
  });

  describe('drain', () => {
    it('sends what is pushed to others, leaves the stream open and what is held alone', async () => {
      const first = await fixture.connect({ group, pid: 'first' });
      const ids = await fixture.create(`any@${group}`, 5);
      await first.executed(5);
      const held = await fixture.acquire('first', ids[0]!);
      const second = await fixture.connect({ group, pid: 'second' });

      const { sessionId } = await first.hello();
      await fixture.client.dispatchDrain({ sessionId });
      await second.executed(4);
      expect(second.pushed).to.deep.equal(ids.slice(1));

      const [late] = await fixture.create(`any@${group}/first`);
      await second.execute(late!);
      await fixture.fulfill(held);
      await fixture.client.dispatchDrain({ sessionId });
      expect(first.pushed).to.deep.equal(ids);
    });

    it('refuses a session that is unknown, or has ended', async () => {
      const stream = await fixture.connect({ group, pid: 'p' });
      const { sessionId } = await stream.hello();
      await fixture.connect({ group, pid: 'p' });
      await stream.ended;
      for (const session of ['nobody', sessionId]) {
        const error = await errorOf(fixture.client.dispatchDrain({ sessionId: session }));
        expect(error).to.include({ code: Code.NOT_FOUND, reason: 'SESSION_NOT_FOUND' });
        expect(error.metadata).to.include({ session_id: session });
      }
    });
  });
});

describe('Dispatch pushes that nobody acquires', () => {
  const fixture = new DispatchFixture();
  let group: string;

  before(() => fixture.start({ flags: ['--retry-timeout-ms', '300'] }));
  after(() => fixture.stop());
  beforeEach(() => (group = fixture.name('group')));
  afterEach(() => fixture.closeStreams());

  it('go to another', async () => {
    const silent = await fixture.connect({ group, pid: 'silent' });
    const ids = await fixture.create(`any@${group}`, 5);
    await silent.executed(5);
    const worker = await fixture.connect({ group, pid: 'worker', maxInFlight: 50 });
    await worker.until(() => ids.every((id) => worker.pushed.includes(id)));
    expect(worker.executes.every(({ version }) => version === 0)).to.be.true;
  });

  it('come one at a time, until the process acquires one', async () => {
    const silent = await fixture.connect({ group, pid: 'silent' });
    const ids = await fixture.createMany(`uni@${group}/silent`, 6);
    await silent.until(() => ids.every((id) => silent.pushed.includes(id)));
    const firstRound = silent.frames.length;
    await silent.until(() => silent.frames.length >= firstRound + 3);
    for (const { events } of silent.frames.slice(firstRound)) expect(events).to.have.length(1);

    await fixture.acquire('silent', silent.pushed.at(-1)!);
    await silent.until(() => silent.frames.slice(firstRound).some(({ events }) => events.length > 1));
  });

  it('come again to the only worker, with the same version', async () => {
    const worker = await fixture.connect({ group, pid: 'p', maxInFlight: 1 });
    const [id] = await fixture.create(`any@${group}`);
    await worker.executed(3);
    expect(worker.executes).to.deep.equal(Array(3).fill({ taskId: id, version: 0 }));
    await fixture.acquire('p', id!);
  });
});

/** Opens a stream by hand and reads the beginning of what comes. */
async function rawDispatch(port: number, group: string, pid: string): Promise<Socket> {
  const socket = net.connect(port, '127.0.0.1');
  const session = http2.connect(`http://127.0.0.1:${port}`, { createConnection: () => socket });
  session.on('error', () => {});
  const { path, requestSerialize } = DispatchServiceService.dispatch;
  const headers = { 'content-type': 'application/grpc', te: 'trailers' };
  const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
  stream.on('error', () => {});
  const message = requestSerialize(DispatchRequest.fromPartial({ group, pid }));
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([prefix, message]));
  await once(stream, 'readable');
  stream.read(3);
  return socket;
}
