import { expect } from 'chai';
import {
  Code,
  decodeJson,
  PromiseState,
  Reason,
  RunOver,
  SettleState,
  unwrap,
  type PromiseRecord,
  type ResonateError,
  type TaskContext,
} from '../../clients/typescript/index.js';
import { failure, refusal } from './failing.js';
import { Inbox } from './inbox.js';
import { pendingRecord, settledRecord } from './scripted-server.js';
import { conflict, TTL, WorkerFixture } from './worker-fixture.js';

const SUSPENDED = { outcome: { $case: 'suspended', value: {} } } as const;
const READY = { outcome: { $case: 'ready', value: {} } } as const;
const fenced = (promise: PromiseRecord) => ({ outcome: { $case: 'promise', value: promise } }) as const;

describe('client: task context', () => {
  let f: WorkerFixture;
  let contexts: Inbox<TaskContext>;
  let context: TaskContext;
  let finish: (value?: unknown) => void;

  /** A worker that holds `t` under version 1, in a handler that ends when the test says so. */
  beforeEach(async () => {
    f = new WorkerFixture();
    contexts = new Inbox('a run');
    await f.open(
      (running) =>
        new Promise((resolve) => {
          finish = resolve;
          contexts.put(running);
        }),
      { maxInFlight: 1 },
    );
    await f.give('t', 0, 'input');
    context = await contexts.next();
  });

  afterEach(() => f.close());

  /** The place of `t` is free, and nothing has been done about it meanwhile. */
  async function dropped(): Promise<void> {
    await f.give('marker');
    expect((await contexts.next()).task.id).to.equal('marker');
    expect(f.server.waiting('taskFulfill')).to.equal(0);
    expect(f.server.waiting('taskRelease')).to.equal(0);
  }

  async function over(promise: Promise<unknown>): Promise<RunOver> {
    const error = await failure(promise);
    if (error instanceof RunOver) return error;
    throw error;
  }

  async function retry(delay = 100): Promise<void> {
    await f.clock.armed(delay);
    f.clock.advance(delay);
  }

  it('knows its task and its promise', () => {
    expect(context.task).to.deep.equal({ id: 't', version: 1 });
    expect(context.promise.id).to.equal('t');
    expect(context.param).to.equal('input');
    expect(context.signal.aborted).to.equal(false);
  });

  describe('create', () => {
    it('creates a child through the fence, by default with the deadline of its parent', async () => {
      const answer = context.create({ id: 'c', target: 'any@g', param: 1 });
      const { request, reply } = await f.server.next('taskFence');
      expect(request.id).to.equal('t');
      expect(request.version).to.equal(1);
      expect(request.action?.$case).to.equal('create');
      const spec = request.action?.value as { id: string; timeoutAtMs: number; tags: Map<string, string> };
      expect(spec.id).to.equal('c');
      expect(spec.timeoutAtMs).to.equal(context.promise.timeoutAtMs);
      expect(spec.tags).to.deep.equal(new Map([['resonate:target', 'any@g']]));
      reply(fenced(settledRecord('c', 'as it stands')));
      expect(unwrap(await answer)).to.equal('as it stands');
    });

    it('is repeated while the answer is lost and the lease stands', async () => {
      const answer = context.create({ id: 'c' });
      (await f.server.next('taskFence')).lose();
      await retry(100);
      (await f.server.next('taskFence')).refuse({ code: Code.RESOURCE_EXHAUSTED, reason: 'OVERLOADED' });
      await retry(200);
      (await f.server.next('taskFence')).refuse({ code: Code.INTERNAL, message: 'stream was reset' });
      await retry(400);
      (await f.server.next('taskFence')).reply(fenced(pendingRecord('c')));
      expect((await answer).id).to.equal('c');
    });

    it('may be called any number of times at once', async () => {
      const warnings: Error[] = [];
      const warn = (warning: Error) => warnings.push(warning);
      process.on('warning', warn);
      const children = Promise.all(Array.from({ length: 50 }, (_, n) => context.create({ id: `c${n}` })));
      for (let n = 0; n < 50; n += 1) (await f.server.next('taskFence')).reply(fenced(pendingRecord('c')));
      expect(await children).to.have.length(50);
      process.off('warning', warn);
      expect(warnings).to.deep.equal([]);
    });

    it('ends the run when the lease ends before the server is back', async () => {
      const answer = over(context.create({ id: 'c' }));
      (await f.server.next('taskFence')).lose();
      await f.clock.armed(100);
      const beat = f.server.next('taskHeartbeat');
      f.clock.advance(TTL);
      await beat;
      expect((await answer).end).to.equal('lost');
      await dropped();
    });

    it('cancels a call that is under way when the lease ends', async () => {
      const answer = over(context.create({ id: 'c' }));
      const call = await f.server.next('taskFence');
      f.clock.advance(TTL);
      expect((await answer).end).to.equal('lost');
      await call.cancelled;
    });

    it('ends the run when another one holds the task, and says why', async () => {
      const answer = over(context.create({ id: 'c' }));
      (await f.server.next('taskFence')).refuse(conflict('TASK_VERSION_MISMATCH', 2, 'other'));
      const error = await answer;
      expect(error.end).to.equal('lost');
      expect((error.cause as ResonateError).reason).to.equal('TASK_VERSION_MISMATCH');
      expect(context.signal.reason).to.equal(error);
      finish('ignored');
      await dropped();
    });

    for (const answer of [
      { code: Code.NOT_FOUND, reason: 'TASK_NOT_FOUND', status: 404 },
      conflict('TASK_NOT_ACQUIRED', 1, undefined, 'halted'),
      conflict('PROMISE_NOT_LIVE', 1, 'w'),
    ]) {
      it(`ends the run on ${answer.reason}`, async () => {
        const run = over(context.create({ id: 'c' }));
        (await f.server.next('taskFence')).refuse(answer);
        expect((await run).end).to.equal('lost');
        await dropped();
      });
    }

    it('goes on when a refusal shows that it is the holder', async () => {
      const answer = context.create({ id: 'c' });
      (await f.server.next('taskFence')).refuse(conflict('TASK_MISSING', 1, 'w'));
      await retry();
      (await f.server.next('taskFence')).reply(fenced(pendingRecord('c')));
      expect((await answer).id).to.equal('c');
    });

    it('throws what else the server refuses, and the run goes on', async () => {
      const answer = refusal(context.create({ id: '' }));
      (await f.server.next('taskFence')).refuse({ code: Code.INVALID_ARGUMENT, reason: 'INVALID_REQUEST' });
      expect((await answer).reason).to.equal('INVALID_REQUEST');
      expect(context.signal.aborted).to.equal(false);
    });
  });

  describe('settle', () => {
    it('settles a promise through the fence', async () => {
      const answer = context.settle({ id: 'c', state: SettleState.SETTLE_STATE_REJECTED_CANCELED, value: 3 });
      const { request, reply } = await f.server.next('taskFence');
      expect(request.action?.$case).to.equal('settle');
      const settlement = request.action?.value as { id: string; state: SettleState; value: never };
      expect(settlement.id).to.equal('c');
      expect(settlement.state).to.equal(SettleState.SETTLE_STATE_REJECTED_CANCELED);
      expect(decodeJson(settlement.value)).to.equal(3);
      reply(fenced(settledRecord('c', 'earlier')));
      expect(unwrap(await answer)).to.equal('earlier');
    });

    it('throws an inner refusal as the inner call would have', async () => {
      const answer = refusal(context.settle({ id: 'c' }));
      (await f.server.next('taskFence')).reply({
        outcome: {
          $case: 'refusal',
          value: {
            reason: Reason.REASON_PROMISE_NOT_FOUND,
            protocolStatus: 404,
            code: 5,
            message: 'no promise "c"',
            metadata: new Map([['id', 'c']]),
          },
        },
      });
      const error = await answer;
      expect(error.code).to.equal(Code.NOT_FOUND);
      expect(error.reason).to.equal('PROMISE_NOT_FOUND');
      expect(error.status).to.equal(404);
      expect(error.metadata).to.deep.equal({ id: 'c' });
      expect(error.message).to.equal('no promise "c"');
    });
  });

  describe('awaitAll', () => {
    it('returns what is settled, in order, and reads only what it was given as an id', async () => {
      const answer = context.awaitAll([settledRecord('a', 1), 'b', settledRecord('c', 3)]);
      const get = await f.server.next('promiseGet');
      expect(get.request).to.deep.equal({ id: 'b' });
      get.reply({ promise: settledRecord('b', 2, PromiseState.PROMISE_STATE_REJECTED) });
      expect((await answer).map(({ id }) => id)).to.deep.equal(['a', 'b', 'c']);
      expect(await context.awaitAll([])).to.deep.equal([]);
      expect(f.server.waiting('taskSuspend')).to.equal(0);
    });

    it('throws NOT_FOUND for an unknown promise', async () => {
      const answer = refusal(context.awaitAll(['x']));
      (await f.server.next('promiseGet')).refuse({ code: Code.NOT_FOUND, reason: 'PROMISE_NOT_FOUND', status: 404 });
      expect((await answer).reason).to.equal('PROMISE_NOT_FOUND');
    });

    it('suspends the task and ends the run; every further call throws the same', async () => {
      const answer = over(context.awaitAll([settledRecord('a'), pendingRecord('b'), pendingRecord('c')]));
      const { request, reply } = await f.server.next('taskSuspend');
      expect(request).to.deep.equal({ id: 't', version: 1, awaitedIds: ['b'] });
      reply(SUSPENDED);
      const error = await answer;
      expect(error.end).to.equal('suspended');
      for (const call of [
        context.create({ id: 'd' }),
        context.settle({ id: 'd' }),
        context.get('d'),
        context.awaitAll([pendingRecord('d')]),
        context.sleep('d', 1),
      ]) {
        expect(await failure(call)).to.equal(error);
      }
      expect(context.signal.reason).to.equal(error);
      finish('swallowed it');
      await dropped();
    });

    it('goes on at once when something has settled meanwhile, for as long as it takes', async () => {
      const answer = context.awaitAll([pendingRecord('a'), pendingRecord('b')]);
      (await f.server.next('taskSuspend')).reply(READY);
      for (const promise of [settledRecord('a', 1), pendingRecord('b')]) {
        const get = await f.server.next('promiseGet');
        expect(get.request).to.deep.equal({ id: promise.id });
        get.reply({ promise });
      }
      const again = await f.server.next('taskSuspend');
      expect(again.request.awaitedIds).to.deep.equal(['b']);
      again.reply(READY);
      const get = await f.server.next('promiseGet');
      expect(get.request).to.deep.equal({ id: 'b' });
      get.reply({ promise: settledRecord('b', 2) });
      expect((await answer).map(unwrap)).to.deep.equal([1, 2]);
      expect(context.signal.aborted).to.equal(false);
    });

    it('runs the handler again, from its start, when the task is resumed', async () => {
      const run = over(context.awaitAll([pendingRecord('a')]));
      (await f.server.next('taskSuspend')).reply(SUSPENDED);
      await run;
      await f.give('t', 1);
      const again = await contexts.next();
      expect(again.task).to.deep.equal({ id: 't', version: 2 });
      const answer = again.awaitAll(['a']);
      (await f.server.next('promiseGet')).reply({ promise: settledRecord('a', 1) });
      finish(unwrap((await answer)[0]!));
      const { request } = await f.server.next('taskFulfill');
      expect(request.version).to.equal(2);
      expect(decodeJson(request.value as never)).to.equal(1);
    });

    for (const [name, answer] of Object.entries({
      'is suspended': conflict('TASK_NOT_ACQUIRED', 1, undefined, 'suspended'),
      'has been resumed': conflict('TASK_NOT_ACQUIRED', 1, undefined, 'pending'),
      'has its next holder': conflict('TASK_VERSION_MISMATCH', 2, 'other'),
    })) {
      it(`ends the run when the answer was lost and the task ${name}`, async () => {
        const run = over(context.awaitAll([pendingRecord('a')]));
        (await f.server.next('taskSuspend')).lose();
        await retry();
        (await f.server.next('taskSuspend')).refuse(answer);
        await run;
        await dropped();
      });
    }

    it('suspends after all when the lost call had not arrived', async () => {
      const run = over(context.awaitAll([pendingRecord('a')]));
      (await f.server.next('taskSuspend')).lose();
      await retry();
      (await f.server.next('taskSuspend')).reply(SUSPENDED);
      expect((await run).end).to.equal('suspended');
    });
  });

  describe('sleep', () => {
    it('creates a timer and waits for it', async () => {
      const run = over(context.sleep('nap', 5_000));
      const fence = await f.server.next('taskFence');
      const spec = fence.request.action?.value as { id: string; timeoutAtMs: number; tags: Map<string, string> };
      expect(spec.id).to.equal('nap');
      expect(spec.timeoutAtMs).to.equal(5_000);
      expect(spec.tags).to.deep.equal(new Map([['resonate:timer', 'true']]));
      fence.reply(fenced(pendingRecord('nap')));
      const suspend = await f.server.next('taskSuspend');
      expect(suspend.request.awaitedIds).to.deep.equal(['nap']);
      suspend.reply(SUSPENDED);
      expect((await run).end).to.equal('suspended');
    });

    it('returns when the timer has fired', async () => {
      const slept = context.sleep('nap', 5_000);
      (await f.server.next('taskFence')).reply(fenced(settledRecord('nap')));
      await slept;
      expect(f.server.waiting('taskSuspend')).to.equal(0);
    });
  });

  describe('fulfilling', () => {
    it('looks at the promise when an answer was lost: settled is done', async () => {
      finish('value');
      (await f.server.next('taskFulfill')).lose();
      await retry();
      (await f.server.next('taskFulfill')).refuse(conflict('TASK_NOT_ACQUIRED', 1, undefined, 'fulfilled'));
      const get = await f.server.next('promiseGet');
      expect(get.request).to.deep.equal({ id: 't' });
      get.reply({ promise: settledRecord('t', 'value') });
      await dropped();
      expect(f.log.lines).to.include('task fulfilled');
    });

    it('looks at the promise when an answer was lost: pending is lost', async () => {
      finish('value');
      (await f.server.next('taskFulfill')).lose();
      await retry();
      (await f.server.next('taskFulfill')).refuse(conflict('TASK_NOT_ACQUIRED', 1, undefined, 'pending'));
      (await f.server.next('promiseGet')).reply({ promise: pendingRecord('t') });
      await dropped();
      expect(f.log.lines).not.to.include('task fulfilled');
    });

    it('does not look when no answer was lost: the task is dropped', async () => {
      finish('value');
      (await f.server.next('taskFulfill')).refuse(conflict('TASK_NOT_ACQUIRED', 1, undefined, 'pending'));
      await dropped();
      expect(f.server.waiting('promiseGet')).to.equal(0);
    });

    it('ends what the handler has left behind', async () => {
      finish();
      (await f.server.next('taskFulfill')).reply({ promise: settledRecord('t') });
      await f.give('marker');
      await contexts.next();
      expect((await over(context.create({ id: 'c' }))).end).to.equal('finished');
    });
  });
});
