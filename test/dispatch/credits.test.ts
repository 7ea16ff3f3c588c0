import { expect } from 'chai';
import { Harness, type Client } from './harness.js';

describe('dispatch: credits', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness()));

  const inFlight = (client: Client) => h.info(client).pushed + h.info(client).held;

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
