import { expect } from 'chai';
import type { DebugSnapshotResponse } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { DebugServiceService } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { Code, PromiseState, TaskState } from '../../clients/typescript/index.js';
import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { Stubs } from '../support/stubs.js';
import { expectRefusal, failureOf, invalidRequest, task, TARGETED, TestServer } from './fixture.js';

const MINUTE = 60_000;
const RETRY = 5_000;
const [SCHEDULE, PROMISE, RETRIES, LEASE] = [1, 2, 3, 4];

describe('e2e: DebugService', () => {
  let server: TestServer;
  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(() => server.reset());

  const without = ({ nowMs: _, ...state }: DebugSnapshotResponse) => state;

  describe('DebugSetClock', () => {
    it('stops the clock at an instant', async () => {
      await server.setClock(server.now + 1_000);
      expect((await server.snapshot()).nowMs).to.equal(server.now);
      await server.create('p');
      expect((await server.client.promiseGet({ id: 'p' })).promise?.createdAtMs).to.equal(server.now);
      expect((await server.snapshot()).nowMs).to.equal(server.now);
    });

    it('fires nothing', async () => {
      await server.create('t', TARGETED, server.now + 10);
      await server.client.scheduleCreate({ schedule: { id: 's', cron: '* * * * *', promiseId: 'p' } });
      const before = without(await server.snapshot());
      await server.setClock(server.now + 10 * MINUTE);
      expect(without(await server.snapshot())).to.deep.equal(before);
    });

    it('refuses to go back, but not to stay', async () => {
      await server.setClock(server.now);
      const before = await server.snapshot();
      expectRefusal(await failureOf(server.setClock(server.now - 1)), invalidRequest('now_ms'));
      expectRefusal(await failureOf(server.setClock(-1)), invalidRequest('now_ms'));
      expectRefusal(await failureOf(server.setClock(2 ** 53)), invalidRequest('now_ms'));
      expect(await server.snapshot()).to.deep.equal(before);
    });
  });

  describe('DebugAdvance', () => {
    it('refuses to go back, and fires nothing', async () => {
      await server.create('t', TARGETED, server.now + 10);
      await server.setClock(server.now + 10);
      const before = await server.snapshot();
      const { now } = server;
      expectRefusal(await failureOf(server.advance(-1)), invalidRequest('now_ms'));
      expect(server.now).to.equal(now);
      expect(await server.snapshot()).to.deep.equal(before);
    });

    it('fires nothing before its instant, and everything at it', async () => {
      await server.create('timer', { 'resonate:timer': 'true' }, server.now + 10);
      expect(await server.advance(9)).to.equal(0);
      expect(await server.advance(1)).to.equal(1);
      const [stored] = (await server.snapshot()).promises;
      expect(stored?.promise).to.include({ state: PromiseState.PROMISE_STATE_RESOLVED, settledAtMs: server.now });
    });

    it('fires schedules first: what they create may time out in the same sweep', async () => {
      const promiseTags = new Map([['resonate:timer', 'true']]);
      const at = (Math.floor(server.now / MINUTE) + 1) * MINUTE;
      await server.client.scheduleCreate({
        schedule: { id: 's', cron: '* * * * *', promiseId: '{{.timestamp}}', promiseTimeoutMs: 1_000, promiseTags },
      });
      expect(await server.advance(at + 1_000 - server.now)).to.equal(2);
      const [stored] = (await server.snapshot()).promises;
      expect(stored?.promise).to.include({ id: String(at), createdAtMs: at, settledAtMs: at + 1_000 });
    });

    it('counts every instant of a schedule that it catches up on', async () => {
      await server.client.scheduleCreate({ schedule: { id: 's', cron: '* * * * *', promiseId: '{{.timestamp}}' } });
      expect(await server.advance(150 * MINUTE)).to.equal(150);
      expect((await server.snapshot()).promises).to.have.length(150);
    });

    it('fires promises before tasks: what they settle loses no lease', async () => {
      await server.create('t', TARGETED, server.now + 1_000);
      await server.client.taskAcquire({ id: 't', version: 0, pid: 'pid', ttlMs: 1_000 });
      expect(await server.advance(1_000)).to.equal(1);
      const { tasks, timeouts, outbox } = await server.snapshot();
      const fulfilled = { task: task('t', { state: TaskState.TASK_STATE_FULFILLED, version: 1 }), resumes: [] };
      expect({ tasks, timeouts, outbox }).to.deep.equal({ tasks: [fulfilled], timeouts: [], outbox: [] });
    });

    it('takes lost leases', async () => {
      await server.acquired('t');
      expect(await server.advance(1_000)).to.equal(1);
      const { tasks, timeouts } = await server.snapshot();
      expect(tasks).to.deep.equal([{ task: task('t', { version: 1 }), resumes: [] }]);
      expect(timeouts[0]).to.deep.equal({ kind: RETRIES, id: 't', dueAtMs: server.now + RETRY });
    });

    it('fires retries literally: also of a task that nobody was sent', async () => {
      await server.create('t', TARGETED);
      const { outbox } = await server.snapshot();
      for (let i = 0; i < 3; i++) {
        expect(await server.advance(RETRY - 1)).to.equal(0);
        expect(await server.advance(1)).to.equal(1);
        const now = await server.snapshot();
        expect(now.timeouts[0]).to.deep.equal({ kind: RETRIES, id: 't', dueAtMs: server.now + RETRY });
        expect(now.outbox).to.deep.equal(outbox);
      }
    });

    it('sends what was delayed', async () => {
      await server.create('t', { ...TARGETED, 'resonate:delay': String(server.now + 100) });
      expect((await server.snapshot()).outbox).to.deep.equal([]);
      expect(await server.advance(100)).to.equal(1);
      const message = { $case: 'execute', value: { id: 't', version: 0 } };
      expect((await server.snapshot()).outbox).to.deep.equal([{ address: 'worker', message }]);
    });
  });

  it('DebugSnapshot shows all state, in its order', async () => {
    const start = server.now;
    const deadlines = server.far;
    await server.create('b');
    await server.create('a');
    await server.acquired('held');
    await server.acquired('parked');
    await server.client.taskSuspend({ id: 'parked', version: 1, awaitedIds: ['b', 'a'] });
    await server.create('waiting', TARGETED);
    await server.client.promiseRegisterCallback({ awaitedId: 'a', awaiterId: 'held' });
    await server.client.promiseRegisterListener({ awaitedId: 'a', address: 'z' });
    await server.client.promiseRegisterListener({ awaitedId: 'a', address: 'y' });
    await server.client.promiseRegisterListener({ awaitedId: 'b', address: 'y' });
    await server.settle('b');
    const { schedule } = await server.client.scheduleCreate({
      schedule: { id: 's', cron: '0 0 1 1 *', promiseId: 'p', promiseTags: new Map([['k', 'v']]) },
    });

    const state = await server.snapshot();
    expect(state.nowMs).to.equal(start);
    expect(state.promises.map(({ promise }) => promise?.id)).to.deep.equal(['a', 'b', 'held', 'parked', 'waiting']);
    const [a, b] = state.promises;
    expect(a).to.deep.equal({ promise: server.promise('a'), callbacks: ['parked', 'held'], listeners: ['z', 'y'] });
    expect([b?.callbacks, b?.listeners]).to.deep.equal([[], []]);
    const held = { state: TaskState.TASK_STATE_ACQUIRED, version: 1, pid: 'pid', ttlMs: 1_000 };
    expect(state.tasks).to.deep.equal([
      { task: task('held', held), resumes: [] },
      { task: task('parked', { version: 1, resumes: 1 }), resumes: ['b'] },
      { task: task('waiting'), resumes: [] },
    ]);
    expect(state.schedules).to.deep.equal([schedule]);
    const timeouts = [
      { kind: LEASE, id: 'held', dueAtMs: start + 1_000 },
      { kind: RETRIES, id: 'parked', dueAtMs: start + RETRY },
      { kind: RETRIES, id: 'waiting', dueAtMs: start + RETRY },
      ...['a', 'held', 'parked', 'waiting'].map((id) => ({ kind: PROMISE, id, dueAtMs: deadlines })),
      { kind: SCHEDULE, id: 's', dueAtMs: schedule?.nextRunAtMs },
    ];
    const byInstant = timeouts.sort((x, y) => Number(x.dueAtMs) - Number(y.dueAtMs));
    expect(state.timeouts).to.deep.equal(byInstant);
    expect(state.outbox).to.deep.equal([
      { address: 'worker', message: { $case: 'execute', value: { id: 'waiting', version: 0 } } },
      { address: 'y', message: { $case: 'unblockPromiseId', value: 'b' } },
      { address: 'worker', message: { $case: 'execute', value: { id: 'parked', version: 1 } } },
    ]);
  });

  describe('DebugReset', () => {
    it('deletes all but the clock', async () => {
      await server.create('p');
      await server.acquired('t');
      await server.client.promiseRegisterListener({ awaitedId: 'p', address: 'caller' });
      await server.settle('p');
      await server.client.scheduleCreate({ schedule: { id: 's', cron: '* * * * *', promiseId: 'p' } });
      await server.reset();
      const empty = { promises: [], tasks: [], schedules: [], timeouts: [], outbox: [] };
      expect(await server.snapshot()).to.deep.equal({ nowMs: server.now, ...empty });
    });

    it('leaves streams open, with all their credits, and they get new work', async () => {
      const stream = DispatchRecorder.open(server.process.address, { group: 'worker', pid: 'pid', maxInFlight: 1 });
      for (let round = 0; round < 3; round++) {
        await server.create('t', TARGETED);
        await stream.executed(round + 1);
        await server.client.taskAcquire({ id: 't', version: 0, pid: 'pid', ttlMs: 1_000 });
        await server.reset();
      }
      expect(stream.pushed).to.deep.equal(['t', 't', 't']);
      stream.close();
    });
  });

  it('is not there unless it was asked for', async () => {
    const plain = await ServerProcess.start();
    const stubs = new Stubs(plain.address);
    const calls = [
      stubs.call(DebugServiceService.debugSetClock, { nowMs: 0 }),
      stubs.call(DebugServiceService.debugAdvance, { nowMs: 0 }),
      stubs.call(DebugServiceService.debugSnapshot, {}),
      stubs.call(DebugServiceService.debugReset, {}),
    ];
    for (const call of calls) {
      const error: unknown = await call.catch((error: unknown) => error);
      expect(error).to.include({ code: Code.UNIMPLEMENTED });
    }
    stubs.close();
    await plain.kill();
    removeDirectory(plain.data);
  });
});
