import { expect } from 'chai';
import { Harness, RETRY_TIMEOUT, type Client } from './harness.js';

describe('dispatch: credits and the life of a push', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness()));

  const inFlight = (client: Client) => h.info(client).pushed + h.info(client).held;

  describe('credits', () => {
    it('pushes no more than max_in_flight', async () => {
      const { stream } = h.open('a', { maxInFlight: 3 });
      for (let i = 0; i < 10; i++) h.create(`t${i}`);
      await h.settle();
      expect(stream.pushed).to.deep.equal(['t0', 't1', 't2']);
    });

    it('takes the default where none is named, and says so', async () => {
      h = new Harness({ defaultMaxInFlight: 2 });
      const { stream } = h.open('a');
      for (let i = 0; i < 10; i++) h.create(`t${i}`);
      await h.settle();
      expect(stream.hello.maxInFlight).to.equal(2);
      expect(stream.pushed).to.have.length(2);
    });

    it('cuts an enormous max_in_flight down, and says so', () => {
      h = new Harness({ maxInFlightLimit: 7 });
      expect(h.open('a', { maxInFlight: 2 ** 31 - 1 }).stream.hello.maxInFlight).to.equal(7);
    });

    it('pushes no task where max_in_flight is 0', async () => {
      const { stream } = h.open('a', { maxInFlight: 0 });
      h.create('1');
      h.create('2', 'uni@g/a');
      await h.settle();
      expect(stream.pushed).to.deep.equal([]);
    });

    it('counts what is acquired like what is pushed', async () => {
      const a = h.open('a', { maxInFlight: 1 });
      h.create('1');
      h.create('2');
      await h.settle();
      h.acquire('1', 'a');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['1']);
      expect(h.info(a)).to.include({ pushed: 0, held: 1 });
    });

    const returns: Record<string, (id: string) => void> = {
      'a settlement': (id) => h.resolve(id),
      'a fulfilment': (id) => void h.fulfill(id),
      'a halt': (id) => void h.engine.run('task.halt', { id }),
      'a suspension': (id) => {
        h.listen('awaited');
        h.engine.run('task.suspend', { id, version: 1, awaitedIds: ['awaited'] });
      },
      'a lost lease': () => {
        h.timers.now += 60_000;
        h.engine.fireDue();
      },
      'a release': (id) => void h.release(id),
    };
    for (const [name, act] of Object.entries(returns)) {
      it(`returns the credit of a held task with ${name}`, async () => {
        const a = h.open('a', { maxInFlight: 1 });
        h.create('held', 'uni@g/a');
        await h.settle();
        h.acquire('held', 'a');
        await h.settle();
        expect(inFlight(a)).to.equal(1);
        h.create('next', 'uni@g/a');
        act('held');
        expect(h.info(a).held).to.equal(0);
        await h.settle();
        // What is pending again waits behind nobody: its place is its announcement's.
        expect(a.stream.pushed).to.have.length(2);
      });
    }

    const takes: Record<string, (id: string) => void> = {
      'a settlement': (id: string) => h.resolve(id),
      'a halt': (id: string) => void h.engine.run('task.halt', { id }),
      'another’s acquire': (id: string) => void h.acquire(id, 'stranger'),
      'another’s T-02': (id: string) => {
        const promise = { id, timeoutAt: 1e12, param: { headers: new Map() }, tags: new Map() };
        expect(h.engine.run('task.create', { pid: 'stranger', ttl: 1000, promise }).status).to.equal(200);
      },
    };
    for (const [name, act] of Object.entries(takes)) {
      it(`returns the credit of a push with ${name}`, async () => {
        const a = h.open('a', { maxInFlight: 1 });
        h.create('1');
        h.create('2');
        await h.settle();
        act('1');
        await h.settle();
        expect(a.stream.pushed).to.deep.equal(['1', '2']);
        expect(h.info(a)).to.include({ pushed: 1, held: 0 });
      });
    }

    it('counts a task that was pushed to one and acquired by another for the other', async () => {
      const a = h.open('a', { maxInFlight: 1 });
      const b = h.open('b', { maxInFlight: 1 });
      h.create('1', 'any@g/a');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['1']);
      h.acquire('1', 'b');
      expect(h.info(a)).to.include({ pushed: 0, held: 0 });
      expect(h.info(b)).to.include({ pushed: 0, held: 1 });
      h.create('2');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['1', '2']);
      expect(b.stream.pushed).to.deep.equal([]);
    });

    it('counts a task twice neither when it is created acquired nor when its lease is renewed', () => {
      const a = h.open('a', { maxInFlight: 2 });
      const promise = { id: 't', timeoutAt: 1e12, param: { headers: new Map() }, tags: new Map() };
      h.engine.run('task.create', { pid: 'a', ttl: 60_000, promise });
      h.engine.run('task.heartbeat', { pid: 'a', tasks: [{ id: 't', version: 1 }] });
      expect(h.info(a).held).to.equal(1);
      h.fulfill('t');
      expect(h.info(a).held).to.equal(0);
    });

    it('never goes below zero when a pid holds more than its credits', async () => {
      for (let i = 0; i < 3; i++) h.create(`t${i}`);
      for (let i = 0; i < 3; i++) h.acquire(`t${i}`, 'a');
      const a = h.open('a', { maxInFlight: 2 });
      h.create('next');
      await h.settle();
      h.fulfill('t0');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal([]);
      h.fulfill('t1');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['next']);
    });

    it('knows after a restart what is held', async () => {
      h.create('held');
      h.acquire('held', 'a');
      h.create('next');
      h.restart();
      const a = h.open('a', { maxInFlight: 1 });
      await h.settle();
      expect(h.info(a)).to.include({ pushed: 0, held: 1 });
      expect(a.stream.pushed).to.deep.equal([]);
      h.fulfill('held');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['next']);
    });

    it('counts a pid’s tasks in each group that it is connected to', async () => {
      const one = h.open('a', { maxInFlight: 1 });
      const two = h.open('a', { group: 'g2', maxInFlight: 1 });
      h.create('1');
      await h.settle();
      h.acquire('1', 'a');
      h.create('2', 'any@g2');
      await h.settle();
      expect(two.stream.pushed).to.deep.equal([]);
      h.fulfill('1');
      await h.settle();
      expect(two.stream.pushed).to.deep.equal(['2']);
      expect(one.stream.pushed).to.deep.equal(['1']);
    });
  });

  describe('a row that changes', () => {
    it('is not pushed when it was withdrawn after it was loaded', async () => {
      h.create('1');
      h.create('2');
      const a = h.open('a', { maxInFlight: 1 });
      await h.settle();
      h.engine.run('task.halt', { id: '2' });
      h.fulfill('1');
      h.acquire('1', 'a');
      h.fulfill('1');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['1']);
      expect(h.dispatcher.loadedRows().executes).to.equal(0);
    });

    it('is pushed with its new version when the version has moved on', async () => {
      const a = h.open('a', { maxInFlight: 1 });
      h.create('1');
      h.create('2');
      await h.settle();
      h.acquire('2', 'stranger');
      h.release('2');
      h.acquire('1', 'a');
      h.fulfill('1');
      await h.settle();
      expect(a.stream.events.at(-1)).to.deep.equal({ kind: 'execute', taskId: '2', version: 1 });
    });

    it('is pushed again when it is released by its holder, to the holder too', async () => {
      const a = h.open('a');
      h.create('t');
      await h.settle();
      h.acquire('t', 'a');
      h.release('t');
      await h.settle();
      expect(a.stream.events.slice(1)).to.deep.equal([
        { kind: 'execute', taskId: 't', version: 0 },
        { kind: 'execute', taskId: 't', version: 1 },
      ]);
      expect(h.info(a)).to.include({ pushed: 1, held: 0 });
    });

    it('follows the last that was sent, whatever was said in between', async () => {
      const a = h.open('a', { maxInFlight: 1 });
      for (const id of ['1', '2', '3']) h.create(id);
      await h.settle();
      // The task of 1 has moved on; 2 and 3 were sent with other versions.
      h.engine.transact((tx) => {
        tx.setTask({ ...h.task('1'), version: 7 });
        tx.sendExecute('2', 8, 'any@g');
        tx.sendExecute('3', 9, 'any@g');
      });
      await h.settle();
      expect(a.stream.events.at(-1)).to.deep.equal({ kind: 'execute', taskId: '2', version: 8 });
      h.engine.transact((tx) => tx.sendExecute('2', 10, 'any@g'));
      await h.settle();
      expect(a.stream.events.at(-1)).to.deep.equal({ kind: 'execute', taskId: '2', version: 10 });
      expect(h.info(a).pushed).to.equal(1);
    });

    it('is not pushed before its delay is over', async () => {
      const a = h.open('a');
      h.create('t', 'any@g', { 'resonate:delay': '1000' });
      await h.settle();
      expect(a.stream.pushed).to.deep.equal([]);
      h.timers.now = 1000;
      h.engine.fireDue();
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['t']);
    });

    it('stays pushed while wake-ups are noted in its task', async () => {
      const a = h.open('a');
      h.listen('awaited');
      h.create('t');
      h.engine.run('promise.register_callback', { awaitedId: 'awaited', awaiterId: 't' });
      await h.settle();
      h.resolve('awaited');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['t']);
      expect(h.info(a).pushed).to.equal(1);
    });

    it('is pushed again when its execute is sent again while it is pushed', async () => {
      const a = h.open('a');
      h.create('t');
      await h.settle();
      h.timers.now = 5_000;
      await h.engine.retryTasks(['t']);
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['t', 't']);
      expect(h.info(a).pushed).to.equal(1);
    });

    it('is pushed once when its execute is sent again while it waits', async () => {
      const a = h.open('a', { maxInFlight: 1 });
      h.create('first');
      h.create('t');
      await h.settle();
      h.timers.now = 5_000;
      await h.engine.retryTasks(['t']);
      h.acquire('first', 'a');
      h.fulfill('first');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['first', 't']);
    });
  });

  describe('a push that nobody acquires', () => {
    it('is taken back after the retry timeout, counted from the push, and goes to another', async () => {
      h.create('t');
      await h.advance(4_000);
      const a = h.open('a');
      await h.settle();
      const b = h.open('b');
      await h.advance(RETRY_TIMEOUT - 1);
      expect(b.stream.pushed).to.deep.equal([]);
      await h.advance(1);
      expect(h.engine.retried).to.deep.equal(['t']);
      expect(h.task('t').timeout).to.deep.equal({ kind: 'retry', dueAt: h.timers.now + RETRY_TIMEOUT });
      expect(a.stream.pushed).to.deep.equal(['t']);
      expect(b.stream.pushed).to.deep.equal(['t']);
      expect(h.info(a)).to.include({ pushed: 0, onProbation: true });
    });

    it('goes behind what waits, and before what comes later', async () => {
      const a = h.open('a', { maxInFlight: 1 });
      for (const id of ['1', '2']) h.create(id);
      await h.advance(RETRY_TIMEOUT);
      h.create('3');
      for (const id of ['2', '1', '3']) {
        await h.settle();
        h.acquire(id, 'a');
        h.fulfill(id);
      }
      expect(a.stream.pushed).to.deep.equal(['1', '2', '1', '3']);
    });

    it('stands in nobody’s way for ever, however many wait, nor they in its', async () => {
      h = new Harness({ pageSize: 4 });
      for (let i = 0; i < 12; i++) h.create(`t${i}`);
      const a = h.open('a', { maxInFlight: 1 });
      await h.settle();
      const ignored = new Set(['t0', 't1']);
      for (let round = 0; round < 40; round++) {
        const id = a.stream.pushed.at(-1) ?? '';
        if (ignored.has(id)) await h.advance(RETRY_TIMEOUT);
        else if (h.acquire(id, 'a') === 200) h.fulfill(id);
        await h.settle();
      }
      expect(h.store.snapshot().executes.map(({ taskId }) => taskId)).to.deep.equal(['t0', 't1']);
      const order = a.stream.pushed;
      // Once, and again after at most two pages.
      expect(order.indexOf('t0', 1)).to.be.within(2, 10);
      // The rest keep their order.
      const others = order.filter((id) => !ignored.has(id));
      expect(others).to.deep.equal(Array.from({ length: 10 }, (_, i) => `t${i + 2}`));
    });

    it('is not asked for once it was acquired', async () => {
      h.open('a');
      h.create('t');
      await h.settle();
      h.acquire('t', 'a');
      await h.advance(3 * RETRY_TIMEOUT);
      expect(h.engine.retried).to.deep.equal([]);
    });

    it('is not pushed while the retry is being written', async () => {
      let open = () => {};
      h.engine.gate = new Promise((resolve) => (open = resolve));
      const a = h.open('a');
      h.create('t');
      await h.advance(RETRY_TIMEOUT);
      expect(a.stream.pushed).to.deep.equal(['t']);
      open();
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['t', 't']);
    });

    it('goes to nobody when it is acquired while the retry is being written', async () => {
      let open = () => {};
      h.engine.gate = new Promise((resolve) => (open = resolve));
      const a = h.open('a');
      h.create('t');
      await h.advance(RETRY_TIMEOUT);
      h.acquire('t', 'a');
      open();
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['t']);
      expect(h.info(a)).to.include({ pushed: 0, held: 1 });
    });

    it('is pushed again when the retry is not due by the clock, or cannot be written', async () => {
      const a = h.open('a');
      h.create('t');
      await h.settle();
      h.engine.fault = new Error('disk full');
      await h.advance(RETRY_TIMEOUT);
      expect(a.stream.pushed).to.deep.equal(['t', 't']);
      expect(h.logged).to.deep.equal(['tasks could not be retried']);
    });

    it('is found by those who join while the retry is being written, and everybody has left', async () => {
      let open = () => {};
      h.engine.gate = new Promise((resolve) => (open = resolve));
      const a = h.open('a');
      h.create('t');
      await h.advance(RETRY_TIMEOUT);
      a.stream.cut();
      const b = h.open('b');
      await h.settle();
      expect(b.stream.pushed).to.deep.equal(['t']);
      open();
      await h.settle();
      expect(h.info(b).pushed).to.equal(1);
    });

    it('leaves a later push of the same task alone when its own retry has failed', async () => {
      let open = () => {};
      h.engine.gate = new Promise((resolve) => (open = resolve));
      const a = h.open('a');
      h.create('t');
      await h.advance(RETRY_TIMEOUT);
      a.stream.cut();
      const b = h.open('b');
      await h.settle();
      h.engine.fault = new Error('disk full');
      open();
      await h.settle();
      expect(b.stream.pushed).to.deep.equal(['t']);
      expect(h.info(b).pushed).to.equal(1);
    });

    it('is taken back even if the first session of its slice failed', async () => {
      const failing = h.open('failing', { maxInFlight: 100 });
      failing.stream.fails = true;
      h.open('b', { maxInFlight: 50 });
      for (let i = 0; i < 60; i++) h.create(`t${i}`);
      await h.settle();
      expect(failing.stream.ended).to.equal('fault');
      await h.advance(RETRY_TIMEOUT);
      expect(h.engine.retried).to.have.length(50);
    });

    it('leaves its session one push at a time, until it acquires', async () => {
      const a = h.open('a', { maxInFlight: 4 });
      for (let i = 0; i < 8; i++) h.create(`t${i}`);
      await h.settle();
      expect(a.stream.pushed).to.have.length(4);
      await h.advance(RETRY_TIMEOUT);
      expect(a.stream.pushed).to.have.length(5);
      expect(h.info(a)).to.include({ pushed: 1, onProbation: true });
      await h.advance(RETRY_TIMEOUT);
      expect(a.stream.pushed).to.have.length(6);
      h.acquire('t0', 'a');
      await h.settle();
      expect(h.info(a)).to.include({ pushed: 3, held: 1, onProbation: false });
    });

    it('does not end its session’s probation by a heartbeat for what it held before', async () => {
      const a = h.open('a', { maxInFlight: 4 });
      h.create('held');
      await h.settle();
      h.acquire('held', 'a');
      h.create('t');
      await h.advance(RETRY_TIMEOUT);
      h.engine.run('task.heartbeat', { pid: 'a', tasks: [{ id: 'held', version: 1 }] });
      expect(h.info(a).onProbation).to.equal(true);
    });

    it('does not let a frozen worker attract everything', async () => {
      const frozen = h.open('frozen', { maxInFlight: 100 });
      const healthy = h.open('healthy', { maxInFlight: 2 });
      for (let i = 0; i < 20; i++) h.create(`t${i}`);
      await h.settle();
      for (let round = 0; round < 100 && h.store.snapshot().executes.length > 0; round++) {
        await h.advance(500);
        for (const id of healthy.stream.pushed) if (h.acquire(id, 'healthy') === 200) h.fulfill(id);
      }
      expect(h.store.snapshot().executes).to.deep.equal([]);
      expect(frozen.stream.pushed.length).to.be.lessThan(30);
    });
  });

  describe('a session that ends', () => {
    it('gives what it did not acquire to another at once, oldest first', async () => {
      const a = h.open('a');
      for (const id of ['1', '2', '3']) h.create(id);
      await h.settle();
      h.acquire('2', 'a');
      const b = h.open('b');
      a.stream.cut();
      await h.settle();
      expect(b.stream.pushed).to.deep.equal(['1', '3']);
      expect(h.engine.retried).to.deep.equal([]);
    });

    it('keeps what waits for its pid', async () => {
      const a = h.open('a');
      h.open('b');
      h.create('1', 'uni@g/a');
      await h.settle();
      a.stream.cut();
      const again = h.open('a');
      await h.settle();
      expect(again.stream.pushed).to.deep.equal(['1']);
    });

    it('loses nothing when it is cut between the match and the write', async () => {
      const a = h.open('a', {}, (stream) => (stream.reads = false));
      h.create('1');
      await h.settle();
      expect(a.stream.unsentFrames).to.be.greaterThan(0);
      a.stream.cut();
      const b = h.open('b');
      await h.settle();
      expect(b.stream.pushed).to.deep.equal(['1']);
    });

    it('leaves nothing in memory when it was the last of its group', async () => {
      const a = h.open('a');
      for (let i = 0; i < 50; i++) h.create(`t${i}`);
      await h.settle();
      a.stream.cut();
      expect(h.dispatcher.loadedRows()).to.deep.equal({ executes: 0, unblocks: 0 });
      h.create('later');
      expect(h.dispatcher.loadedRows().executes).to.equal(0);
    });

    it('is pushed nothing twice: after a restart everything un-acquired is pushed once more', async () => {
      const a = h.open('a');
      h.create('1');
      await h.settle();
      h.restart();
      const again = h.open('a');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['1']);
      expect(again.stream.pushed).to.deep.equal(['1']);
    });
  });

  it('starts again from a store that was cleared', async () => {
    const a = h.open('a', { maxInFlight: 2 });
    for (let i = 0; i < 4; i++) h.create(`t${i}`);
    await h.settle();
    h.acquire('t0', 'a');
    h.store.clear();
    h.dispatcher.reload();
    expect(h.info(a)).to.include({ pushed: 0, held: 0 });
    h.create('t1');
    h.create('new');
    await h.settle();
    expect(a.stream.pushed).to.deep.equal(['t0', 't1', 't1', 'new']);
  });
});
