import { expect } from 'chai';
import { PromiseState, Reason, SettleState, TaskState } from '../../clients/typescript/index.js';
import {
  aborted,
  failedPrecondition,
  NOT_IMPLEMENTED,
  notFound,
  task,
  TARGETED,
  TestServer,
  value,
} from './fixture.js';

const TAGS = new Map(Object.entries(TARGETED));
const LEASE = { pid: 'pid', ttlMs: 1_000 };
const HELD = { state: TaskState.TASK_STATE_ACQUIRED, version: 1, ...LEASE };
const FULFILLED = { state: TaskState.TASK_STATE_FULFILLED };

describe('e2e: TaskService', () => {
  let server: TestServer;
  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(() => server.reset());

  async function taskNow(id: string) {
    return (await server.client.taskGet({ id })).task;
  }

  describe('TaskGet', () => {
    it('answers with the task: version 0, no pid, no ttl, no resumes', async () => {
      await server.create('t', TARGETED);
      expect(await taskNow('t')).to.deep.equal(task('t'));
    });

    it('answers with the holder and the number of resumes', async () => {
      await server.create('child');
      await server.acquired('t');
      await server.client.promiseRegisterCallback({ awaitedId: 'child', awaiterId: 't' });
      await server.settle('child');
      expect(await taskNow('t')).to.deep.equal(task('t', { ...HELD, resumes: 1 }));
    });

    it('shows the task of a promise past its deadline as fulfilled, and writes nothing', async () => {
      await server.create('t', TARGETED, server.now + 10);
      await server.setClock(server.now + 10);
      const before = await server.snapshot();
      expect(await taskNow('t')).to.deep.equal(task('t', FULFILLED));
      expect(await server.snapshot()).to.deep.equal(before);
    });

    it('404', async () => {
      await server.create('t');
      await server.refuses(() => taskNow('t'), notFound('TASK_NOT_FOUND', 't'));
    });
  });

  describe('TaskCreate', () => {
    const request = (timeoutAtMs: number, tags: Map<string, string> | undefined = TAGS) => ({
      ...LEASE,
      promise: { id: 't', timeoutAtMs, param: value('for t'), tags },
    });

    it('creates a promise and a task that the caller holds', async () => {
      const answer = await server.client.taskCreate(request(server.far));
      expect(answer).to.deep.equal({ task: task('t', HELD), promise: server.promise('t', { tags: TAGS }) });
      expect(await taskNow('t')).to.deep.equal(answer.task);
    });

    it('creates both settled when the deadline has passed', async () => {
      const times = { timeoutAtMs: server.now, createdAtMs: server.now, settledAtMs: server.now };
      const state = PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT;
      expect(await server.client.taskCreate(request(server.now))).to.deep.equal({
        task: task('t', FULFILLED),
        promise: server.promise('t', { tags: TAGS, state, ...times }),
      });
    });

    it('takes a pending task', async () => {
      await server.create('t', TARGETED);
      expect(await server.client.taskCreate(request(1))).to.deep.equal({
        task: task('t', HELD),
        promise: server.promise('t', { tags: TAGS }),
      });
    });

    it('answers with a fulfilled task', async () => {
      await server.create('t', TARGETED);
      await server.settle('t');
      const state = PromiseState.PROMISE_STATE_RESOLVED;
      expect(await server.client.taskCreate(request(1))).to.deep.equal({
        task: task('t', FULFILLED),
        promise: server.promise('t', { tags: TAGS, state, value: value('of t'), settledAtMs: server.now }),
      });
    });

    it('422 for a promise without a target', async () => {
      await server.create('t');
      await server.refuses(
        () => server.client.taskCreate(request(server.far)),
        failedPrecondition('PROMISE_WITHOUT_TARGET', 't'),
      );
    });

    it('409 for a task that somebody holds, and says who', async () => {
      await server.acquired('t');
      const held = { id: 't', task_state: 'acquired', task_version: '1', task_pid: 'pid' };
      await server.refuses(() => server.client.taskCreate(request(server.far)), aborted('TASK_NOT_PENDING', held));
    });
  });

  describe('TaskAcquire', () => {
    const acquire = (version: number) => server.client.taskAcquire({ id: 't', version, ...LEASE });

    it('takes a pending task', async () => {
      await server.create('t', TARGETED);
      expect(await acquire(0)).to.deep.equal({
        task: task('t', HELD),
        promise: server.promise('t', { tags: TAGS }),
      });
      expect((await server.snapshot()).outbox).to.deep.equal([]);
    });

    it('404', () => server.refuses(() => acquire(0), notFound('TASK_NOT_FOUND', 't')));

    it('409 for a task that is not pending', async () => {
      await server.acquired('t');
      const held = { id: 't', task_state: 'acquired', task_version: '1', task_pid: 'pid' };
      await server.refuses(() => acquire(1), aborted('TASK_NOT_PENDING', held));
    });

    it('409 for another version', async () => {
      await server.create('t', TARGETED);
      const metadata = { id: 't', task_state: 'pending', task_version: '0' };
      await server.refuses(() => acquire(1), aborted('TASK_VERSION_MISMATCH', metadata));
    });
  });

  describe('the checks of whoever holds the task', () => {
    const settle = { $case: 'settle', value: { id: 'p', state: SettleState.SETTLE_STATE_RESOLVED } } as const;
    const calls = {
      TaskFence: (version: number) => server.client.taskFence({ id: 't', version, action: settle }),
      TaskSuspend: (version: number) => server.client.taskSuspend({ id: 't', version, awaitedIds: ['p'] }),
      TaskFulfill: (version: number) => server.client.taskFulfill({ id: 't', version, state: 1 }),
      TaskRelease: (version: number) => server.client.taskRelease({ id: 't', version }),
    };
    for (const [name, call] of Object.entries(calls)) {
      it(`${name}: 404`, () => server.refuses(() => call(1), notFound('TASK_NOT_FOUND', 't')));

      it(`${name}: 409 for a task that nobody holds`, async () => {
        await server.create('t', TARGETED);
        const metadata = { id: 't', task_state: 'pending', task_version: '0' };
        await server.refuses(() => call(0), aborted('TASK_NOT_ACQUIRED', metadata));
      });

      it(`${name}: 409 for another version`, async () => {
        await server.acquired('t');
        const held = { id: 't', task_state: 'acquired', task_version: '1', task_pid: 'pid' };
        await server.refuses(() => call(2), aborted('TASK_VERSION_MISMATCH', held));
      });
    }
  });

  describe('TaskFence', () => {
    beforeEach(() => server.acquired('t'));

    it('creates a promise', async () => {
      const create = { id: 'p', timeoutAtMs: server.far, param: value('for p') };
      const { outcome } = await server.client.taskFence({
        id: 't',
        version: 1,
        action: { $case: 'create', value: create },
      });
      expect(outcome).to.deep.equal({ $case: 'promise', value: server.promise('p') });
    });

    it('settles a promise', async () => {
      await server.create('p');
      const settle = { id: 'p', state: SettleState.SETTLE_STATE_REJECTED, value: value('no') };
      const { outcome } = await server.client.taskFence({
        id: 't',
        version: 1,
        action: { $case: 'settle', value: settle },
      });
      const state = PromiseState.PROMISE_STATE_REJECTED;
      const promise = server.promise('p', { state, value: value('no'), settledAtMs: server.now });
      expect(outcome).to.deep.equal({ $case: 'promise', value: promise });
    });

    it('answers with the refusal of the inner action', async () => {
      const before = await server.snapshot();
      const settle = { id: 'p', state: SettleState.SETTLE_STATE_REJECTED };
      const { outcome } = await server.client.taskFence({
        id: 't',
        version: 1,
        action: { $case: 'settle', value: settle },
      });
      expect(outcome?.$case).to.equal('refusal');
      expect(outcome?.value).to.deep.include({
        reason: Reason.REASON_PROMISE_NOT_FOUND,
        protocolStatus: 404,
        metadata: new Map([['id', 'p']]),
      });
      expect(await server.snapshot()).to.deep.equal(before);
    });
  });

  describe('TaskHeartbeat', () => {
    it('renews the leases of what the caller holds, and skips the rest without a word', async () => {
      await server.acquired('t');
      await server.acquired('other version');
      await server.setClock(server.now + 500);
      const tasks = [
        { id: 't', version: 1 },
        { id: 'other version', version: 2 },
        { id: 'absent', version: 1 },
      ];
      expect(await server.client.taskHeartbeat({ pid: 'pid', tasks })).to.deep.equal({});
      const { timeouts } = await server.snapshot();
      const leases = timeouts.filter(({ dueAtMs }) => dueAtMs < server.now + 2_000);
      expect(leases.map(({ id, dueAtMs }) => [id, dueAtMs - server.now])).to.deep.equal([
        ['other version', 500],
        ['t', 1_000],
      ]);
    });

    it('takes an empty list', async () => {
      expect(await server.client.taskHeartbeat({ pid: 'pid' })).to.deep.equal({});
    });
  });

  describe('TaskSuspend', () => {
    const suspend = (...awaitedIds: string[]) => server.client.taskSuspend({ id: 't', version: 1, awaitedIds });
    beforeEach(() => server.acquired('t'));

    it('parks the task', async () => {
      await server.create('p');
      expect(await suspend('p')).to.deep.equal({ outcome: { $case: 'suspended', value: {} } });
      expect(await taskNow('t')).to.deep.equal(task('t', { state: TaskState.TASK_STATE_SUSPENDED, version: 1 }));
    });

    it('300: answers ready when an awaited promise is settled, and parks nothing', async () => {
      await server.create('p');
      await server.create('q');
      await server.settle('q');
      const before = await server.snapshot();
      expect(await suspend('p', 'q')).to.deep.equal({ outcome: { $case: 'ready', value: {} } });
      expect(await server.snapshot()).to.deep.equal(before);
    });

    it('422 for an awaited promise that is absent: the first in the list', async () => {
      await server.create('p');
      await server.refuses(() => suspend('p', 'q', 'r'), failedPrecondition('AWAITED_NOT_FOUND', 'q'));
    });
  });

  it('TaskFulfill settles the promise', async () => {
    await server.acquired('t');
    const state = SettleState.SETTLE_STATE_REJECTED_CANCELED;
    const { promise } = await server.client.taskFulfill({ id: 't', version: 1, state, value: value('gone') });
    expect(promise).to.deep.equal(
      server.promise('t', {
        tags: TAGS,
        state: PromiseState.PROMISE_STATE_REJECTED_CANCELED,
        value: value('gone'),
        settledAtMs: server.now,
      }),
    );
    expect(await taskNow('t')).to.deep.equal(task('t', { ...FULFILLED, version: 1 }));
  });

  it('TaskRelease gives the task back', async () => {
    await server.acquired('t');
    expect(await server.client.taskRelease({ id: 't', version: 1 })).to.deep.equal({});
    expect(await taskNow('t')).to.deep.equal(task('t', { version: 1 }));
    const message = { $case: 'execute', value: { id: 't', version: 1 } };
    expect((await server.snapshot()).outbox).to.deep.equal([{ address: 'worker', message }]);
  });

  describe('TaskHalt', () => {
    it('halts a task, twice is once', async () => {
      await server.acquired('t');
      for (let i = 0; i < 2; i++) expect(await server.client.taskHalt({ id: 't' })).to.deep.equal({});
      expect(await taskNow('t')).to.deep.equal(task('t', { state: TaskState.TASK_STATE_HALTED, version: 1 }));
    });

    it('404', () => server.refuses(() => server.client.taskHalt({ id: 't' }), notFound('TASK_NOT_FOUND', 't')));

    it('409 for a fulfilled task', async () => {
      await server.create('t', TARGETED);
      await server.settle('t');
      const metadata = { id: 't', task_state: 'fulfilled', task_version: '0' };
      await server.refuses(() => server.client.taskHalt({ id: 't' }), aborted('TASK_FULFILLED', metadata));
    });
  });

  describe('TaskContinue', () => {
    it('puts a halted task back', async () => {
      await server.acquired('t');
      await server.client.taskHalt({ id: 't' });
      expect(await server.client.taskContinue({ id: 't' })).to.deep.equal({});
      expect(await taskNow('t')).to.deep.equal(task('t', { version: 1 }));
    });

    it('404', () => server.refuses(() => server.client.taskContinue({ id: 't' }), notFound('TASK_NOT_FOUND', 't')));

    it('409 for a task that is not halted', async () => {
      await server.create('t', TARGETED);
      const metadata = { id: 't', task_state: 'pending', task_version: '0' };
      await server.refuses(() => server.client.taskContinue({ id: 't' }), aborted('TASK_NOT_HALTED', metadata));
    });
  });

  it('TaskSearch: 501, whatever the request', async () => {
    for (const request of [{}, { state: TaskState.TASK_STATE_PENDING, limit: 10, cursor: 'c' }]) {
      await server.refuses(() => server.client.taskSearch(request), NOT_IMPLEMENTED);
    }
  });
});
