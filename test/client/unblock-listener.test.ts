import { expect } from 'chai';
import { Code, decodeJson, ResonateClient, UnblockListener } from '../../clients/typescript/index.js';
import { failure, refusal } from './failing.js';
import { ManualClock } from './manual-clock.js';
import { pendingRecord, ScriptedServer, settledRecord, type ScriptedStream } from './scripted-server.js';

describe('client: unblock listener', () => {
  let server: ScriptedServer;
  let clock: ManualClock;
  let client: ResonateClient;
  let listener: UnblockListener;
  let stream: ScriptedStream;

  beforeEach(async () => {
    server = new ScriptedServer();
    await server.start();
    clock = new ManualClock();
    client = new ResonateClient({ address: server.address, clock });
    listener = new UnblockListener({ client, group: 'callers', pid: 'c/1' });
    listener.start();
    stream = await server.streams.next();
    stream.hello();
  });

  afterEach(() => {
    void listener.stop();
    client.close();
    server.kill();
  });

  const unblock = (id: string, value?: unknown) =>
    ({ $case: 'unblock', value: { promise: settledRecord(id, value), address: 'uni@callers/c/1' } }) as const;

  /** A promise that is listened to and pending. */
  async function listening(id: string, options = {}) {
    const outcome = listener.listen(id, options);
    const register = await server.next('promiseRegisterListener');
    expect(register.request).to.deep.equal({ awaitedId: id, address: 'uni@callers/c/1' });
    register.reply({ promise: pendingRecord(id) });
    return outcome;
  }

  async function acknowledged(): Promise<string[]> {
    const call = await server.next('dispatchAcknowledge');
    call.reply({});
    return (call.request.unblocks ?? []).map((ref) => `${ref?.promiseId} ${ref?.address}`);
  }

  it('takes no tasks, and acknowledges for itself', () => {
    expect(stream.request).to.deep.equal({
      group: 'callers',
      pid: 'c/1',
      maxInFlight: 0,
      autoAcknowledgeUnblocks: false,
    });
    expect(listener.address).to.equal('uni@callers/c/1');
    expect(() => new UnblockListener({ client, group: 'a/b' })).to.throw(TypeError);
  });

  it('resolves at once when the promise is settled already', async () => {
    const outcome = listener.listen('p');
    (await server.next('promiseRegisterListener')).reply({ promise: settledRecord('p', 4) });
    expect(decodeJson((await outcome).value)).to.equal(4);
  });

  it('resolves with the unblock, and acknowledges it', async () => {
    const outcome = listening('p');
    stream.send(unblock('other'));
    expect(await acknowledged()).to.deep.equal(['other uni@callers/c/1']);
    stream.send(unblock('p', 5));
    expect(decodeJson((await outcome).value)).to.equal(5);
    expect(await acknowledged()).to.deep.equal(['p uni@callers/c/1']);
  });

  it('resolves with an unblock that overtakes the answer', async () => {
    const outcome = listener.listen('p');
    const register = await server.next('promiseRegisterListener');
    stream.send(unblock('p', 6));
    expect(decodeJson((await outcome).value)).to.equal(6);
    register.reply({ promise: pendingRecord('p') });
  });

  it('resolves everyone who waits, once, and acknowledges a double again', async () => {
    const [first, second] = [listener.listen('p'), listener.listen('p')];
    for (let registered = 0; registered < 2; registered += 1) {
      (await server.next('promiseRegisterListener')).reply({ promise: pendingRecord('p') });
    }
    stream.send(unblock('p', 7), unblock('p', 7));
    expect(decodeJson((await first).value)).to.equal(7);
    expect(decodeJson((await second).value)).to.equal(7);
    expect(await acknowledged()).to.deep.equal(['p uni@callers/c/1', 'p uni@callers/c/1']);
    stream.send(unblock('p', 7));
    expect(await acknowledged()).to.deep.equal(['p uni@callers/c/1']);
  });

  it('still waits after a reconnect', async () => {
    const outcome = listening('p');
    stream.fail({ code: Code.UNAVAILABLE, reason: 'DRAINING' });
    await clock.armed(100);
    clock.advance(100);
    const next = await server.streams.next();
    next.hello();
    next.send(unblock('p', 8));
    expect(decodeJson((await outcome).value)).to.equal(8);
  });

  it('fails for an unknown promise', async () => {
    const outcome = listener.listen('p');
    (await server.next('promiseRegisterListener')).refuse({
      code: Code.NOT_FOUND,
      reason: 'PROMISE_NOT_FOUND',
      status: 404,
    });
    expect((await refusal(outcome)).reason).to.equal('PROMISE_NOT_FOUND');
  });

  it('gives up when the signal aborts', async () => {
    const controller = new AbortController();
    const outcome = refusal(listening('p', { signal: controller.signal }));
    stream.send(unblock('other'));
    await acknowledged();
    controller.abort();
    expect((await outcome).code).to.equal(Code.CANCELLED);
  });

  it('fails whoever waits, now and later, when another process has its pid', async () => {
    const outcome = refusal(listening('p'));
    stream.fail({ code: Code.ABORTED, reason: 'SESSION_REPLACED' });
    expect((await outcome).reason).to.equal('SESSION_REPLACED');
    expect((await refusal(listener.listen('q'))).reason).to.equal('SESSION_REPLACED');
  });

  it('fails whoever waits when it is stopped', async () => {
    const outcome = failure(listening('p'));
    stream.send(unblock('other'));
    await acknowledged();
    await listener.stop();
    expect((await outcome).message).to.include('stopped');
    await stream.cancelled;
  });

  it('has stopped when the last unblock is acknowledged', async () => {
    const outcome = listening('p');
    stream.send(unblock('p'));
    await outcome;
    let stopped = false;
    const stop = listener.stop().then(() => (stopped = true));
    const call = await server.next('dispatchAcknowledge');
    expect(stopped).to.equal(false);
    call.reply({});
    await stop;
  });

  it('does not wait for long for an acknowledgement when it stops', async () => {
    const outcome = listening('p');
    stream.send(unblock('p'));
    await outcome;
    const stop = listener.stop();
    await clock.armed(2_000);
    clock.advance(2_000);
    await stop;
  });
});
