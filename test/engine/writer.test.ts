import { expect } from 'chai';
import type { EngineError } from '../../src/engine/engine.js';
import type { Change } from '../../src/store/store.js';
import { StoreError } from '../../src/store/store.js';
import { batchRun, EngineFixture, FAR, RETRY, START } from './fixture.js';

const TIMER = { 'resonate:timer': 'true' };

async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  return expect.fail('it did not fail');
}

describe('the writer', () => {
  it('runs what one turn of the event loop submits in one transaction', async () => {
    const engine = new EngineFixture();
    const before = engine.store.transactions;
    await Promise.all(Array.from({ length: 100 }, (_, i) => engine.create(`p${i}`)));
    expect(engine.store.transactions - before).to.equal(1);
  });

  it('runs a larger crowd in several, and in the order of submission', async () => {
    const engine = new EngineFixture();
    const order: number[] = [];
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => engine.create(`p${i}`).then(() => order.push(i))));
    expect(order).to.deep.equal(Array.from({ length: 2_000 }, (_, i) => i));
  });

  it('tells the listeners what was committed before it answers', async () => {
    const engine = new EngineFixture();
    const seen: string[] = [];
    engine.writer.onCommit((changes) => seen.push(...changes.map(({ kind }) => kind)));
    await engine.createTask('t').then(() => seen.push('answer'));
    expect(seen).to.deep.equal(['task', 'execute', 'answer']);
  });

  it('tells the listeners nothing of what could not be committed', async () => {
    const engine = new EngineFixture();
    const seen: string[] = [];
    engine.writer.onCommit((changes) => seen.push(...changes.map(({ kind }) => kind)));
    engine.store.commitFailure = new StoreError('full', 'no space left');
    await failure(engine.createTask('t'));
    expect(seen).to.deep.equal([]);
  });

  it('goes on when a listener fails', async () => {
    const engine = new EngineFixture();
    const seen: (readonly Change[])[] = [];
    engine.writer.onCommit(() => {
      throw new Error('a bad listener');
    });
    engine.writer.onCommit((changes) => seen.push(changes));
    await engine.createTask('t');
    expect(seen).to.have.length(1);
  });

  it('undoes a faulty operation alone: its neighbours in the batch are answered and stay', async () => {
    const engine = new EngineFixture();
    engine.store.broken.add('bad');
    const answers = await Promise.allSettled([engine.create('a'), engine.create('bad'), engine.create('b')]);
    expect(answers.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    const error = (answers[1] as PromiseRejectedResult).reason as EngineError;
    expect(error.kind).to.equal('fault');
    expect(error.message).not.to.contain('broken record');
    expect(engine.stored('a')?.state).to.equal('pending');
    expect(engine.stored('b')?.state).to.equal('pending');
  });

  it('undoes all that a faulty operation had written', async () => {
    const engine = new EngineFixture();
    await engine.createTask('awaiter');
    await engine.create('p');
    await engine.submit('promise.register_callback', { awaitedId: 'p', awaiterId: 'awaiter' });
    await engine.submit('task.acquire', { id: 'awaiter', version: 0, pid: 'w', ttl: 60_000 });
    await engine.submit('task.suspend', { id: 'awaiter', version: 1, awaitedIds: ['p'] });
    const before = engine.store.snapshot();
    const told: (readonly Change[])[] = [];
    engine.writer.onCommit((changes) => told.push(changes));
    // The promise is settled by then, and its callback taken.
    engine.store.broken.add('awaiter');
    const value = { headers: new Map<string, string>() };
    const settle = engine.submit('promise.settle', { id: 'p', state: 'resolved', value });
    expect(((await failure(settle)) as EngineError).kind).to.equal('fault');
    expect(engine.store.snapshot()).to.deep.equal(before);
    expect(told).to.deep.equal([]);
  });

  it('leaves what does not fit into the time of a batch to the next, in its place', async () => {
    const engine = new EngineFixture();
    const before = engine.store.transactions;
    const order: string[] = [];
    const submit = (id: string, onRun: () => void) => {
      const request = { id, timeoutAt: FAR, param: { headers: new Map() }, tags: new Map() };
      void engine.writer.submit({ name: 'promise.create', request }, { onRun }).then(() => order.push(id));
    };
    const slow = () => void (engine.timers.now += 5);
    submit('a', () => {
      slow();
      submit('late', slow);
    });
    for (const id of ['b', 'c', 'd', 'e']) submit(id, slow);
    for (let turn = 0; turn < 10; turn++) await batchRun();
    expect(order).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'late']);
    expect(engine.store.transactions - before).to.equal(3);
  });

  it('drops a cancelled call unrun', async () => {
    const engine = new EngineFixture();
    let cancelled = false;
    const request = { id: 'p', timeoutAt: FAR, param: { headers: new Map() }, tags: new Map() };
    const submitted = engine.writer.submit({ name: 'promise.create', request }, { isCancelled: () => cancelled });
    cancelled = true;
    expect(((await failure(submitted)) as EngineError).kind).to.equal('cancelled');
    expect(engine.stored('p')).to.equal(undefined);
  });

  it('answers a call that was cancelled after it had run with what it wrote', async () => {
    const engine = new EngineFixture();
    let cancelled = false;
    const request = { id: 'p', timeoutAt: FAR, param: { headers: new Map() }, tags: new Map() };
    const operation = { name: 'promise.create', request } as const;
    const isCancelled = () => cancelled;
    const answer = engine.writer.submit(operation, { isCancelled, onRun: () => (cancelled = true) });
    const [outcome] = await Promise.allSettled([answer]);
    expect(outcome).to.have.nested.property('value.status', 200);
    expect(engine.stored('p')?.state).to.equal('pending');
  });

  it('answers a full disk, writes nothing, and works again once there is room', async () => {
    const engine = new EngineFixture();
    await engine.create('before');
    engine.store.commitFailure = new StoreError('full', 'no space left');
    const errors = await Promise.all([failure(engine.create('a')), failure(engine.create('b'))]);
    expect(errors.map((error) => (error as EngineError).kind)).to.deep.equal(['storage_full', 'storage_full']);
    expect(engine.stored('a')).to.equal(undefined);
    engine.store.commitFailure = undefined;
    await engine.create('a');
    expect(engine.stored('a')?.state).to.equal('pending');
    expect(engine.fatal).to.deep.equal([]);
  });

  it('reads on while the disk is full, at an instant that was reserved', async () => {
    const engine = new EngineFixture();
    await engine.create('p', START + 60_000);
    const reserved = engine.clock.mark;
    engine.store.commitFailure = new StoreError('full', 'no space left');
    engine.timers.now += 120_000;
    // Not projected: the time of its deadline could not be reserved, and a restart might come before it.
    expect((await engine.get('p')).state).to.equal('pending');
    expect(engine.clock.mark).to.equal(reserved);
  });

  it('ends for good on any other failure of the store', async () => {
    const engine = new EngineFixture();
    engine.store.commitFailure = new StoreError('unusable', 'the owner changed');
    expect(((await failure(engine.create('a'))) as EngineError).kind).to.equal('fault');
    expect(engine.fatal.map(({ message }) => message)).to.deep.equal(['the owner changed']);
    expect(((await failure(engine.create('b'))) as EngineError).kind).to.equal('draining');
  });

  it('ends for good when a read finds the store unusable', async () => {
    const engine = new EngineFixture();
    await engine.create('p');
    // Far enough for the read to reserve time.
    engine.timers.now += 10_000;
    engine.store.commitFailure = new StoreError('unusable', 'the owner changed');
    await failure(engine.get('p'));
    expect(engine.fatal.map(({ message }) => message)).to.deep.equal(['the owner changed']);
  });

  it('answers what is on disk with success, even if the store fails right after', async () => {
    const engine = new EngineFixture();
    engine.writer.start();
    await engine.pass(1_000);
    engine.store.earliestTimeout = () => {
      throw new StoreError('unusable', 'a bad page');
    };
    expect(await engine.create('p')).to.have.property('status', 200);
    expect(engine.fatal.map(({ message }) => message)).to.deep.equal(['a bad page']);
  });

  it('refuses requests while too many wait, and fires timeouts all the same', async () => {
    const engine = new EngineFixture();
    engine.writer.start();
    await engine.create('p', START + 1_000, TIMER);
    await engine.pass(999);
    engine.timers.turn(1_000);
    const heartbeat = () => engine.submit('task.heartbeat', { pid: 'w', tasks: [] });
    const waiting = Array.from({ length: 50_000 }, heartbeat);
    expect(((await failure(heartbeat())) as EngineError).kind).to.equal('overloaded');
    await Promise.all(waiting);
    await batchRun();
    expect(engine.stored('p')?.state).to.equal('resolved');
  });

  it('refuses what comes after stop, and finishes what came before', async () => {
    const engine = new EngineFixture();
    const before = engine.create('a');
    const stopped = engine.writer.stop();
    expect(((await failure(engine.create('b'))) as EngineError).kind).to.equal('draining');
    await stopped;
    expect(engine.stored('a')?.state).to.equal('pending');
    expect(await before).to.have.property('status', 200);
  });

  it('keeps the mark ahead of every instant that it answered with', async () => {
    const engine = new EngineFixture();
    for (let i = 0; i < 50; i++) {
      engine.timers.now += 700;
      await engine.create(`p${i}`);
      const mark = engine.store.transact((tx) => tx.getClockMark()).result;
      expect(mark).to.be.at.least(engine.stored(`p${i}`)!.createdAt);
      expect(mark).to.equal(engine.clock.mark);
    }
  });

  it('has reserved no time with a commit that failed', async () => {
    const engine = new EngineFixture();
    await engine.create('before');
    const reserved = engine.clock.mark;
    engine.timers.now += 10_000;
    engine.store.commitFailure = new StoreError('full', 'no space left');
    await failure(engine.create('p'));
    expect(engine.clock.mark).to.equal(reserved);
  });

  describe('reads', () => {
    it('are covered by the mark', async () => {
      const engine = new EngineFixture();
      await engine.create('p', START + 60_000);
      engine.timers.now += 61_000;
      expect((await engine.submit('task.get', { id: 'absent' })).status).to.equal(404);
      const { result: mark } = engine.store.transact((tx) => tx.getClockMark());
      expect(mark).to.be.at.least(START + 61_000);
    });

    it('show a live promise without a transaction', async () => {
      const engine = new EngineFixture();
      await engine.create('p');
      const before = engine.store.transactions;
      expect((await engine.get('p')).state).to.equal('pending');
      expect(engine.store.transactions).to.equal(before);
    });

    it('cannot show a timeout while a settle from before the deadline is in the queue', async () => {
      const engine = new EngineFixture();
      await engine.create('p', START + 100);
      engine.timers.now = 99;
      await engine.get('p');
      const value = { headers: new Map<string, string>() };
      // Both are received in one turn, the settle first; the deadline passes before either runs.
      const settle = engine.submit('promise.settle', { id: 'p', state: 'resolved', value });
      engine.timers.now = 100;
      const get = engine.get('p');
      const settled = await settle;
      expect(settled).to.have.nested.property('promise.state', (await get).state);
    });

    it('that would show a timeout take their turn behind what was received before', async () => {
      const engine = new EngineFixture();
      await engine.create('p', START + 100);
      engine.timers.now = 100;
      const order: string[] = [];
      const create = engine.create('before').then(() => order.push('create'));
      const operation = { name: 'promise.get', request: { id: 'p' } } as const;
      const get = engine.writer.submit(operation).then(() => order.push('get'));
      await Promise.all([create, get]);
      expect(order).to.deep.equal(['create', 'get']);
    });

    it('project an expired promise, and write nothing', async () => {
      const engine = new EngineFixture();
      await engine.create('p', START + 100);
      engine.timers.now = 100;
      expect(await engine.get('p')).to.include({ state: 'rejected_timedout', settledAt: START + 100 });
      expect(engine.stored('p')?.state).to.equal('pending');
    });
  });

  it('fires the retries that it is asked for, as far as they are due', async () => {
    const engine = new EngineFixture();
    await engine.createTask('t');
    const changes: string[] = [];
    engine.writer.onCommit((committed) => changes.push(...committed.map(({ kind }) => kind)));
    await engine.writer.retryTasks(['t', 'unknown']);
    expect(changes).to.deep.equal([]);
    engine.timers.now += RETRY;
    await engine.writer.retryTasks(['t', 'unknown']);
    expect(changes).to.deep.equal(['task', 'execute']);
  });

  it('removes acknowledged unblocks, and skips unknown ones', async () => {
    const engine = new EngineFixture();
    await engine.create('p');
    await engine.submit('promise.register_listener', { awaitedId: 'p', address: 'a' });
    await engine.submit('promise.register_listener', { awaitedId: 'p', address: 'b' });
    await engine.submit('promise.settle', { id: 'p', state: 'resolved', value: { headers: new Map() } });
    const known = { promiseId: 'p', address: 'a' };
    await engine.writer.acknowledgeUnblocks([known, known, { promiseId: 'x', address: 'a' }]);
    expect(engine.store.snapshot().unblocks.map(({ address }) => address)).to.deep.equal(['b']);
  });
});
