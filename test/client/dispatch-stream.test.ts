import { expect } from 'chai';
import { Code, ResonateClient, type ResonateError } from '../../clients/typescript/index.js';
import { DispatchStream } from '../../clients/typescript/dispatch-stream.js';
import { Inbox } from './inbox.js';
import { ManualClock } from './manual-clock.js';
import { Recorder } from './recorder.js';
import { ScriptedServer, settledRecord } from './scripted-server.js';

const UNAVAILABLE = { code: Code.UNAVAILABLE, reason: 'DRAINING' };

describe('client: dispatch stream', () => {
  let server: ScriptedServer;
  let clock: ManualClock;
  let client: ResonateClient;
  let stream: DispatchStream;
  let heard: Inbox<string>;
  let failed: ResonateError | undefined;

  beforeEach(async () => {
    server = new ScriptedServer();
    await server.start();
    clock = new ManualClock();
    client = new ResonateClient({ address: server.address, clock });
    heard = new Inbox('an event');
    failed = undefined;
    const listener = {
      hello: ({ sessionId }: { sessionId: string }) => heard.put(`hello ${sessionId}`),
      execute: ({ taskId, version }: { taskId: string; version: number }) => {
        heard.put(`execute ${taskId} ${version}`);
        if (taskId === 'stop') stream.stop();
      },
      unblock: ({ address }: { address: string }) => heard.put(`unblock ${address}`),
      lapsed: () => heard.put('lapsed'),
      failed: (error: ResonateError) => {
        failed = error;
        heard.put('failed');
      },
    };
    stream = new DispatchStream(client, { group: 'g', pid: 'p', maxInFlight: 3 }, listener, new Recorder());
    stream.start();
  });

  afterEach(() => {
    stream.stop();
    client.close();
    server.kill();
  });

  async function opened(sessionId: string) {
    const open = await server.streams.next();
    open.hello(sessionId);
    expect(await heard.next()).to.equal(`hello ${sessionId}`);
    return open;
  }

  async function reconnectsAfter(delay: number): Promise<void> {
    expect(await heard.next()).to.equal('lapsed');
    expect(clock.lengths).to.deep.equal([delay]);
    clock.advance(delay);
  }

  it('opens as asked and tells each event of a frame, in order; unknown ones are passed over', async () => {
    const open = await opened('s1');
    expect(open.request).to.deep.equal({ group: 'g', pid: 'p', maxInFlight: 3, autoAcknowledgeUnblocks: false });
    open.send(
      { $case: 'execute', value: { taskId: 't', version: 2 } },
      undefined as never,
      { $case: 'unblock', value: { promise: settledRecord('p'), address: 'a' } },
      { $case: 'execute', value: { taskId: 'u', version: 0 } },
    );
    expect(await heard.next()).to.equal('execute t 2');
    expect(await heard.next()).to.equal('unblock a');
    expect(await heard.next()).to.equal('execute u 0');
  });

  it('reconnects after any end, each time later, up to five seconds', async () => {
    for (const [failures, delay] of [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].entries()) {
      const open = await opened(`s${failures}`);
      if (failures % 2) open.fail({ code: Code.RESOURCE_EXHAUSTED, reason: 'SESSION_STALLED' });
      else open.fail(UNAVAILABLE);
      await reconnectsAfter(delay);
    }
    await opened('last');
  });

  it('counts the end of a stream that lasted as the first one', async () => {
    (await opened('s1')).fail(UNAVAILABLE);
    await reconnectsAfter(100);
    (await opened('s2')).fail(UNAVAILABLE);
    await reconnectsAfter(200);
    const open = await opened('s3');
    clock.advance(10_000);
    open.fail(UNAVAILABLE);
    await reconnectsAfter(100);
  });

  it('reconnects after an end with OK', async () => {
    (await opened('s1')).end();
    await reconnectsAfter(100);
    await opened('s2');
  });

  it('reconnects after three ping intervals of silence, and lets go of the silent stream', async () => {
    const open = await server.streams.next();
    open.hello('s1', 1_000);
    await heard.next();
    clock.advance(2_999);
    open.send({ $case: 'ping', value: {} }, { $case: 'execute', value: { taskId: 't', version: 0 } });
    await heard.next();
    clock.advance(2_999);
    expect(heard.size).to.equal(0);
    clock.advance(1);
    await open.cancelled;
    await reconnectsAfter(100);
    await opened('s2');
  });

  it('reconnects when no hello comes', async () => {
    await server.streams.next();
    clock.advance(15_000);
    await reconnectsAfter(100);
    await opened('s1');
  });

  it('does not hear a stream that it has let go of', async () => {
    const old = await server.streams.next();
    old.hello('s1', 1_000);
    await heard.next();
    clock.advance(3_000);
    await reconnectsAfter(100);
    old.fail({ code: Code.ABORTED, reason: 'SESSION_REPLACED' });
    const open = await opened('s2');
    open.execute('t', 0);
    expect(await heard.next()).to.equal('execute t 0');
    expect(failed).to.equal(undefined);
  });

  it('spreads the reconnect after a drain', async () => {
    const open = await opened('s1');
    open.send({ $case: 'drain', value: {} });
    expect(await heard.next()).to.equal('lapsed');
    open.fail(UNAVAILABLE);
    await reconnectsAfter(2_000);
    await opened('s2');
  });

  for (const final of [
    { code: Code.ABORTED, reason: 'SESSION_REPLACED' },
    { code: Code.INVALID_ARGUMENT, reason: 'INVALID_REQUEST' },
  ]) {
    it(`ends for good with ${final.reason}`, async () => {
      (await opened('s1')).fail(final);
      expect(await heard.next()).to.equal('lapsed');
      expect(await heard.next()).to.equal('failed');
      expect(failed?.reason).to.equal(final.reason);
      expect(clock.lengths).to.deep.equal([]);
    });
  }

  it('stops', async () => {
    const open = await opened('s1');
    stream.stop();
    await open.cancelled;
    expect(clock.lengths).to.deep.equal([]);
    expect(heard.size).to.equal(0);
  });

  it('hears nothing more once it was stopped, in the same frame or the next', async () => {
    const open = await opened('s1');
    open.send(
      { $case: 'execute', value: { taskId: 'stop', version: 0 } },
      { $case: 'execute', value: { taskId: 't', version: 0 } },
    );
    open.execute('u', 0);
    await open.cancelled;
    expect(await heard.next()).to.equal('execute stop 0');
    expect(heard.size).to.equal(0);
  });

  it('finds the server again after it was killed', async () => {
    await opened('s1');
    server.kill();
    await reconnectsAfter(100);
    await server.start();
    // Whether the next tries come too early for the channel's own back-off, in real time, is open.
    const open = server.streams.next();
    const step = setInterval(() => clock.advance(1_000), 5);
    (await open).hello('s2');
    clearInterval(step);
    while ((await heard.next()) !== 'hello s2');
  });
});
