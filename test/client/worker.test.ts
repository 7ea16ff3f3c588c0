import { expect } from 'chai';
import {
  Code,
  decodeJson,
  Reject,
  SettleState,
  Worker,
  type RunOver,
  type TaskContext,
} from '../../clients/typescript/index.js';
import { failure } from './failing.js';
import { pendingRecord, settledRecord } from './scripted-server.js';
import { conflict, OpenRuns, TTL, WorkerFixture } from './worker-fixture.js';

describe('client: worker', () => {
  let f: WorkerFixture;
  let runs: OpenRuns;

  beforeEach(() => {
    f = new WorkerFixture();
    runs = new OpenRuns();
  });

  afterEach(() => f.close());

  it('opens a stream as its group and pid, and has started when the server says hello', async () => {
    await f.open(runs.handler, { maxInFlight: 7 });
    expect(f.stream.request).to.deep.equal({
      group: 'g',
      pid: 'w',
      maxInFlight: 7,
      autoAcknowledgeUnblocks: false,
    });
  });

  it('refuses options that cannot work', async () => {
    await f.open(runs.handler);
    const options = { client: f.client, group: 'g', handler: runs.handler };
    expect(() => new Worker({ ...options, maxInFlight: 0 })).to.throw(RangeError);
    expect(() => new Worker({ ...options, ttl: 0 })).to.throw(RangeError);
    expect(new Worker(options).pid).not.to.equal(new Worker(options).pid);
  });

  it('acquires what is pushed, and fulfils it with what the handler returns', async () => {
    await f.open((context) => ({ sum: (context.param as number[])[0]! + context.task.version }));
    f.stream.execute('t', 4);
    const acquire = await f.server.next('taskAcquire');
    expect(acquire.request).to.deep.equal({ id: 't', version: 4, pid: 'w', ttlMs: TTL });
    f.grant(acquire, [10]);
    const { request } = await f.server.next('taskFulfill');
    expect(request.id).to.equal('t');
    expect(request.version).to.equal(5);
    expect(request.state).to.equal(SettleState.SETTLE_STATE_RESOLVED);
    expect(decodeJson(request.value as never)).to.deep.equal({ sum: 15 });
  });

  it('rejects the promise with the value of a Reject', async () => {
    await f.open(() => {
      throw new Reject({ code: 7 });
    });
    await f.give('t');
    const { request } = await f.server.next('taskFulfill');
    expect(request.state).to.equal(SettleState.SETTLE_STATE_REJECTED);
    expect(decodeJson(request.value as never)).to.deep.equal({ code: 7 });
  });

  describe('a failed attempt', () => {
    async function released(version: number, delay: number): Promise<void> {
      await f.clock.armed(delay);
      expect(f.server.waiting('taskRelease')).to.equal(0);
      f.clock.advance(delay);
      const release = await f.server.next('taskRelease');
      expect(release.request).to.deep.equal({ id: 't', version });
      release.reply({});
    }

    it('is released after a back-off that grows with the failures in a row', async () => {
      await f.open(() => Promise.reject(new Error('no')));
      for (const [version, delay] of [1_000, 2_000, 4_000].entries()) {
        await f.give('t', version);
        await released(version + 1, delay);
      }
    });

    it('is forgotten once the task has been suspended', async () => {
      await f.open(runs.handler);
      await f.give('t', 0);
      (await runs.next()).fail(new Error('no'));
      await released(1, 1_000);
      await f.give('t', 1);
      const suspended = failure((await runs.next()).context.awaitAll([pendingRecord('child')]));
      (await f.server.next('taskSuspend')).reply({ outcome: { $case: 'suspended', value: {} } });
      await suspended;
      await f.give('t', 2);
      (await runs.next()).fail(new Error('no'));
      await released(3, 1_000);
    });

    it('is forgotten once the task is fulfilled', async () => {
      await f.open(runs.handler);
      await f.give('t', 0);
      (await runs.next()).fail(new Error('no'));
      await released(1, 1_000);
      await f.give('t', 1);
      (await runs.next()).end();
      (await f.server.next('taskFulfill')).reply({ promise: settledRecord('t') });
      await f.give('t', 2);
      (await runs.next()).fail(new Error('no'));
      await released(3, 1_000);
    });

    it('keeps its lease renewed while it waits', async () => {
      await f.open(() => Promise.reject(new Error('no')), { attemptBackoff: { initialMs: 25_000, maxMs: 25_000 } });
      await f.give('t');
      await f.clock.armed(25_000);
      for (let beat = 0; beat < 2; beat += 1) {
        await f.clock.armed(TTL / 3);
        f.clock.advance(TTL / 3);
        (await f.server.next('taskHeartbeat')).reply({});
      }
      f.clock.advance(5_000);
      await f.server.next('taskRelease');
    });

    it('is also a value that JSON cannot hold, and one that the server refuses', async () => {
      await f.open((context) => (context.task.version === 1 ? 1n : 'much'));
      await f.give('t', 0);
      await released(1, 1_000);
      await f.give('t', 1);
      (await f.server.next('taskFulfill')).refuse({ code: Code.INVALID_ARGUMENT, reason: 'INVALID_REQUEST' });
      await released(2, 2_000);
    });
  });

  describe('acquiring', () => {
    /** Gives a task after `t` was dropped, and sees that nothing has happened about `t`. */
    async function dropped(): Promise<void> {
      await f.give('marker');
      expect((await runs.next()).context.task.id).to.equal('marker');
      expect(f.server.waiting('taskAcquire')).to.equal(0);
    }

    for (const [name, answer] of Object.entries({
      'is not there': { code: Code.NOT_FOUND, reason: 'TASK_NOT_FOUND', status: 404 },
      'has another holder': conflict('TASK_NOT_PENDING', 1, 'other'),
      'has an older or newer lease of this pid': conflict('TASK_NOT_PENDING', 2, 'w'),
      'is suspended': conflict('TASK_NOT_PENDING', 1, undefined, 'suspended'),
      'is not acceptable': { code: Code.INVALID_ARGUMENT, reason: 'INVALID_REQUEST' },
    })) {
      it(`drops a task that ${name}`, async () => {
        await f.open(runs.handler, { maxInFlight: 1 });
        f.stream.execute('t', 0);
        (await f.server.next('taskAcquire')).refuse(answer);
        await dropped();
      });
    }

    it('goes on as the holder when only the answer was lost', async () => {
      await f.open(runs.handler);
      f.stream.execute('t', 0);
      (await f.server.next('taskAcquire')).lose();
      await f.clock.armed(100);
      f.clock.advance(100);
      (await f.server.next('taskAcquire')).refuse(conflict('TASK_NOT_PENDING', 1, 'w'));
      (await f.server.next('promiseGet')).reply({ promise: pendingRecord('t', 'input') });
      // How much of the lease is left is not known: it is renewed at once.
      const { tasks } = (await f.server.next('taskHeartbeat')).request;
      expect(tasks).to.deep.equal([{ id: 't', version: 1 }]);
      const { context, end } = await runs.next();
      expect(context.task).to.deep.equal({ id: 't', version: 1 });
      expect(context.param).to.equal('input');
      end();
      expect((await f.server.next('taskFulfill')).request.version).to.equal(1);
    });

    it('goes on as the holder also when its look at the promise meets a server in trouble', async () => {
      await f.open(runs.handler);
      f.stream.execute('t', 0);
      (await f.server.next('taskAcquire')).refuse(conflict('TASK_NOT_PENDING', 1, 'w'));
      (await f.server.next('promiseGet')).refuse({ code: Code.RESOURCE_EXHAUSTED, reason: 'OVERLOADED' });
      await f.clock.armed(100);
      f.clock.advance(100);
      (await f.server.next('taskAcquire')).refuse(conflict('TASK_NOT_PENDING', 1, 'w'));
      (await f.server.next('promiseGet')).reply({ promise: pendingRecord('t') });
      expect((await runs.next()).context.task).to.deep.equal({ id: 't', version: 1 });
    });

    it('drops a task that it holds but whose promise has settled', async () => {
      await f.open(runs.handler, { maxInFlight: 1 });
      f.stream.execute('t', 0);
      (await f.server.next('taskAcquire')).refuse(conflict('TASK_NOT_PENDING', 1, 'w'));
      (await f.server.next('promiseGet')).reply({ promise: settledRecord('t') });
      await dropped();
    });

    it('gives up when a whole ttl has passed without an answer', async () => {
      await f.open(runs.handler, { maxInFlight: 1, ttl: 500 });
      f.stream.execute('t', 0);
      for (const delay of [100, 200]) {
        (await f.server.next('taskAcquire')).lose();
        await f.clock.armed(delay);
        f.clock.advance(delay);
      }
      (await f.server.next('taskAcquire')).lose(); // The next try would be at 700.
      await dropped();
    });
  });

  describe('pushes', () => {
    it('that come twice are ignored, while the task is acquired and while it runs', async () => {
      await f.open(runs.handler);
      f.stream.execute('t', 0);
      const acquire = await f.server.next('taskAcquire');
      f.stream.execute('t', 0);
      f.grant(acquire);
      const { end, context } = await runs.next();
      f.stream.execute('t', 0);
      await f.give('marker');
      expect((await runs.next()).context.task.id).to.equal('marker');
      expect(context.signal.aborted).to.equal(false);
      end();
      (await f.server.next('taskFulfill')).reply({ promise: settledRecord('t') });
      await f.give('marker2');
      expect(f.server.waiting('taskAcquire')).to.equal(0);
    });

    it('over the limit wait, and are taken in order when there is room', async () => {
      await f.open(runs.handler, { maxInFlight: 1 });
      await f.give('a');
      f.stream.execute('b', 0);
      f.stream.execute('c', 0);
      f.stream.execute('b', 0);
      const first = await runs.next();
      f.stream.send({ $case: 'unblock', value: { promise: settledRecord('p'), address: 'x' } });
      await f.server.next('dispatchAcknowledge'); // So the pushes before it have been heard.
      expect(f.server.waiting('taskAcquire')).to.equal(0);
      first.end();
      (await f.server.next('taskFulfill')).reply({ promise: settledRecord('a') });
      for (const id of ['b', 'c']) {
        const acquire = await f.server.next('taskAcquire');
        expect(acquire.request.id).to.equal(id);
        f.grant(acquire);
        (await runs.next()).end();
        (await f.server.next('taskFulfill')).reply({ promise: settledRecord(id) });
      }
    });

    it('that wait are dropped when the stream ends: they go to others', async () => {
      await f.open(runs.handler, { maxInFlight: 1 });
      await f.give('a');
      const first = await runs.next();
      f.stream.execute('b', 0);
      f.stream.fail({ code: Code.UNAVAILABLE });
      await f.clock.armed(100);
      f.clock.advance(100);
      f.stream = await f.server.streams.next();
      f.stream.hello('session 2');
      (await f.server.next('taskHeartbeat')).reply({}); // The first thing on a new stream.
      first.end();
      (await f.server.next('taskFulfill')).reply({ promise: settledRecord('a') });
      await f.give('c');
      expect((await runs.next()).context.task.id).to.equal('c');
      expect(f.server.waiting('taskAcquire')).to.equal(0);
    });

    it('of a task that this worker believes to hold prove that it does not', async () => {
      await f.open(runs.handler);
      await f.give('t', 0);
      const { context } = await runs.next();
      f.stream.execute('t', 1);
      const acquire = await f.server.next('taskAcquire');
      expect(acquire.request.version).to.equal(1);
      expect((context.signal.reason as RunOver).end).to.equal('lost');
      f.grant(acquire);
      expect((await runs.next()).context.task.version).to.equal(2);
    });

    it('of a task that is just being suspended wait for the end of that', async () => {
      const handler = async (context: TaskContext) => {
        runs.put({ context, end: () => {}, fail: () => {} });
        await context.awaitAll([pendingRecord('child')]);
      };
      await f.open(handler);
      await f.give('t', 0);
      const first = await runs.next();
      const suspend = await f.server.next('taskSuspend');
      f.stream.execute('t', 1);
      await f.give('marker');
      await runs.next();
      suspend.reply({ outcome: { $case: 'suspended', value: {} } });
      f.grant(await f.server.next('taskAcquire'));
      expect((await runs.next()).context.task).to.deep.equal({ id: 't', version: 2 });
      expect((first.context.signal.reason as RunOver).end).to.equal('suspended');
    });
  });

  describe('leases', () => {
    it('are renewed all in one call, three times within the ttl, until the task is done', async () => {
      await f.open(runs.handler);
      await f.give('a', 0);
      await f.give('b', 4);
      const first = await runs.next();
      const second = await runs.next();
      f.clock.advance(TTL / 3);
      const beat = await f.server.next('taskHeartbeat');
      expect(beat.request).to.deep.equal({
        pid: 'w',
        tasks: [
          { id: 'a', version: 1 },
          { id: 'b', version: 5 },
        ],
      });
      beat.reply({});
      await f.clock.armed(TTL / 3);
      first.end();
      (await f.server.next('taskFulfill')).reply({ promise: settledRecord('a') });
      await f.give('c');
      await runs.next();
      f.clock.advance(TTL / 3);
      const tasks = (await f.server.next('taskHeartbeat')).request.tasks ?? [];
      expect(tasks.map((task) => task?.id)).to.deep.equal(['b', 'c']);
      expect(second.context.signal.aborted).to.equal(false);
    });

    it('are renewed also after a time without any', async () => {
      await f.open(runs.handler);
      for (const id of ['a', 'b']) {
        await f.give(id);
        const { end } = await runs.next();
        f.clock.advance(TTL / 3);
        const beat = await f.server.next('taskHeartbeat');
        expect(beat.request.tasks).to.deep.equal([{ id, version: 1 }]);
        beat.reply({});
        await f.clock.armed(TTL / 3);
        end();
        (await f.server.next('taskFulfill')).reply({ promise: settledRecord(id) });
        f.stream.send({ $case: 'unblock', value: { promise: settledRecord('p'), address: 'x' } });
        await f.server.next('dispatchAcknowledge');
      }
    });

    it('are taken for lost after a ttl without an answer: the handler is told, and its place is free', async () => {
      await f.open(runs.handler, { maxInFlight: 1 });
      await f.give('t');
      const { context } = await runs.next();
      f.clock.advance(TTL - 1);
      expect(context.signal.aborted).to.equal(false);
      f.clock.advance(1);
      expect((context.signal.reason as RunOver).end).to.equal('lost');
      expect(await failure(context.create({ id: 'child' }))).to.equal(context.signal.reason);
      await f.give('next');
      expect((await runs.next()).context.task.id).to.equal('next');
      expect(f.server.waiting('taskRelease')).to.equal(0);
    });

    it('count from the sending of the last call that renewed them', async () => {
      await f.open(runs.handler);
      await f.give('t');
      const { context } = await runs.next();
      f.clock.advance(TTL / 3);
      const beat = await f.server.next('taskHeartbeat');
      f.clock.advance(5_000);
      beat.reply({});
      await f.clock.armed(TTL / 3);
      f.clock.advance(TTL - 5_001);
      expect(context.signal.aborted).to.equal(false);
      f.clock.advance(1);
      expect(context.signal.aborted).to.equal(true);
    });
  });

  describe('unblocks', () => {
    const unblock = (id: string) => ({ promise: settledRecord(id), address: `uni@g/${id}` });

    it('are acknowledged once they are handled, those of a frame in one call', async () => {
      const seen: string[] = [];
      await f.open(runs.handler, { onUnblock: ({ id }, address) => seen.push(`${id} ${address}`) });
      f.stream.send({ $case: 'unblock', value: unblock('p') }, { $case: 'unblock', value: unblock('q') });
      const { request } = await f.server.next('dispatchAcknowledge');
      expect(request.unblocks).to.deep.equal([
        { promiseId: 'p', address: 'uni@g/p' },
        { promiseId: 'q', address: 'uni@g/q' },
      ]);
      expect(seen).to.deep.equal(['p uni@g/p', 'q uni@g/q']);
    });

    it('are not acknowledged when handling them fails', async () => {
      await f.open(runs.handler, {
        onUnblock: ({ id }) => {
          if (id === 'bad') throw new Error('no');
        },
      });
      f.stream.send({ $case: 'unblock', value: unblock('bad') }, { $case: 'unblock', value: unblock('good') });
      const { request } = await f.server.next('dispatchAcknowledge');
      expect(request.unblocks?.map((ref) => ref?.promiseId)).to.deep.equal(['good']);
    });
  });
});
