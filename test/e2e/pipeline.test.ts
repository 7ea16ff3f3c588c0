/** Pipeline: the same answers as a call of its own, in the order sent, and what becomes of a stream. */
import { expect } from 'chai';
import { CALLS, type Call, type CallName } from '../../clients/typescript/calls.js';
import { PromiseState, Reason, SettleState } from '../../clients/typescript/index.js';
import { PipelineRequest } from '../../clients/typescript/gen/resonate_grpc/v1/pipeline.js';
import { PipelineStub, type Outcome, type Request } from '../support/pipeline-stub.js';
import { failureOf, TARGETED, TestServer, value } from './fixture.js';
import { encode, VALID } from './requests.js';

const NAMES = Object.keys(CALLS) as CallName[];
const RESOLVED = SettleState.SETTLE_STATE_RESOLVED;

describe('e2e: Pipeline', () => {
  let server: TestServer;
  let stub: PipelineStub;
  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(async () => {
    await server.reset();
    stub = new PipelineStub(server.process.address);
  });
  afterEach(() => stub.close());

  const create = (id: string, tags: Readonly<Record<string, string>> = {}, data = ''): Request => ({
    $case: 'promiseCreate',
    value: {
      promise: { id, timeoutAtMs: server.far, param: value(data), tags: new Map(Object.entries(tags)) },
    },
  });
  const get = (id: string): Request => ({ $case: 'promiseGet', value: { id } });
  const wait = (id: string): Request => ({ $case: 'promiseWait', value: { id } });
  const acquire = (id: string, version = 0): Request => ({
    $case: 'taskAcquire',
    value: { id, version, pid: 'pid', ttlMs: 1_000 },
  });
  const fulfill = (id: string, version = 1): Request => ({
    $case: 'taskFulfill',
    value: { id, version, state: RESOLVED, value: value('done') },
  });

  async function answer(request: Request): Promise<Outcome> {
    return stub.frame(request)[0] as Promise<Outcome>;
  }

  function refusal(outcome: Outcome | undefined) {
    if (outcome?.$case !== 'refusal') return expect.fail(`not refused: ${JSON.stringify(outcome)}`);
    return outcome.value;
  }

  /** The call as a request of a pipeline, with the fields that make it valid. */
  function requestOf(name: CallName): Request {
    const { fromPartial } = CALLS[name] as unknown as Call<unknown, unknown>;
    return { $case: name, value: fromPartial(VALID[name] as never) } as Request;
  }

  for (const name of NAMES)
    it(`${name} answers as a call of its own does`, async () => {
      const unary = async (): Promise<Outcome> => {
        const { responseDeserialize } = CALLS[name] as unknown as Call<unknown, unknown>;
        const sent = server.send(name, encode(name, VALID[name]));
        try {
          return { $case: name, value: responseDeserialize(await sent) as never };
        } catch {
          const { code, reason, status, message, metadata } = await failureOf(sent);
          // The protocol's number has a field of its own in a refusal.
          const facts = Object.entries(metadata).filter(([key]) => key !== 'status');
          const refused = { message, code: Number(code), protocolStatus: status ?? 0, metadata: new Map(facts) };
          return { $case: 'refusal', value: { ...refused, reason: Reason[`REASON_${reason as 'FAULT'}`] } };
        }
      };
      // Nobody settles the promise of a wait: there, the refusal is compared.
      const alone = await unary();
      await server.reset();
      expect(await answer(requestOf(name))).to.deep.equal(alone);
    });

  it('runs mutations in the order sent, and lets reads see what was sent before them', async () => {
    const frame = [create('p', TARGETED), get('p'), acquire('p'), fulfill('p'), get('p'), wait('p')];
    const answers = await Promise.all(stub.frame(...frame));
    expect(answers.map(({ $case }) => $case)).to.deep.equal(frame.map(({ $case }) => $case));
    const states = answers.map((each) => (each.value as { promise?: { state: PromiseState } }).promise?.state);
    const { PROMISE_STATE_PENDING: pending, PROMISE_STATE_RESOLVED: resolved } = PromiseState;
    expect(states).to.deep.equal([pending, pending, pending, resolved, resolved, resolved]);
  });

  it('needs no wait between a fence and the suspend after it', async () => {
    await server.acquired('t');
    const [fenced, suspended] = await Promise.all(
      stub.frame(
        {
          $case: 'taskFence',
          value: {
            id: 't',
            version: 1,
            action: {
              $case: 'create',
              value: { id: 'child', timeoutAtMs: server.far, param: undefined, tags: new Map() },
            },
          },
        },
        { $case: 'taskSuspend', value: { id: 't', version: 1, awaitedIds: ['child'] } },
      ),
    );
    expect(fenced).to.have.nested.property('value.outcome.$case', 'promise');
    expect(suspended).to.have.nested.property('value.outcome.$case', 'suspended');
  });

  it('answers an error to the call that it belongs to, and goes on', async () => {
    const answers = await Promise.all(
      stub.frame(get(''), create('a'), get('absent'), undefined, fulfill('a'), get('a')),
    );
    expect(answers.map(({ $case }) => $case)).to.deep.equal([
      'refusal',
      'promiseCreate',
      'refusal',
      'refusal',
      'refusal',
      'promiseGet',
    ]);
    expect(refusal(answers[0])).to.include({ code: 3, reason: Reason.REASON_INVALID_REQUEST, protocolStatus: 0 });
    expect(refusal(answers[0]).metadata.get('field')).to.equal('id');
    expect(refusal(answers[2])).to.include({ code: 5, reason: Reason.REASON_PROMISE_NOT_FOUND, protocolStatus: 404 });
    expect(refusal(answers[3])).to.include({ code: 3, message: 'request: required' });
    expect(refusal(answers[4])).to.include({ code: 5, reason: Reason.REASON_TASK_NOT_FOUND });
  });

  it('holds each call to the limit of a request', async () => {
    const [large, small] = await Promise.all(stub.frame(create('large', {}, 'x'.repeat(600_000)), create('small')));
    expect(refusal(large)).to.include({ code: 3, reason: Reason.REASON_INVALID_REQUEST });
    expect(refusal(large).message).to.contain('1048576');
    expect(small).to.have.property('$case', 'promiseCreate');
  });

  it('answers many calls in few frames, each once', async () => {
    const ids = Array.from({ length: 3_000 }, (_, i) => `p${i}`);
    const answers = await Promise.all(stub.frame(...ids.map((id) => create(id))));
    expect(answers.every(({ $case }) => $case === 'promiseCreate')).to.equal(true);
    expect(new Set(stub.answered).size).to.equal(ids.length);
    expect(stub.answered).to.have.length(ids.length);
    expect(stub.frames.length).to.be.lessThan(ids.length / 10);
  });

  it('refuses a frame of more than 10,000 calls, and runs nothing of it', async () => {
    void stub.frame(...Array.from({ length: 10_001 }, () => create('p')));
    const error = await stub.ended;
    expect(error).to.include({ code: 3 });
    expect(error?.details).to.equal('calls: 10001 entries; the limit is 10000');
    expect((await server.snapshot()).promises).to.have.length(0);
  });

  for (const [what, damage] of [
    ['cut off', (frame: Buffer) => frame.subarray(0, -1)],
    ['ended by a stray end of a group', (frame: Buffer) => Buffer.concat([frame, Buffer.from([0x0c])])],
    ['with a call that runs over its end', (frame: Buffer) => Buffer.concat([frame, Buffer.from([0x0a, 5, 8, 1])])],
  ] as const)
    it(`refuses a frame ${what}, and runs nothing of it; what came before is answered`, async () => {
      const [first] = stub.frame(create('before'));
      const frame = Buffer.from(PipelineRequest.encode({ calls: [{ callId: 9, request: create('p') }] }).finish());
      stub.bytes(damage(frame));
      const error = await stub.ended;
      expect(error).to.include({ code: 3, details: 'request: not a PipelineRequest' });
      expect(await first).to.have.property('$case', 'promiseCreate');
      const ids = (await server.snapshot()).promises.map(({ promise }) => promise?.id);
      expect(ids).to.deep.equal(['before']);
    });

  it('refuses a request whose bytes are malformed, by name, and goes on', async () => {
    // A promise_create whose promise runs over its end.
    stub.bytes(Buffer.from([0x0a, 6, 0x08, 7, 0x5a, 2, 0x0a, 9]));
    const [next] = stub.frame(create('next'));
    expect(await next).to.have.property('$case', 'promiseCreate');
    expect(stub.answered).to.include(7);
  });

  it('runs what it has read though the stream breaks', async () => {
    const ids = Array.from({ length: 2_000 }, (_, i) => `p${i}`);
    const answers = stub.frame(...ids.map((id) => create(id)));
    await answers[0];
    stub.cancel();
    for (let looks = 0; (await server.snapshot()).promises.length < ids.length; looks++) {
      if (looks > 200) expect.fail('not all of them were created');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  });

  it('ends OK behind the last answer when the client ends its side', async () => {
    const answers = stub.frame(...Array.from({ length: 600 }, (_, i) => create(`p${i}`)));
    stub.end();
    expect(await stub.ended).to.equal(undefined);
    expect(stub.answered).to.have.length(600);
    expect(await answers.at(-1)).to.have.property('$case', 'promiseCreate');
  });

  it('lets waits hold nothing up, and refuses the one too many', async () => {
    await server.create('slow');
    const waits = stub.frame(...Array.from({ length: 1_001 }, () => wait('slow')));
    expect(refusal(await waits[1_000])).to.include({ code: 8, reason: Reason.REASON_OVERLOADED });
    expect(await answer(create('other'))).to.have.property('$case', 'promiseCreate');
    expect(stub.answered).to.have.length(2);
    await server.settle('slow');
    const settled = await Promise.all(waits.slice(0, 1_000));
    expect(settled.every(({ $case }) => $case === 'promiseWait')).to.equal(true);
  });

  it('answers what it has read when the server stops, and says so', async () => {
    const stopping = await TestServer.start();
    const other = new PipelineStub(stopping.process.address);
    try {
      await stopping.create('never');
      const [created] = other.frame(create('p'));
      await created;
      const [waiting] = other.frame(wait('never'));
      // The wait has been read once the call behind it has been answered.
      await other.frame(get('p'))[0];
      const stopped = stopping.process.stop();
      expect(refusal(await waiting)).to.include({ code: 14, reason: Reason.REASON_DRAINING });
      expect(await other.ended).to.include({ code: 14, details: 'the server is stopping; connect again' });
      expect(await stopped).to.equal(0);
    } finally {
      other.close();
      await stopping.end();
    }
  });
});
