import { expect } from 'chai';
import { Harness, RETRY_TIMEOUT } from './harness.js';

describe('dispatch: a push that nobody acquires', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness()));

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
