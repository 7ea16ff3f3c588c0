/** Reports of how servers of this kind failed their users, one test each, as far as delivery is concerned. */
import { expect } from 'chai';
import { Harness, PING_INTERVAL, RETRY_TIMEOUT } from './harness.js';

describe('dispatch: known failures', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness()));

  it('hatchet#3280, dapr/dotnet-sdk#1739: an idle stream carries pings, and a cut one gives its pushes back', async () => {
    const a = h.open('a');
    await h.advance(PING_INTERVAL);
    expect(a.stream.count('ping')).to.equal(1);
    h.create('t');
    await h.settle();
    a.stream.cut();
    const b = h.open('b');
    await h.settle();
    expect(b.stream.pushed).to.deep.equal(['t']);
  });

  it('hatchet#3281: pings that arrive do not prove a worker alive; a push that it does not acquire goes to another', async () => {
    const dead = h.open('dead', { maxInFlight: 5 });
    h.create('t', 'any@g/dead');
    await h.settle();
    const b = h.open('b', { maxInFlight: 5 });
    await h.advance(PING_INTERVAL);
    expect(dead.stream.count('ping')).to.equal(1);
    expect(h.info(dead).onProbation).to.equal(true);
    for (let i = 0; i < 4; i++) h.create(`t${i}`);
    await h.settle();
    expect(b.stream.pushed.length).to.be.greaterThan(3);
  });

  it('camunda#59354, #8759: a push locks nothing, and is back at once when the stream ends', async () => {
    const a = h.open('a');
    h.create('t');
    await h.settle();
    expect(h.task('t')).to.deep.include({ state: 'pending', version: 0 });
    a.stream.cut();
    const b = h.open('b');
    await h.settle();
    expect(b.stream.pushed).to.deep.equal(['t']);
  });

  it('hatchet#726, #2432: what could not be written is back at once', async () => {
    const a = h.open('a', {}, (stream) => (stream.reads = false));
    const b = h.open('b', { maxInFlight: 1 });
    h.create('t', 'any@g/a');
    await h.settle();
    expect(b.stream.pushed).to.deep.equal([]);
    a.stream.cut();
    await h.settle();
    expect(b.stream.pushed).to.deep.equal(['t']);
  });

  it('durabletask-go#129: the clean-up of a dead connection takes nothing from the next one', async () => {
    const old = h.open('a');
    h.create('t', 'uni@g/a');
    await h.settle();
    const next = h.open('a');
    await h.settle();
    h.acquire('t', 'a');
    old.stream.cut();
    await h.settle();
    expect(h.info(next).held).to.equal(1);
    expect(h.dispatcher.drain(next.session.id)).to.equal(true);
  });

  it('temporal#1058: nothing is matched to a worker that is shutting down', async () => {
    const a = h.open('a');
    await h.settle();
    h.create('t');
    // The match is pending; the drain comes first.
    h.dispatcher.drain(a.session.id);
    await h.settle();
    expect(a.stream.pushed).to.deep.equal([]);
  });

  it('camunda#59631: new work does not starve the backlog of an outage', async () => {
    for (let i = 0; i < 600; i++) h.create(`old${i}`);
    const a = h.open('a', { maxInFlight: 5 });
    let fresh = 0;
    for (let round = 0; round < 200 && a.stream.pushed.length < 600; round++) {
      await h.settle();
      for (const id of a.stream.pushed.slice(-5)) if (h.acquire(id, 'a') === 200) h.fulfill(id);
      h.create(`new${fresh++}`);
    }
    expect(a.stream.pushed.slice(0, 600)).to.deep.equal(Array.from({ length: 600 }, (_, i) => `old${i}`));
  });

  it('camunda#15168: a worker is never pushed more than it has room for', async () => {
    const a = h.open('a', { maxInFlight: 2 });
    for (let i = 0; i < 50; i++) h.create(`t${i}`);
    for (let i = 0; i < 50; i++) {
      await h.settle();
      const { pushed, held } = h.info(a);
      expect(pushed + held).to.be.at.most(2);
      const id = a.stream.pushed.find((it) => h.task(it).state !== 'fulfilled') ?? '';
      if (h.task(id).state === 'pending') h.acquire(id, 'a');
      else h.fulfill(id);
    }
  });

  it('grpc-node#1332, etcd#16839: memory stays flat behind a reader that has stopped', async () => {
    h = new Harness({ maxUnsentFrames: 16, maxUnsentBytes: 10_000 });
    const stopped = h.open('stopped', { maxInFlight: 10_000 }, (stream) => (stream.reads = false));
    for (let i = 0; i < 3_000; i++) h.create(`t${i}`);
    for (let i = 0; i < 100; i++) {
      h.listen(`p${i}`);
      h.resolve(`p${i}`, 5_000);
    }
    await h.settle();
    expect(stopped.stream.unsentFrames).to.be.at.most(17);
    expect(stopped.stream.unsentBytes).to.be.lessThan(100_000);
    await h.advance(RETRY_TIMEOUT);
    expect(stopped.stream.unsentFrames).to.be.at.most(17);
    await h.advance(4 * PING_INTERVAL);
    expect(stopped.stream.ended).to.equal('session_stalled');
    expect(h.dispatcher.loadedRows()).to.deep.equal({ executes: 0, unblocks: 0 });
    expect(h.store.snapshot().executes).to.have.length(3_000);
    expect(h.store.snapshot().unblocks).to.have.length(100);
  });

  it('resonate#1084, resonate-sdk-ts#319: an unblock is in the outbox until somebody has it', async () => {
    h.listen('p', 'any@g');
    h.resolve('p');
    const a = h.open('a', { autoAcknowledge: true }, (stream) => (stream.reads = false));
    await h.settle();
    a.stream.cut();
    expect(h.store.snapshot().unblocks).to.have.length(1);
    const b = h.open('b', { autoAcknowledge: true });
    await h.settle();
    expect(b.stream.unblocked).to.deep.equal(['p']);
  });

  it('resonate#1067: one slow worker delays nobody', async () => {
    h.open('slow', { maxInFlight: 1 }, (stream) => (stream.reads = false));
    const fast = h.open('fast', { maxInFlight: 2 });
    const other = h.open('other', { group: 'other' });
    for (let i = 0; i < 20; i++) h.create(`t${i}`, 'any@g/slow');
    h.create('elsewhere', 'any@other');
    for (let i = 0; i < 20; i++) {
      await h.settle();
      for (const id of fast.stream.pushed) if (h.acquire(id, 'fast') === 200) h.fulfill(id);
    }
    // All but the one that the slow one has.
    expect(fast.stream.pushed).to.have.length(19);
    expect(other.stream.pushed).to.deep.equal(['elsewhere']);
  });

  it('resonate-legacy-server#80: a lost wake-up heals', async () => {
    const a = h.open('a');
    h.create('1');
    await h.settle();
    h.store.transact((tx) => tx.sendExecute('2', 0, 'any@g'));
    await h.advance(60_000);
    expect(a.stream.pushed).to.include('2');
  });
});
