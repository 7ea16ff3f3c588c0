import { expect } from 'chai';
import { batchRun, EngineFixture, FAR, RETENTION, START } from './fixture.js';

const TIMER = { 'resonate:timer': 'true' };

describe('the sweeper', () => {
  describe('timeouts', () => {
    it('fire at their instant, and not before', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.createTask('t', START + 1_234);
      await engine.pass(1_233);
      expect(engine.stored('t')?.state).to.equal('pending');
      await engine.pass(1);
      expect(engine.stored('t')).to.include({ state: 'rejected_timedout', settledAt: START + 1_234 });
    });

    it('fire at their instant for a timer too, which changes nothing that anybody reacts to', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.pass(2_000);
      await engine.create('p', START + 2_300, TIMER);
      await engine.pass(300);
      expect(engine.stored('p')).to.include({ state: 'resolved', settledAt: START + 2_300 });
    });

    it('fire soon when they fell due on their way to disk', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.pass(2_000);
      const transact = engine.store.transact.bind(engine.store);
      engine.store.transact = (work) => {
        const committed = transact(work);
        engine.timers.now += 5;
        return committed;
      };
      await engine.create('p', START + 2_003, TIMER);
      await engine.pass(150);
      expect(engine.stored('p')?.state).to.equal('resolved');
    });

    it('fire though no transaction has told of them', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.create('far', START + 60_000, TIMER);
      await engine.pass(2_000);
      // As if the wake-up had been lost.
      const promise = { ...engine.stored('far')!, id: 'p', timeoutAt: START + 5_000 };
      engine.store.transact((tx) => tx.setPromise(promise));
      await engine.pass(4_000);
      expect(engine.stored('p')?.state).to.equal('resolved');
    });

    it('do not fire by themselves once the clock is set by hand, not even in a slice that waits already', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.create('due', START + 1_000, TIMER);
      await engine.create('later', START + 50_000, TIMER);
      await engine.pass(999);
      engine.timers.turn(1_000);
      engine.writer.setClock(START + 60_000);
      await batchRun();
      expect([engine.stored('due')?.state, engine.stored('later')?.state]).to.deep.equal(['pending', 'pending']);
    });

    it('fire in any number', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await Promise.all(Array.from({ length: 1_000 }, (_, i) => engine.createTask(`t${i}`, START + 100)));
      await engine.pass(2_000);
      const states = Array.from({ length: 1_000 }, (_, i) => engine.stored(`t${i}`)?.state);
      expect(new Set(states)).to.deep.equal(new Set(['rejected_timedout']));
    });

    it('pass over one whose record is broken', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.createTask('bad', START + 100);
      await engine.createTask('good', START + 200);
      engine.store.broken.add('bad');
      await engine.pass(3_000);
      engine.store.broken.clear();
      expect(engine.stored('good')?.state).to.equal('rejected_timedout');
      expect(engine.stored('bad')?.state).to.equal('pending');
    });

    it('catch up on every instant of a schedule', async () => {
      const engine = new EngineFixture();
      const spec = { promiseTimeout: 1e9, promiseParam: { headers: new Map() }, promiseTags: new Map() };
      await engine.submit('schedule.create', { id: 's', cron: '* * * * * *', promiseId: 'p.{{.timestamp}}', ...spec });
      // Down for 500 instants, then started.
      engine.timers.now = 500_000;
      engine.writer.start();
      await engine.pass(3_000);
      expect(engine.stored(`p.${START + 1_000}`)?.createdAt).to.equal(START + 1_000);
      expect(engine.stored(`p.${START + 500_000}`)?.createdAt).to.equal(START + 500_000);
      expect(engine.store.snapshot().promises).to.have.length(503);
    });

    it('send a delayed task at its instant', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.create('t', FAR, { 'resonate:target': 'g', 'resonate:delay': String(START + 2_500) });
      await engine.pass(2_499);
      expect(engine.store.snapshot().executes).to.have.length(0);
      await engine.pass(1);
      expect(engine.store.snapshot().executes).to.have.length(1);
    });

    it('take no lease within 10 s of a start, and do afterwards', async () => {
      const engine = new EngineFixture();
      await acquired(engine, 1_000);
      engine.writer.start();
      await engine.pass(9_999);
      expect(taskState(engine)).to.equal('acquired');
      await engine.pass(1_001);
      expect(taskState(engine)).to.equal('pending');
    });

    it('take no lease within 10 s of a stall', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.pass(60_000);
      await acquired(engine, 1_000);
      engine.timers.now += 30_000;
      await engine.pass(9_000);
      expect(taskState(engine)).to.equal('acquired');
      await engine.pass(2_500);
      expect(taskState(engine)).to.equal('pending');
    });

    it('take no lease in a slice that waited through the stall', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.pass(60_000);
      await acquired(engine, 1_500);
      await engine.pass(1_499);
      engine.timers.turn(engine.timers.now + 1);
      engine.timers.now += 30_000;
      await batchRun();
      expect(taskState(engine)).to.equal('acquired');
    });

    it('let a heartbeat that was received first keep its lease', async () => {
      const engine = new EngineFixture();
      engine.writer.start();
      await engine.pass(60_000);
      await acquired(engine, 2_000);
      await engine.pass(1_999);
      engine.timers.now += 500;
      // The timers come first in a turn of the event loop, and what has been received meanwhile is read after them.
      engine.timers.turn(engine.timers.now);
      const heartbeat = engine.submit('task.heartbeat', { pid: 'w', tasks: [{ id: 't', version: 1 }] });
      await heartbeat;
      await engine.pass(100);
      expect(taskState(engine)).to.equal('acquired');
    });
  });

  it('drops unblocks that nobody acknowledged within the retention', async () => {
    const engine = new EngineFixture();
    engine.writer.start();
    await engine.create('p');
    await engine.submit('promise.register_listener', { awaitedId: 'p', address: 'uni@g/caller' });
    await engine.submit('promise.settle', { id: 'p', state: 'resolved', value: { headers: new Map() } });
    expect(engine.store.snapshot().unblocks).to.have.length(1);
    await engine.pass(RETENTION - 1);
    expect(engine.store.snapshot().unblocks).to.have.length(1);
    await engine.pass(120_000);
    expect(engine.store.snapshot().unblocks).to.have.length(0);
  });
});

async function acquired(engine: EngineFixture, ttl: number): Promise<void> {
  await engine.createTask('t');
  await engine.submit('task.acquire', { id: 't', version: 0, pid: 'w', ttl });
}

function taskState(engine: EngineFixture): string | undefined {
  return engine.store.read((tx) => tx.getTask('t')?.state);
}
