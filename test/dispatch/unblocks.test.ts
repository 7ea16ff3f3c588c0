import { expect } from 'chai';
import { Harness } from './harness.js';

describe('dispatch: unblocks', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness()));

  const ref = (promiseId: string, address = 'any@g') => ({ promiseId, address });
  const rows = () => h.store.snapshot().unblocks.map(({ promiseId }) => promiseId);
  const settled = (id: string, address = 'any@g', bytes = 0) => {
    h.listen(id, address);
    h.resolve(id, bytes);
  };

  it('carries the settled promise and the address as it was registered', async () => {
    const a = h.open('a');
    settled('p', 'grpc://any@g/a');
    await h.settle();
    const promise = h.store.read((tx) => tx.getPromise('p'));
    expect(a.stream.events.slice(1)).to.deep.equal([{ kind: 'unblock', promise, address: 'grpc://any@g/a' }]);
  });

  it('waits for somebody to come', async () => {
    settled('1');
    settled('2', 'uni@g/b');
    const a = h.open('a');
    await h.settle();
    expect(a.stream.unblocked).to.deep.equal(['1']);
    const b = h.open('b');
    await h.settle();
    expect(b.stream.unblocked).to.deep.equal(['2']);
  });

  it('goes to the preferred member, or to another, or around', async () => {
    const [a, b] = [h.open('a'), h.open('b')];
    for (const id of ['1', '2']) settled(id, 'any@g/a');
    await h.settle();
    expect(a.stream.unblocked).to.deep.equal(['1', '2']);
    settled('3', 'any@g/nobody');
    settled('4');
    await h.settle();
    expect(b.stream.unblocked).to.deep.equal(['3', '4']);
    for (const id of ['5', '6']) settled(id);
    await h.settle();
    expect([a, b].map(({ stream }) => stream.unblocked.length)).to.deep.equal([3, 3]);
  });

  it('takes no credit, and reaches sessions without any', async () => {
    const a = h.open('a', { maxInFlight: 0 });
    const b = h.open('b', { group: 'b', maxInFlight: 1 });
    settled('1');
    settled('2', 'any@b');
    h.create('t', 'any@b');
    await h.settle();
    expect(a.stream.unblocked).to.deep.equal(['1']);
    expect(b.stream.unblocked).to.deep.equal(['2']);
    expect(b.stream.pushed).to.deep.equal(['t']);
  });

  it('reaches each address that listens', async () => {
    const [a, b] = [h.open('a'), h.open('b')];
    h.listen('p', 'uni@g/a');
    h.listen('p', 'uni@g/b');
    h.resolve('p');
    await h.settle();
    expect([a, b].map(({ stream }) => stream.unblocked)).to.deep.equal([['p'], ['p']]);
    await h.dispatcher.acknowledge([ref('p', 'uni@g/a')]);
    expect(h.store.snapshot().unblocks.map(({ address }) => address)).to.deep.equal(['uni@g/b']);
  });

  describe('acknowledgement', () => {
    it('is what takes it out of the outbox', async () => {
      const a = h.open('a');
      settled('p');
      await h.settle();
      expect(rows()).to.deep.equal(['p']);
      expect(h.info(a).unacknowledged).to.equal(1);
      await h.dispatcher.acknowledge([ref('p')]);
      expect(rows()).to.deep.equal([]);
      expect(h.info(a).unacknowledged).to.equal(0);
      expect(h.dispatcher.loadedRows().unblocks).to.equal(0);
    });

    it('may come from anywhere, twice, for what was never sent, and for what does not exist', async () => {
      settled('p');
      await h.dispatcher.acknowledge([ref('p'), ref('p'), ref('nothing')]);
      await h.dispatcher.acknowledge([ref('p')]);
      await h.dispatcher.acknowledge([]);
      const a = h.open('a');
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal([]);
    });

    it('rejects when it could not be stored, and then the unblock stays', async () => {
      const a = h.open('a');
      settled('p');
      await h.settle();
      h.engine.fault = new Error('disk full');
      const error: unknown = await h.dispatcher.acknowledge([ref('p')]).catch((e: unknown) => e);
      expect(error).to.equal(h.engine.fault);
      expect(rows()).to.deep.equal(['p']);
      expect(h.info(a).unacknowledged).to.equal(1);
    });

    it('is missing when a session ends: the next fitting one gets it', async () => {
      const a = h.open('a');
      settled('1');
      settled('2');
      settled('3', 'uni@g/a');
      await h.settle();
      await h.dispatcher.acknowledge([ref('2')]);
      a.stream.cut();
      const b = h.open('b');
      await h.settle();
      expect(b.stream.unblocked).to.deep.equal(['1']);
      const again = h.open('a');
      await h.settle();
      expect(again.stream.unblocked).to.deep.equal(['3']);
    });

    it('is missing when a session ends: another that is there gets it at once', async () => {
      const a = h.open('a');
      h.open('b');
      const c = h.open('c', { group: 'c' });
      settled('p', 'any@g/a');
      await h.settle();
      a.stream.cut();
      await h.settle();
      expect(h.dispatcher.sessions().map(({ unacknowledged }) => unacknowledged)).to.deep.equal([1, 0]);
      expect(c.stream.unblocked).to.deep.equal([]);
    });

    it('is not asked for twice when the unblock is sent again', async () => {
      const a = h.open('a');
      settled('p');
      await h.settle();
      h.engine.transact((tx) => tx.sendUnblock('p', 'any@g', 0));
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal(['p']);
      await h.dispatcher.acknowledge([ref('p')]);
      expect(h.dispatcher.loadedRows().unblocks).to.equal(0);
    });

    it('is missing after a restart: it is sent again', async () => {
      h.open('a');
      settled('p');
      await h.settle();
      h.restart();
      const b = h.open('b');
      await h.settle();
      expect(b.stream.unblocked).to.deep.equal(['p']);
    });

    it('is not missed while the session lives: nothing is sent twice to it', async () => {
      const a = h.open('a');
      settled('p');
      await h.advance(10 * 60_000);
      expect(a.stream.unblocked).to.deep.equal(['p']);
    });
  });

  describe('acknowledged by the session itself', () => {
    it('is out of the outbox once it is written, and not before', async () => {
      const a = h.open('a', { autoAcknowledge: true }, (stream) => (stream.reads = false));
      settled('p');
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal(['p']);
      expect(rows()).to.deep.equal(['p']);
      a.stream.read(); // hello
      a.stream.read();
      await h.settle();
      expect(rows()).to.deep.equal([]);
      expect(h.info(a).unacknowledged).to.equal(0);
    });

    it('goes to another if the session ends before', async () => {
      const a = h.open('a', { autoAcknowledge: true }, (stream) => (stream.reads = false));
      settled('p');
      await h.settle();
      a.stream.cut();
      const b = h.open('b', { autoAcknowledge: true });
      await h.settle();
      expect(b.stream.unblocked).to.deep.equal(['p']);
      expect(rows()).to.deep.equal([]);
    });

    it('is tried again when it could not be stored', async () => {
      h = new Harness({ sweepInterval: 1_000 });
      const a = h.open('a', { autoAcknowledge: true });
      h.engine.fault = new Error('disk full');
      settled('p');
      await h.settle();
      expect(rows()).to.deep.equal(['p']);
      await h.advance(1_000);
      h.engine.fault = undefined;
      await h.advance(1_000);
      expect(rows()).to.deep.equal([]);
      expect(a.stream.unblocked).to.deep.equal(['p']);
    });
  });

  describe('bounds', () => {
    it('sends no more than so many without an acknowledgement', async () => {
      h = new Harness({ maxUnacknowledgedUnblocks: 2 });
      const a = h.open('a');
      for (const id of ['1', '2', '3', '4']) settled(id);
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal(['1', '2']);
      await h.dispatcher.acknowledge([ref('1')]);
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal(['1', '2', '3']);
    });

    it('sends no more than so many bytes without an acknowledgement, but always one', async () => {
      h = new Harness({ maxUnacknowledgedUnblockBytes: 1_000 });
      const a = h.open('a');
      for (const id of ['1', '2']) settled(id, 'any@g', 2_000);
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal(['1']);
      await h.dispatcher.acknowledge([ref('1')]);
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal(['1', '2']);
    });

    it('frees what another session acknowledges', async () => {
      h = new Harness({ maxUnacknowledgedUnblocks: 1 });
      const a = h.open('a');
      const b = h.open('b');
      for (const id of ['1', '2', '3']) settled(id);
      await h.settle();
      expect([...a.stream.unblocked, ...b.stream.unblocked].sort()).to.deep.equal(['1', '2']);
      await h.dispatcher.acknowledge([ref(a.stream.unblocked[0] ?? '')]);
      await h.settle();
      expect(a.stream.unblocked).to.have.length(2);
    });

    it('does not hold up executes, nor they it', async () => {
      h = new Harness({ maxUnacknowledgedUnblocks: 1 });
      const a = h.open('a', { maxInFlight: 1 });
      for (const id of ['1', '2']) settled(id);
      for (const id of ['t1', 't2']) h.create(id);
      await h.settle();
      h.acquire('t1', 'a');
      h.fulfill('t1');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['t1', 't2']);
      await h.dispatcher.acknowledge([ref('1')]);
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal(['1', '2']);
    });
  });

  it('skips one whose promise cannot be read, says so, and tries again with the next sweep', async () => {
    h = new Harness({ sweepInterval: 1_000 });
    h.engine.transact((tx) => tx.sendUnblock('missing', 'any@g', 0));
    settled('p');
    const a = h.open('a');
    await h.settle();
    expect(a.stream.unblocked).to.deep.equal(['p']);
    expect(h.logged).to.deep.equal(['the promise of an unblock could not be read']);
    settled('missing');
    await h.advance(1_000);
    expect(a.stream.unblocked).to.deep.equal(['p', 'missing']);
  });

  it('large ones are handed over few at a time', async () => {
    const clients = ['a', 'b', 'c', 'd'].map((pid) => h.open(pid));
    for (let i = 0; i < 8; i++) settled(`p${i}`, 'any@g', 1024 * 1024);
    const sent = () => clients.reduce((sum, { stream }) => sum + stream.unblocked.length, 0);
    // The one turn that finds all of them waiting.
    while (sent() === 0) h.timers.turn(0);
    expect(sent()).to.be.at.most(3);
    await h.settle();
    expect(sent()).to.equal(8);
  });

  it('large ones stay within what may be unsent', async () => {
    for (let i = 0; i < 10; i++) settled(`p${i}`, 'any@g', 1024 * 1024);
    const a = h.open('a', {}, (stream) => (stream.reads = false));
    await h.settle();
    // Each is a frame of its own, and the second brings the stream over its bound.
    expect(a.stream.unsentBytes).to.be.lessThan(2.1 * 1024 * 1024);
    a.stream.reads = true;
    for (let i = 0; i < 20; i++) {
      a.stream.read();
      await h.settle();
    }
    // So many bring it over what may be unacknowledged.
    expect(a.stream.unblocked).to.have.length(8);
  });
});
