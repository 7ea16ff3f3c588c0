import { expect } from 'chai';
import { Harness } from './harness.js';

describe('dispatch: the life of a push', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness()));

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
