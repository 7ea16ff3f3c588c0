/** Reports of how servers of this kind failed their users, one test each, as far as the whole server is needed to show them. */
import { readFileSync } from 'node:fs';
import type { ServiceError } from '@grpc/grpc-js';
import { expect } from 'chai';
import { Code, PromiseState, SettleState, type ResonateError } from '../../clients/typescript/index.js';
import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { encode } from './requests.js';
import { aborted, EMPTY, expectRefusal, failureOf, invalidRequest, TARGETED, TestServer, value } from './fixture.js';

const LIMIT = 1_048_576;
const MAX_SAFE = Number.MAX_SAFE_INTEGER;
/** The longest id, of the character that takes the most bytes in metadata. */
const LONGEST_ID = '\u0001'.repeat(512);
const RESOLVED = SettleState.SETTLE_STATE_RESOLVED;

describe('e2e: known failures', () => {
  let server: TestServer;
  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(() => server.reset());

  /** A promise whose request to create it is of so many bytes. */
  function promiseOfSize(id: string, bytes: number) {
    const promise = (size: number) => ({
      id,
      timeoutAtMs: server.far,
      param: { headers: new Map<string, string>(), data: Buffer.alloc(size, 'x') },
      tags: new Map(Object.entries(TARGETED)),
    });
    const excess = encode('promiseCreate', { promise: promise(bytes) }).length - bytes;
    return promise(bytes - excess);
  }

  it('camunda#4420, #6207: what is accepted can be delivered, and what is too large is refused at once', async () => {
    const largest = promiseOfSize('largest', LIMIT);
    expect(encode('promiseCreate', { promise: largest })).to.have.length(LIMIT);
    // A stub with the limits that grpc-js has by itself.
    const worker = await DispatchRecorder.connect(server.process.address, { group: 'worker', pid: 'pid' });
    await server.client.promiseCreate({ promise: largest });
    await server.client.promiseRegisterListener({ awaitedId: 'largest', address: 'uni@worker/pid' });
    await worker.executed(1);
    const { promise } = await server.client.taskAcquire({ id: 'largest', version: 0, pid: 'pid', ttlMs: 60_000 });
    expect(promise?.param?.data).to.have.length(largest.param.data.length);
    const result = { headers: new Map<string, string>(), data: largest.param.data };
    await server.client.taskFulfill({ id: 'largest', version: 1, state: RESOLVED, value: result });
    await worker.until(() => worker.unblocks.length === 1);
    expect(worker.unblocks[0]?.promise?.value?.data).to.have.length(result.data.length);
    worker.close();

    const tooLarge = encode('promiseCreate', { promise: promiseOfSize('too large', LIMIT + 1) });
    await server.refuses(() => server.send('promiseCreate', tooLarge), invalidRequest('request'));
  });

  it('temporal#3284, grpc-node#1533: details under 4 KB leave the error visible', async () => {
    await server.create(LONGEST_ID, TARGETED);
    await server.client.taskAcquire({ id: LONGEST_ID, version: 0, pid: LONGEST_ID, ttlMs: 1_000 });
    const error = await failureOf(server.client.taskAcquire({ id: LONGEST_ID, version: 0, pid: 'p', ttlMs: 1 }));
    expect(error).to.include({ code: Code.ABORTED, reason: 'TASK_NOT_PENDING', status: 409 });
    const trailers = (error.cause as ServiceError).metadata.toHttp2Headers();
    expect(JSON.stringify(trailers).length).to.be.lessThan(4_096);
  });

  it('camunda#11903: the largest ttl and deadline end in the far future, not in the past', async () => {
    await server.create('t', TARGETED, MAX_SAFE);
    const { task } = await server.client.taskAcquire({ id: 't', version: 0, pid: 'pid', ttlMs: MAX_SAFE });
    expect(task?.ttlMs).to.equal(MAX_SAFE);
    await server.client.taskHeartbeat({ pid: 'pid', tasks: [{ id: 't', version: 1 }] });
    expect((await server.snapshot()).timeouts.map(({ dueAtMs }) => dueAtMs)).to.deep.equal([MAX_SAFE, MAX_SAFE]);
    expect(await server.advance(1_000_000_000_000)).to.equal(0);
    await server.client.taskFulfill({ id: 't', version: 1, state: RESOLVED });
  });

  it('lmdb-js#219: the longest id works everywhere, and a longer one is refused', async () => {
    // 512 bytes, and fewer characters.
    const id = `${'€'.repeat(170)}ab`;
    await server.create('child', {}, server.far);
    await server.create(id, { ...TARGETED, [id]: id });
    await server.client.taskAcquire({ id, version: 0, pid: id, ttlMs: 1_000 });
    await server.client.promiseRegisterListener({
      awaitedId: 'child',
      address: `uni@${'g'.repeat(200)}/${'p'.repeat(200)}`,
    });
    await server.client.taskSuspend({ id, version: 1, awaitedIds: ['child'] });
    await server.settle('child');
    expect((await server.client.taskGet({ id })).task).to.include({ id, version: 1 });
    const schedule = { id, cron: '* * * * *', promiseId: id, promiseTimeoutMs: 1, promiseParam: EMPTY };
    expect((await server.client.scheduleCreate({ schedule })).schedule?.id).to.equal(id);
    const longer = { promise: { id: `${id}c`, timeoutAtMs: server.far } };
    await server.refuses(() => server.client.promiseCreate(longer), invalidRequest('promise.id'));
  });

  it('resonate#843: a delayed task is announced when its delay is over, and not before', async () => {
    const worker = await DispatchRecorder.connect(server.process.address, { group: 'worker', pid: 'pid' });
    await server.create('delayed', { ...TARGETED, 'resonate:delay': String(server.now + 1_000) });
    await server.advance(999);
    await server.create('now', TARGETED);
    await worker.executed(1);
    expect(worker.pushed).to.deep.equal(['now']);
    await server.advance(1);
    await worker.executed(2);
    expect(worker.pushed).to.deep.equal(['now', 'delayed']);
    worker.close();
  });

  it('resonate#1014: one code for two causes comes with two reasons', async () => {
    await server.create('plain');
    await server.create('pending', TARGETED);
    await server.acquired('held');
    await server.acquired('done');
    await server.client.taskFulfill({ id: 'done', version: 1, state: RESOLVED });
    const { client } = server;
    const lease = { pid: 'other', ttlMs: 1 };
    const promise = { id: 'plain', timeoutAtMs: server.far };
    const causes: readonly (readonly [Code, string, () => Promise<unknown>])[] = [
      [Code.NOT_FOUND, 'PROMISE_NOT_FOUND', () => client.promiseGet({ id: 'absent' })],
      [Code.NOT_FOUND, 'TASK_NOT_FOUND', () => client.taskGet({ id: 'absent' })],
      [Code.NOT_FOUND, 'SCHEDULE_NOT_FOUND', () => client.scheduleGet({ id: 'absent' })],
      [Code.ABORTED, 'TASK_NOT_PENDING', () => client.taskAcquire({ id: 'held', version: 1, ...lease })],
      [Code.ABORTED, 'TASK_VERSION_MISMATCH', () => client.taskAcquire({ id: 'pending', version: 1, ...lease })],
      [Code.ABORTED, 'TASK_NOT_ACQUIRED', () => client.taskRelease({ id: 'pending', version: 0 })],
      [Code.ABORTED, 'TASK_FULFILLED', () => client.taskHalt({ id: 'done' })],
      [Code.ABORTED, 'TASK_NOT_HALTED', () => client.taskContinue({ id: 'held' })],
      [
        Code.FAILED_PRECONDITION,
        'AWAITER_NOT_FOUND',
        () => client.promiseRegisterCallback({ awaitedId: 'plain', awaiterId: 'absent' }),
      ],
      [
        Code.FAILED_PRECONDITION,
        'AWAITER_WITHOUT_TARGET',
        () => client.promiseRegisterCallback({ awaitedId: 'held', awaiterId: 'plain' }),
      ],
      [
        Code.FAILED_PRECONDITION,
        'AWAITED_NOT_FOUND',
        () => client.taskSuspend({ id: 'held', version: 1, awaitedIds: ['absent'] }),
      ],
      [Code.FAILED_PRECONDITION, 'PROMISE_WITHOUT_TARGET', () => client.taskCreate({ ...lease, promise })],
    ];
    for (const [code, reason, call] of causes) {
      const error = await failureOf(call());
      expect([Code[error.code], error.reason]).to.deep.equal([Code[code], reason]);
    }
  });

  it('grpc-node#1458, #2091: a stop ends with streams open that nobody closes, and with waits', async () => {
    const stopping = await TestServer.start();
    const streams = [];
    for (const pid of ['a', 'b', 'c']) {
      streams.push(await DispatchRecorder.connect(stopping.process.address, { group: 'g', pid }));
    }
    await stopping.create('p');
    // Without the client, which would call again. The get has its answer behind the wait, on the same connection.
    const wait = failureOf(stopping.send('promiseWait', encode('promiseWait', { id: 'p' })));
    await stopping.send('promiseGet', encode('promiseGet', { id: 'p' }));
    expect(await stopping.process.stop()).to.equal(0);
    expect(await wait).to.include({ code: Code.UNAVAILABLE, reason: 'DRAINING' });
    for (const stream of streams) expect((await stream.ended)?.code).to.equal(Code.UNAVAILABLE);
    for (const stream of streams) stream.close();
    await stopping.end();
  });

  describe('etcd#18424, jetcd#1444: after a lost answer a caller knows whether to call again', () => {
    const promise = () => ({ id: 'p', timeoutAtMs: server.far, param: value('x'), tags: new Map() });
    const held = { id: 't', version: 1 };
    const lease = { pid: 'pid', ttlMs: 1_000 };
    const settlement = { id: 'p', state: RESOLVED, value: value('x') };
    const schedule = { id: 's', cron: '* * * * *', promiseId: 'p', promiseTimeoutMs: 1, promiseParam: EMPTY };

    const safe: Readonly<Record<string, () => Promise<unknown>>> = {
      PromiseGet: () => server.client.promiseGet({ id: 't' }),
      PromiseCreate: () => server.client.promiseCreate({ promise: promise() }),
      PromiseSettle: () => server.client.promiseSettle({ settlement: { ...settlement, id: 'child' } }),
      PromiseRegisterCallback: () => server.client.promiseRegisterCallback({ awaitedId: 'child', awaiterId: 't' }),
      PromiseRegisterListener: () =>
        server.client.promiseRegisterListener({ awaitedId: 'child', address: 'uni@worker/pid' }),
      PromiseWait: () => server.client.promiseWait({ id: 'settled' }),
      TaskGet: () => server.client.taskGet({ id: 't' }),
      'TaskFence with a creation': () =>
        server.client.taskFence({ ...held, action: { $case: 'create', value: promise() } }),
      'TaskFence with a settlement': () =>
        server.client.taskFence({ ...held, action: { $case: 'settle', value: { ...settlement, id: 'child' } } }),
      TaskHeartbeat: () => server.client.taskHeartbeat({ pid: 'pid', tasks: [held] }),
      'TaskSuspend on what is settled': () => server.client.taskSuspend({ ...held, awaitedIds: ['settled'] }),
      TaskHalt: () => server.client.taskHalt({ id: 't' }),
      ScheduleGet: () => server.client.scheduleGet({ id: 'scheduled' }),
      ScheduleCreate: () => server.client.scheduleCreate({ schedule }),
      DispatchAcknowledge: () =>
        server.client.dispatchAcknowledge({ unblocks: [{ promiseId: 'settled', address: 'uni@nobody/x' }] }),
    };

    /** Those that refuse the second time: what the refusal says, or another call shows. */
    const refused: Readonly<
      Record<string, { arrange?: () => Promise<unknown>; call: () => Promise<unknown>; shows: Partial<ResonateError> }>
    > = {
      TaskCreate: {
        call: () =>
          server.client.taskCreate({ ...lease, promise: { ...promise(), tags: new Map(Object.entries(TARGETED)) } }),
        shows: aborted('TASK_NOT_PENDING', { id: 'p', task_state: 'acquired', task_version: '1', task_pid: 'pid' }),
      },
      TaskAcquire: {
        call: () => server.client.taskAcquire({ id: 'pending', version: 0, ...lease }),
        shows: aborted('TASK_NOT_PENDING', {
          id: 'pending',
          task_state: 'acquired',
          task_version: '1',
          task_pid: 'pid',
        }),
      },
      TaskSuspend: {
        call: () => server.client.taskSuspend({ ...held, awaitedIds: ['child'] }),
        shows: aborted('TASK_NOT_ACQUIRED', { id: 't', task_state: 'suspended', task_version: '1' }),
      },
      TaskFulfill: {
        call: () => server.client.taskFulfill({ ...held, state: RESOLVED, value: value('mine') }),
        shows: aborted('TASK_NOT_ACQUIRED', { id: 't', task_state: 'fulfilled', task_version: '1' }),
      },
      TaskRelease: {
        call: () => server.client.taskRelease(held),
        shows: aborted('TASK_NOT_ACQUIRED', { id: 't', task_state: 'pending', task_version: '1' }),
      },
      TaskContinue: {
        arrange: () => server.client.taskHalt({ id: 't' }),
        call: () => server.client.taskContinue({ id: 't' }),
        shows: aborted('TASK_NOT_HALTED', { id: 't', task_state: 'pending', task_version: '1' }),
      },
      ScheduleDelete: {
        call: () => server.client.scheduleDelete({ id: 'scheduled' }),
        shows: { code: Code.NOT_FOUND, reason: 'SCHEDULE_NOT_FOUND', status: 404, metadata: { id: 'scheduled' } },
      },
    };

    beforeEach(async () => {
      await server.create('child');
      await server.create('settled');
      await server.client.promiseRegisterListener({ awaitedId: 'settled', address: 'uni@nobody/x' });
      await server.settle('settled');
      await server.create('pending', TARGETED);
      await server.acquired('t');
      await server.client.scheduleCreate({ schedule: { ...schedule, id: 'scheduled' } });
    });

    for (const [name, call] of Object.entries(safe))
      it(`${name}: the same answer again, and nothing more is written`, async () => {
        const lost = await call();
        const after = await server.snapshot();
        expect(await call()).to.deep.equal(lost);
        expect(await server.snapshot()).to.deep.equal(after);
      });

    for (const [name, { arrange, call, shows }] of Object.entries(refused))
      it(`${name}: is refused, and the refusal shows where things stand`, async () => {
        await arrange?.();
        await call();
        const after = await server.snapshot();
        expectRefusal(await failureOf(call()), shows as Parameters<typeof expectRefusal>[1]);
        expect(await server.snapshot()).to.deep.equal(after);
      });

    it('TaskFulfill: PromiseGet shows the outcome that stands', async () => {
      await server.client.taskFulfill({ ...held, state: RESOLVED, value: value('mine') });
      const { promise: outcome } = await server.client.promiseGet({ id: 't' });
      expect(outcome).to.deep.include({ state: PromiseState.PROMISE_STATE_RESOLVED, value: value('mine') });
    });

    it('every rpc says so in its comment', () => {
      const silent: string[] = [];
      let count = 0;
      for (const name of ['promise', 'task', 'schedule', 'dispatch']) {
        const text = readFileSync(`proto/resonate_grpc/v1/${name}.proto`, 'utf8');
        for (const [, comment = '', rpc = ''] of text.matchAll(/((?: {2}\/\/.*\n)+) {2}rpc (\w+)\(/g)) {
          count++;
          if (!/\bretry\b|connect again|always UNIMPLEMENTED/.test(comment)) silent.push(rpc);
        }
      }
      expect(count).to.equal(25);
      expect(silent).to.deep.equal([]);
    });
  });
});
