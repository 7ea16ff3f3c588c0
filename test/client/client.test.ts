import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Code, ResonateClient } from '../../clients/typescript/index.js';
import { CALLS, type CallName } from '../../clients/typescript/calls.js';
import { failure, refusal } from './failing.js';
import { ManualClock } from './manual-clock.js';
import { pendingRecord, ScriptedServer, settledRecord } from './scripted-server.js';

const PROTO = 'proto/resonate_grpc/v1';

/** Each RPC's name, as the client spells it, with its comment on one line. */
function documentedCalls(): Map<string, string> {
  const calls = new Map<string, string>();
  for (const file of readdirSync(PROTO)) {
    const text = readFileSync(`${PROTO}/${file}`, 'utf8');
    for (const [, comment, name] of text.matchAll(/((?: {2}\/\/.*\n)+) {2}rpc (\w+)\(\w+\) returns \((?!stream)/g)) {
      const line = comment!.replaceAll(/\s*\/\/ ?/g, ' ').trim();
      calls.set(name!.charAt(0).toLowerCase() + name!.slice(1), line);
    }
  }
  return calls;
}

describe('client: calls', () => {
  let server: ScriptedServer;
  let clock: ManualClock;
  let client: ResonateClient;

  beforeEach(async () => {
    server = new ScriptedServer();
    await server.start();
    clock = new ManualClock();
    client = new ResonateClient({ address: server.address, clock });
  });

  afterEach(() => {
    client.close();
    server.kill();
  });

  it('has every unary RPC of the proto, and retries exactly those whose comment calls a retry always safe', () => {
    const documented = [...documentedCalls()].map(([name, comment]) => [name, /a retry is always safe/i.test(comment)]);
    expect(documented).to.have.length(24);
    const known = Object.entries(CALLS).map(([name, { retrySafe }]) => [name, retrySafe]);
    expect(Object.fromEntries(known)).to.deep.equal(Object.fromEntries(documented));
  });

  it('sends each call to the RPC of its name', async () => {
    for (const name of Object.keys(CALLS) as CallName[]) {
      const answer = (client[name] as (request: object) => Promise<unknown>)({});
      const call = await server.next(name);
      call.refuse({ code: Code.NOT_FOUND, message: name });
      expect((await refusal(answer)).message).to.equal(name);
    }
  });

  it('completes partial requests, and returns whole responses', async () => {
    const answer = client.promiseCreate({ promise: { id: 'p', tags: new Map([['a', 'b']]) } });
    const call = await server.next('promiseCreate');
    expect(call.request).to.deep.equal({
      promise: { id: 'p', timeoutAtMs: 0, param: undefined, tags: new Map([['a', 'b']]) },
    });
    call.reply({ promise: settledRecord('p', 1) });
    const { promise } = await answer;
    expect(promise?.id).to.equal('p');
    expect(promise?.settledAtMs).to.equal(2_000);
  });

  it('unpacks a refusal', async () => {
    const answer = client.taskAcquire({ id: 't' });
    const metadata = { id: 't', task_state: 'acquired', task_version: '3', task_pid: 'p' };
    (await server.next('taskAcquire')).refuse({
      code: Code.ABORTED,
      reason: 'TASK_NOT_PENDING',
      status: 409,
      metadata,
      message: 'task "t" is acquired',
    });
    const error = await refusal(answer);
    expect(error.name).to.equal('ResonateError');
    expect(error.code).to.equal(Code.ABORTED);
    expect(error.reason).to.equal('TASK_NOT_PENDING');
    expect(error.status).to.equal(409);
    expect(error.metadata).to.deep.equal({ ...metadata, status: '409' });
    expect(error.message).to.equal('task "t" is acquired');
  });

  it('has no reason for an error that is not from the server itself', async () => {
    const answer = client.taskAcquire({ id: 't' });
    (await server.next('taskAcquire')).refuse({ code: Code.INTERNAL, message: 'a proxy says' });
    const bare = await refusal(answer);
    expect(bare.message).to.equal('a proxy says');
    const again = client.taskAcquire({ id: 't' });
    const foreign = { code: Code.ABORTED, reason: 'TASK_NOT_PENDING', status: 409, domain: 'example.com' };
    (await server.next('taskAcquire')).refuse(foreign);
    for (const error of [bare, await refusal(again)]) {
      expect(error.reason).to.equal(undefined);
      expect(error.status).to.equal(undefined);
      expect(error.metadata).to.deep.equal({});
    }
  });

  it('receives messages over the default limit of gRPC', async () => {
    const answer = client.promiseGet({ id: 'p' });
    const record = {
      ...settledRecord('p'),
      value: { headers: new Map<string, string>(), data: Buffer.alloc(6 << 20) },
    };
    (await server.next('promiseGet')).reply({ promise: record });
    expect((await answer).promise?.value?.data).to.have.length(6 << 20);
  });

  it('repeats a safe call on UNAVAILABLE, with a growing delay', async () => {
    const answer = client.promiseSettle({ settlement: { id: 'p' } });
    for (const delay of [100, 200, 400]) {
      (await server.next('promiseSettle')).lose();
      await clock.armed(delay);
      clock.advance(delay);
    }
    (await server.next('promiseSettle')).reply({ promise: settledRecord('p') });
    expect((await answer).promise?.id).to.equal('p');
  });

  it('gives up when the deadline would pass before the next try', async () => {
    const answer = client.promiseGet({ id: 'p' }, { deadlineMs: 250 });
    (await server.next('promiseGet')).lose();
    await clock.armed(100);
    clock.advance(100);
    (await server.next('promiseGet')).lose();
    expect((await refusal(answer)).code).to.equal(Code.UNAVAILABLE);
    expect(server.waiting('promiseGet')).to.equal(0);
  });

  it('never repeats another call, nor another error', async () => {
    const release = client.taskRelease({ id: 't' });
    (await server.next('taskRelease')).lose();
    expect((await refusal(release)).code).to.equal(Code.UNAVAILABLE);
    const get = client.promiseGet({ id: 'p' });
    (await server.next('promiseGet')).refuse({ code: Code.RESOURCE_EXHAUSTED, reason: 'OVERLOADED' });
    expect((await refusal(get)).reason).to.equal('OVERLOADED');
    expect(clock.lengths).to.deep.equal([]);
  });

  it('reaches a server that comes back', async () => {
    server.kill();
    const answer = client.promiseGet({ id: 'p' });
    await clock.armed(100);
    await server.start();
    const call = server.next('promiseGet');
    // The channel has a back-off of its own, in real time: whether the second try meets it is open.
    const step = setInterval(() => clock.advance(100), 5);
    (await call).reply({ promise: settledRecord('p') });
    clearInterval(step);
    expect((await answer).promise?.id).to.equal('p');
  });

  it('ends a call at its deadline', async () => {
    const answer = client.taskGet({ id: 't' }, { deadlineMs: 20 });
    expect((await refusal(answer)).code).to.equal(Code.DEADLINE_EXCEEDED);
  });

  it('takes a deadline of more than 24 days for none', async () => {
    for (const [days, hasDeadline] of [
      [23, true],
      [40, false],
    ] as const) {
      const answer = client.taskGet({ id: 't' }, { deadlineMs: days * 86_400_000 });
      const call = await server.next('taskGet');
      expect(call.hasDeadline).to.equal(hasDeadline);
      call.reply({ task: undefined });
      expect(await answer).to.deep.equal({ task: undefined });
    }
  });

  it('cancels a call when its signal aborts, before, during and between tries', async () => {
    const during = new AbortController();
    const running = client.promiseGet({ id: 'p' }, { signal: during.signal });
    const call = await server.next('promiseGet');
    during.abort('enough');
    const error = await refusal(running);
    expect(error.code).to.equal(Code.CANCELLED);
    expect(error.cause).to.equal('enough');
    await call.cancelled;

    expect((await refusal(client.promiseGet({ id: 'p' }, { signal: during.signal }))).code).to.equal(Code.CANCELLED);

    const between = new AbortController();
    const sleeping = client.promiseGet({ id: 'p' }, { signal: between.signal });
    (await server.next('promiseGet')).lose();
    await clock.armed(100);
    between.abort();
    expect((await refusal(sleeping)).code).to.equal(Code.CANCELLED);
  });

  describe('wait', () => {
    it('returns the settled promise', async () => {
      const answer = client.wait('p');
      const call = await server.next('promiseWait');
      expect(call.request).to.deep.equal({ id: 'p' });
      call.reply({ promise: settledRecord('p', 7) });
      expect((await answer).id).to.equal('p');
    });

    it('asks again for as long as it takes', async () => {
      const answer = client.wait('p');
      (await server.next('promiseWait')).refuse({ code: Code.UNAVAILABLE, reason: 'DRAINING' });
      await clock.armed(100);
      clock.advance(100);
      for (let slice = 0; slice < 3; slice += 1) {
        (await server.next('promiseWait')).refuse({ code: Code.DEADLINE_EXCEEDED });
        await clock.armed(100); // A slice that passed quietly is no failure: the delay does not grow.
        clock.advance(100);
      }
      (await server.next('promiseWait')).reply({ promise: settledRecord('p') });
      expect((await answer).id).to.equal('p');
    });

    it('ends at its own deadline, and at once for an unknown promise', async () => {
      expect((await refusal(client.wait('p', { deadlineMs: 20 }))).code).to.equal(Code.DEADLINE_EXCEEDED);
      await server.next('promiseWait');
      const answer = client.wait('p');
      (await server.next('promiseWait')).refuse({ code: Code.NOT_FOUND, reason: 'PROMISE_NOT_FOUND', status: 404 });
      expect((await refusal(answer)).reason).to.equal('PROMISE_NOT_FOUND');
    });

    it('ends when its signal aborts', async () => {
      const controller = new AbortController();
      const answer = client.wait('p', { signal: controller.signal });
      await server.next('promiseWait');
      controller.abort();
      expect((await refusal(answer)).code).to.equal(Code.CANCELLED);
    });
  });

  it('invoke creates the work and waits for its outcome', async () => {
    const answer = client.invoke({ id: 'p', target: 'any@g', param: { n: 1 }, timeoutAtMs: 5_000 });
    const create = await server.next('promiseCreate');
    expect(create.request.promise?.id).to.equal('p');
    expect(create.request.promise?.timeoutAtMs).to.equal(5_000);
    expect(create.request.promise?.tags).to.deep.equal(new Map([['resonate:target', 'any@g']]));
    create.reply({ promise: pendingRecord('p') });
    (await server.next('promiseWait')).reply({ promise: settledRecord('p', 2) });
    expect((await answer).id).to.equal('p');
    expect(await failure(client.invoke({ id: 'p' }))).to.be.instanceOf(TypeError);
  });
});
