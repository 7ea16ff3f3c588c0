import { expect } from 'chai';
import { Code, Reason, ResonateClient } from '../../clients/typescript/index.js';
import { DispatchStream } from '../../clients/typescript/dispatch-stream.js';
import { Refusal } from '../../clients/typescript/gen/resonate_grpc/v1/refusal.js';
import type { PipelineAnswer, PipelineCall } from '../../clients/typescript/gen/resonate_grpc/v1/pipeline.js';
import { refusal } from './failing.js';
import { ManualClock } from './manual-clock.js';
import { Recorder } from './recorder.js';
import { ScriptedServer, settledRecord, type ScriptedPipeline } from './scripted-server.js';

const OFFERED = ['pipeline'];

function settled({ callId }: PipelineCall, id: string): PipelineAnswer {
  return { callId, outcome: { $case: 'promiseGet', value: { promise: settledRecord(id) } } };
}

function named(call: PipelineCall | undefined): string | undefined {
  return call?.request?.$case;
}

describe('client: pipeline', () => {
  let server: ScriptedServer;
  let clock: ManualClock;
  let client: ResonateClient;

  beforeEach(async () => {
    server = new ScriptedServer();
    await server.start();
    clock = new ManualClock();
    client = new ResonateClient({ address: server.address, clock });
    client.serverOffers(OFFERED);
  });

  afterEach(() => {
    client.close();
    server.kill();
  });

  const get = (id: string): Promise<string | undefined> => client.promiseGet({ id }).then(({ promise }) => promise?.id);

  /** One call is under way on the stream. */
  async function underWay(answer: Promise<unknown>): Promise<{ pipeline: ScriptedPipeline; call: PipelineCall }> {
    answer.catch(() => {});
    const pipeline = await server.pipelines.next();
    const [call] = await pipeline.frames.next();
    return { pipeline, call: call! };
  }

  it('sends what one turn has to send in one frame, in order, and takes answers in any order', async () => {
    const answers = [get('a'), get('b'), client.taskHalt({ id: 'c' })];
    const pipeline = await server.pipelines.next();
    const calls = await pipeline.frames.next();
    expect(calls.map(named)).to.deep.equal(['promiseGet', 'promiseGet', 'taskHalt']);
    expect(calls.map(({ request }) => (request?.value as { id: string }).id)).to.deep.equal(['a', 'b', 'c']);
    const halted: PipelineAnswer = { callId: calls[2]!.callId, outcome: { $case: 'taskHalt', value: {} } };
    pipeline.answer(halted, settled(calls[1]!, 'of b'));
    pipeline.answer(settled(calls[0]!, 'of a'));
    expect(await Promise.all(answers)).to.deep.equal(['of a', 'of b', {}]);
  });

  it('closes a frame before it grows large', async () => {
    const param = { headers: new Map<string, string>(), data: Buffer.alloc(30_000) };
    for (const id of ['a', 'b', 'c', 'd']) client.promiseCreate({ promise: { id, param } }).catch(() => {});
    const pipeline = await server.pipelines.next();
    expect(await pipeline.frames.next()).to.have.length(3);
    expect(await pipeline.frames.next()).to.have.length(1);
  });

  it('unpacks a refusal like that of a call of its own', async () => {
    const answer = client.taskAcquire({ id: 't' });
    const { pipeline, call } = await underWay(answer);
    const facts = { code: Code.ABORTED, reason: Reason.REASON_TASK_NOT_PENDING, protocolStatus: 409, message: 'taken' };
    const value = Refusal.fromPartial({ ...facts, metadata: new Map([['task_pid', 'p']]) });
    pipeline.answer({ callId: call.callId, outcome: { $case: 'refusal', value } });
    const error = await refusal(answer);
    expect(error).to.include({ code: Code.ABORTED, reason: 'TASK_NOT_PENDING', status: 409, message: 'taken' });
    expect(error.metadata).to.deep.equal({ task_pid: 'p' });
  });

  it('makes a call of its own of a wait and of a large request, and of all before the server offers more', async () => {
    const wait = client.promiseWait({ id: 'p' });
    (await server.next('promiseWait')).reply({ promise: settledRecord('p') });
    await wait;
    const param = { headers: new Map<string, string>(), data: Buffer.alloc(70_000) };
    const create = client.promiseCreate({ promise: { id: 'large', param } });
    (await server.next('promiseCreate')).reply({ promise: undefined });
    await create;
    const other = new ResonateClient({ address: server.address, clock });
    for (const capabilities of [undefined, ['another']]) {
      if (capabilities !== undefined) other.serverOffers(capabilities);
      const answer = other.promiseGet({ id: 'p' });
      (await server.next('promiseGet')).reply({ promise: settledRecord('p') });
      await answer;
    }
    other.close();
  });

  it('never uses it if told not to', async () => {
    const alone = new ResonateClient({ address: server.address, clock, pipeline: false });
    alone.serverOffers(OFFERED);
    const answer = alone.promiseGet({ id: 'p' });
    (await server.next('promiseGet')).reply({ promise: settledRecord('p') });
    await answer;
    alone.close();
  });

  it('fails the calls of a stream that ends, and repeats those that are safe on a new one', async () => {
    const safe = get('p');
    const once = client.taskRelease({ id: 't' });
    const { pipeline } = await underWay(once);
    pipeline.fail({ code: Code.UNAVAILABLE, reason: 'DRAINING' });
    const error = await refusal(once);
    expect(error).to.include({ code: Code.UNAVAILABLE, reason: 'DRAINING' });
    await clock.armed(100);
    clock.advance(100);
    const again = await server.pipelines.next();
    const [call] = await again.frames.next();
    again.answer(settled(call!, 'p'));
    expect(await safe).to.equal('p');
  });

  it('takes an end without an error for a broken stream', async () => {
    const answer = client.taskRelease({ id: 't' });
    const { pipeline } = await underWay(answer);
    pipeline.end();
    expect((await refusal(answer)).code).to.equal(Code.UNAVAILABLE);
  });

  it('goes back to calls of their own at a server that does not have it', async () => {
    server.kill();
    await server.start({ hasPipeline: false });
    const safe = get('p');
    await clock.armed(100);
    // The channel may still be on its way back, which is UNAVAILABLE too.
    const call = server.next('promiseGet');
    const step = setInterval(() => clock.advance(100), 5);
    (await call).reply({ promise: settledRecord('p') });
    clearInterval(step);
    expect(await safe).to.equal('p');
  });

  it('ends a call at its deadline, and leaves a stream on which nothing was heard since', async () => {
    const answer = client.taskGet({ id: 't' }, { deadlineMs: 20 });
    const { pipeline } = await underWay(answer);
    clock.advance(20);
    expect((await refusal(answer)).code).to.equal(Code.DEADLINE_EXCEEDED);
    await pipeline.cancelled;
    await underWay(get('p'));
  });

  it('keeps a stream that answers others, and ignores what comes too late', async () => {
    const slow = client.taskGet({ id: 't' }, { deadlineMs: 20 });
    const { pipeline, call } = await underWay(slow);
    const other = get('p');
    const [second] = await pipeline.frames.next();
    pipeline.answer(settled(second!, 'p'));
    await other;
    clock.advance(20);
    expect((await refusal(slow)).code).to.equal(Code.DEADLINE_EXCEEDED);
    pipeline.answer({ callId: call.callId, outcome: { $case: 'taskGet', value: { task: undefined } } });
    const third = get('q');
    const [next] = await pipeline.frames.next();
    expect(next?.callId).not.to.equal(call.callId);
    pipeline.answer(settled(next!, 'q'));
    expect(await third).to.equal('q');
  });

  it('takes a deadline of more than 24 days for none', async () => {
    await underWay(client.taskGet({ id: 't' }, { deadlineMs: 40 * 86_400_000 }));
    expect(clock.lengths).to.deep.equal([]);
  });

  it('cancels a call when its signal aborts, before and during it', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const answer = client.promiseGet({ id: 'p' }, { signal });
    const { pipeline } = await underWay(answer);
    controller.abort('enough');
    const error = await refusal(answer);
    expect(error).to.include({ code: Code.CANCELLED, cause: 'enough' });
    expect((await refusal(client.promiseGet({ id: 'p' }, { signal }))).code).to.equal(Code.CANCELLED);
    expect(clock.lengths).to.deep.equal([]);
    expect(pipeline.frames.size).to.equal(0);
  });

  it('ends behind its answers when the server offers it no longer, and breaks when the client is closed', async () => {
    const answer = get('p');
    const { pipeline, call } = await underWay(answer);
    client.serverOffers([]);
    await pipeline.ended;
    pipeline.answer(settled(call, 'p'));
    pipeline.end();
    expect(await answer).to.equal('p');
    client.serverOffers(OFFERED);
    const broken = client.taskRelease({ id: 't' });
    const second = await underWay(broken);
    client.close();
    await second.pipeline.cancelled;
    expect((await refusal(broken)).code).to.equal(Code.CANCELLED);
  });

  it('is used once hello offers it, until the dispatch stream is stopped', async () => {
    client.serverOffers([]);
    const listener = { hello: () => {}, unblock: () => {}, lapsed: () => {}, failed: () => {} };
    let greeted = (): void => {};
    const hello = new Promise<void>((resolve) => (greeted = resolve));
    const stream = new DispatchStream(
      client,
      { group: 'g', pid: 'p' },
      { ...listener, hello: greeted },
      new Recorder(),
    );
    stream.start();
    (await server.streams.next()).hello('s', 15_000, OFFERED);
    await hello;
    const { pipeline } = await underWay(get('p'));
    stream.stop();
    await pipeline.ended;
    const unary = get('q');
    (await server.next('promiseGet')).reply({ promise: settledRecord('q') });
    expect(await unary).to.equal('q');
  });
});
