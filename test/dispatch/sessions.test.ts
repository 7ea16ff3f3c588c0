import { expect } from 'chai';
import { Harness, PING_INTERVAL, RETRY_TIMEOUT } from './harness.js';

describe('dispatch: sessions', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness()));

  it('says hello first, at once', async () => {
    h.create('t');
    const { stream, session } = h.open('a', { maxInFlight: 3 });
    expect(stream.events).to.deep.equal([
      {
        kind: 'hello',
        sessionId: session.id,
        pingInterval: PING_INTERVAL,
        maxInFlight: 3,
        retryTimeout: RETRY_TIMEOUT,
      },
    ]);
    await h.settle();
    expect(stream.events.map(({ kind }) => kind)).to.deep.equal(['hello', 'execute']);
  });

  it('gives each session an id of its own', () => {
    const ids = [h.open('a'), h.open('b'), h.open('a')].map(({ session }) => session.id);
    expect(new Set(ids).size).to.equal(3);
  });

  it('is nothing when its stream was gone before it was opened', async () => {
    h.open('a', {}, (stream) => stream.cut());
    h.create('t');
    await h.settle();
    expect(h.dispatcher.sessions()).to.deep.equal([]);
    const b = h.open('b');
    await h.settle();
    expect(b.stream.pushed).to.deep.equal(['t']);
  });

  it('is forgotten when it ends, timers included', async () => {
    await h.settle();
    const before = h.timers.size;
    const { stream } = h.open('a');
    h.create('t');
    await h.settle();
    stream.cut();
    await h.settle();
    expect(h.dispatcher.sessions()).to.deep.equal([]);
    expect(h.timers.size).to.equal(before);
  });

  it('ends with a fault when an event cannot be sent, and loses nothing', async () => {
    const a = h.open('a');
    a.stream.fails = true;
    h.create('t');
    await h.settle();
    expect(a.stream.ended).to.equal('fault');
    const b = h.open('b');
    await h.settle();
    expect(b.stream.pushed).to.deep.equal(['t']);
  });

  describe('pings', () => {
    it('come every interval', async () => {
      const { stream } = h.open('a');
      await h.advance(3 * PING_INTERVAL);
      expect(stream.count('ping')).to.equal(3);
    });

    it('are spread by the jitter, never late', async () => {
      const { Pulse } = await import('../../src/dispatch/pulse.js');
      const delays: number[] = [];
      for (const random of [0, 0.5, 0.999]) {
        const timers = { after: (ms: number) => (delays.push(ms), { cancel: () => {} }) };
        const stream = h.open('x').stream;
        new Pulse({ stream, timers, interval: 1000, stalledIntervals: 3, random: () => random, onStall: () => {} });
      }
      expect(delays[0]).to.equal(1000);
      expect(delays[1]).to.equal(900);
      expect(delays[2]).to.be.within(800, 801);
    });

    it('do not pile up behind what is unsent', async () => {
      const { stream } = h.open('a', {}, (it) => (it.reads = false));
      await h.advance(2 * PING_INTERVAL);
      expect(stream.count('ping')).to.equal(0);
    });
  });

  describe('a client that does not read', () => {
    const stalled = (it: { reads: boolean }) => (it.reads = false);

    it('is ended after three intervals without progress, and its messages go to others', async () => {
      const a = h.open('a', {}, stalled);
      h.create('1');
      await h.settle();
      await h.advance(3 * PING_INTERVAL);
      expect(a.stream.ended).to.equal(undefined);
      await h.advance(PING_INTERVAL);
      expect(a.stream.ended).to.equal('session_stalled');
      expect(h.dispatcher.sessions()).to.deep.equal([]);
      const b = h.open('b');
      await h.settle();
      expect(b.stream.pushed).to.deep.equal(['1']);
    });

    it('is not ended while it reads, however slowly', async () => {
      const a = h.open('a', { maxInFlight: 10_000 }, stalled);
      for (let i = 0; i < 1000; i++) h.create(`t${i}`);
      await h.settle();
      for (let i = 0; i < 10; i++) {
        await h.advance(PING_INTERVAL);
        a.stream.read();
      }
      expect(a.stream.ended).to.equal(undefined);
    });

    it('is pushed nothing beyond the bound of frames until it has read half', async () => {
      h = new Harness({ maxUnsentFrames: 4 });
      for (let i = 0; i < 1000; i++) h.create(`t${i}`);
      const a = h.open('a', { maxInFlight: 1000 }, stalled);
      await h.settle();
      expect(a.stream.unsentFrames).to.equal(4);
      expect(a.stream.pushed).to.have.length(150);
      a.stream.read();
      a.stream.read();
      await h.settle();
      expect(a.stream.unsentFrames).to.equal(2);
      a.stream.read();
      await h.settle();
      expect(a.stream.unsentFrames).to.equal(4);
    });

    it('is pushed nothing beyond the bound of bytes, of neither kind', async () => {
      h = new Harness({ maxUnsentBytes: 1000 });
      const a = h.open('a', {}, stalled);
      for (const id of ['1', '2']) {
        h.listen(id);
        h.resolve(id, 70_000);
      }
      await h.settle();
      h.create('t');
      await h.settle();
      expect(a.stream.unblocked).to.deep.equal(['1']);
      expect(a.stream.pushed).to.deep.equal([]);
      for (let i = 0; i < 10; i++) {
        a.stream.read();
        await h.settle();
      }
      expect(a.stream.unblocked).to.deep.equal(['1', '2']);
      expect(a.stream.pushed).to.deep.equal(['t']);
    });

    it('does not get what another has room for', async () => {
      h = new Harness({ maxUnsentFrames: 2 });
      const a = h.open('a', { maxInFlight: 1000 }, stalled);
      h.create('t0');
      await h.settle();
      const b = h.open('b', { maxInFlight: 100 });
      for (let i = 1; i <= 100; i++) h.create(`t${i}`);
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['t0']);
      expect(b.stream.pushed).to.have.length(100);
    });
  });

  describe('a newer session with the same group and pid', () => {
    it('ends the older one, and gets what that had not acquired', async () => {
      const old = h.open('a');
      h.create('1');
      h.create('2');
      await h.settle();
      h.acquire('1', 'a');
      const next = h.open('a');
      expect(old.stream.ended).to.equal('session_replaced');
      await h.settle();
      expect(next.stream.pushed).to.deep.equal(['2']);
      expect(h.info(next)).to.include({ pushed: 1, held: 1 });
      expect(h.dispatcher.sessions()).to.have.length(1);
    });

    it('keeps what it got when the older one’s stream closes late', async () => {
      const old = h.open('a', { maxInFlight: 2 });
      h.create('1');
      h.listen('p', 'uni@g/a');
      h.resolve('p');
      await h.settle();
      const next = h.open('a', { maxInFlight: 2 });
      await h.settle();
      const before = h.info(next);
      old.stream.cut();
      await h.settle();
      expect(h.info(next)).to.deep.equal(before);
      expect(before).to.include({ pushed: 1, unacknowledged: 1 });
      expect(next.stream.pushed).to.deep.equal(['1']);
      h.create('2', 'uni@g/a');
      await h.settle();
      expect(next.stream.pushed).to.deep.equal(['1', '2']);
    });

    it('leaves the same pid in another group alone', () => {
      const other = h.open('a', { group: 'other' });
      h.open('a');
      h.open('a');
      expect(other.stream.ended).to.equal(undefined);
    });

    it('starts without the older one’s probation', async () => {
      const old = h.open('a');
      h.create('1');
      await h.advance(RETRY_TIMEOUT);
      expect(h.info(old).onProbation).to.equal(true);
      expect(h.info(h.open('a')).onProbation).to.equal(false);
    });
  });

  describe('drain of one session', () => {
    it('stops its pushes, gives what it had not acquired to others, and leaves the stream open', async () => {
      const a = h.open('a');
      h.create('1');
      h.create('2');
      await h.settle();
      h.acquire('1', 'a');
      const b = h.open('b');
      expect(h.dispatcher.drain(a.session.id)).to.equal(true);
      h.create('3', 'any@g/a');
      h.create('4', 'uni@g/a');
      h.listen('p', 'uni@g/a');
      h.resolve('p');
      await h.settle();
      expect(a.stream.pushed).to.deep.equal(['1', '2']);
      expect(a.stream.unblocked).to.deep.equal([]);
      expect(b.stream.pushed).to.deep.equal(['2', '3']);
      expect(a.stream.ended).to.equal(undefined);
      await h.advance(PING_INTERVAL);
      expect(a.stream.count('ping')).to.equal(1);
      expect(h.fulfill('1')).to.equal(200);
    });

    it('may be asked for twice, and knows no session that is gone', () => {
      const a = h.open('a');
      expect(h.dispatcher.drain(a.session.id)).to.equal(true);
      expect(h.dispatcher.drain(a.session.id)).to.equal(true);
      a.stream.cut();
      expect(h.dispatcher.drain(a.session.id)).to.equal(false);
      expect(h.dispatcher.drain('nobody')).to.equal(false);
    });

    it('does not take back what was acquired a moment before, nor mind what is acquired after', async () => {
      const a = h.open('a');
      h.create('1');
      await h.settle();
      h.dispatcher.drain(a.session.id);
      expect(h.acquire('1', 'a')).to.equal(200);
      const b = h.open('b');
      await h.settle();
      expect(b.stream.pushed).to.deep.equal([]);
      expect(h.info(a).held).to.equal(1);
    });

    it('lets a new session of the pid start afresh', async () => {
      const a = h.open('a');
      h.dispatcher.drain(a.session.id);
      h.create('1', 'uni@g/a');
      const again = h.open('a');
      await h.settle();
      expect(again.stream.pushed).to.deep.equal(['1']);
    });
  });

  describe('the stop of the server', () => {
    it('stops matching, then says drain, then ends every stream', async () => {
      const [a, b] = [h.open('a'), h.open('b')];
      await h.settle();
      h.create('1');
      h.dispatcher.stopMatching();
      h.create('2');
      await h.settle();
      expect([...a.stream.pushed, ...b.stream.pushed]).to.deep.equal([]);
      h.dispatcher.announceDrain();
      expect([a, b].map(({ stream }) => stream.events.at(-1)?.kind)).to.deep.equal(['drain', 'drain']);
      expect([a, b].map(({ stream }) => stream.ended)).to.deep.equal([undefined, undefined]);
      h.dispatcher.endAll();
      expect([a, b].map(({ stream }) => stream.ended)).to.deep.equal(['draining', 'draining']);
      expect(h.dispatcher.sessions()).to.deep.equal([]);
    });

    it('leaves no timer behind, whatever was going on', async () => {
      h.open('a');
      for (let i = 0; i < 10; i++) h.create(`t${i}`);
      await h.settle();
      h.create('more');
      h.dispatcher.close();
      // What a fake stream still had to read.
      await h.settle();
      expect(h.timers.size).to.equal(0);
    });

    it('does not touch the store any more while a retry is under way', async () => {
      let open = () => {};
      h.engine.gate = new Promise((resolve) => (open = resolve));
      h.open('a');
      h.create('t');
      await h.advance(RETRY_TIMEOUT);
      h.dispatcher.close();
      h.store.read = () => {
        throw new Error('the store is closed');
      };
      h.engine.fault = new Error('draining');
      open();
      await h.settle();
      expect(h.logged).to.deep.equal(['tasks could not be retried']);
    });
  });
});
