import { expect } from 'chai';
import type { ExecuteRow, Queue, Store } from '../../src/store/store.js';
import { MemoryStore } from '../../src/store/memory.js';
import { Harness, RETRY_TIMEOUT } from './harness.js';

/** A memory store whose group `g` has this many executes waiting, made up as they are read. */
function storeWithBacklog(count: number): { readonly store: Store; readonly reads: number[] } {
  const store = new MemoryStore({ config: { retryTimeout: RETRY_TIMEOUT, nextCron: () => undefined } });
  const reads: number[] = [];
  store.executes = (queue: Queue, after: number, limit: number): readonly ExecuteRow[] => {
    if (queue.group !== 'g' || queue.pid !== undefined) return [];
    const rows: ExecuteRow[] = [];
    for (let i = after + 1; i < count && rows.length < limit; i++) {
      rows.push({ position: i, taskId: `t${i}`, version: 0, address: 'any@g' });
    }
    reads.push(rows.length);
    return rows;
  };
  return { store, reads };
}

describe('dispatch: scale', () => {
  it('a million waiting rows are a page in memory', async () => {
    const { store, reads } = storeWithBacklog(1_000_000);
    const h = new Harness({ pageSize: 256 }, store);
    await h.settle();
    expect(reads).to.deep.equal([]);
    const a = h.open('a', { maxInFlight: 1_000 });
    await h.settle();
    expect(a.stream.pushed).to.have.length(1_000);
    expect(h.dispatcher.loadedRows().executes).to.be.at.most(1_000 + 256);
    expect(reads.reduce((sum, rows) => sum + rows, 0)).to.be.at.most(1_000 + 256);
    a.stream.cut();
    expect(h.dispatcher.loadedRows().executes).to.equal(0);
  });

  it('rows that arrive while nobody has room stay in the store', async () => {
    const h = new Harness({ pageSize: 16 });
    h.open('a', { maxInFlight: 1 });
    await h.settle();
    for (let i = 0; i < 500; i++) h.create(`t${i}`, i % 2 === 0 ? 'any@g' : 'uni@g/a');
    await h.settle();
    expect(h.dispatcher.loadedRows().executes).to.be.at.most(2 * 16 + 1);
  });

  it('spreads over ten thousand sessions evenly', () => {
    const { store } = storeWithBacklog(10_000);
    const h = new Harness({}, store);
    const clients = Array.from({ length: 10_000 }, (_, i) => h.open(`p${i}`, { maxInFlight: 2 }, unread));
    // Pings and sweeps are far away: every turn is one of the dispatcher's own.
    while (h.timers.turn(0));
    expect(clients.filter(({ stream }) => stream.pushed.length !== 1)).to.have.length(0);
  });

  it('one that does not read leaves the others’ delivery as it is', async () => {
    const { store } = storeWithBacklog(100_000);
    const h = new Harness({ maxUnsentFrames: 8 }, store);
    const stopped = h.open('stopped', { maxInFlight: 10_000 }, unread);
    const others = ['a', 'b'].map((pid) => h.open(pid, { maxInFlight: 1_000 }));
    await h.settle();
    expect(stopped.stream.unsentFrames).to.be.at.most(8);
    expect(others.map(({ stream }) => stream.pushed.length)).to.deep.equal([1_000, 1_000]);
  });

  function unread(stream: { reads: boolean }): void {
    stream.reads = false;
  }
});

describe('dispatch: the sweep', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness({ sweepInterval: 30_000 })));

  /** Commits without a word to the dispatcher. */
  const silently = (id: string, address: string) => h.store.transact((tx) => tx.sendExecute(id, 0, address));

  it('finds what no wake-up told of, in each queue', async () => {
    const a = h.open('a');
    await h.settle();
    silently('1', 'any@g');
    silently('2', 'uni@g/a');
    h.store.transact((tx) => {
      tx.setPromise({
        id: 'p',
        state: 'resolved',
        param: { headers: new Map() },
        value: { headers: new Map() },
        tags: new Map(),
        timeoutAt: 1,
        createdAt: 0,
        settledAt: 1,
        timeoutArmed: false,
      });
      tx.sendUnblock('p', 'any@g', 0);
    });
    await h.advance(29_999);
    expect(a.stream.pushed).to.deep.equal([]);
    await h.advance(1);
    expect(a.stream.pushed).to.deep.equal(['1', '2']);
    expect(a.stream.unblocked).to.deep.equal(['p']);
  });

  it('finds a row older than what is loaded', async () => {
    const a = h.open('a');
    silently('old', 'any@h');
    h.create('1');
    await h.settle();
    h.acquire('1', 'a');
    const executes = h.store.executes.bind(h.store);
    h.store.executes = (queue, after, limit) =>
      queue.group === 'g' && queue.pid === undefined
        ? executes({ group: 'h' }, after, limit)
        : executes(queue, after, limit);
    await h.advance(30_000);
    expect(a.stream.pushed).to.deep.equal(['1', 'old']);
  });

  it('pushes nothing twice, and drops nothing', async () => {
    h = new Harness({ sweepInterval: 1_000, pageSize: 4 });
    const a = h.open('a', { maxInFlight: 10 });
    for (let i = 0; i < 20; i++) h.create(`t${i}`);
    for (let i = 0; i < 3; i++) {
      h.listen(`p${i}`);
      h.resolve(`p${i}`);
    }
    await h.advance(RETRY_TIMEOUT - 1);
    expect(a.stream.pushed).to.have.length(10);
    expect(a.stream.unblocked).to.have.length(3);
    for (const id of a.stream.pushed) {
      h.acquire(id, 'a');
      h.fulfill(id);
    }
    await h.settle();
    expect(a.stream.pushed).to.deep.equal(Array.from({ length: 20 }, (_, i) => `t${i}`));
  });

  it('goes on after the store could not be read', async () => {
    const a = h.open('a');
    await h.settle();
    const executes = h.store.executes.bind(h.store);
    h.store.executes = () => {
      throw new Error('disk gone');
    };
    silently('1', 'any@g');
    await h.advance(30_000);
    expect(h.logged).to.have.length(1);
    h.store.executes = executes;
    await h.advance(30_000);
    expect(a.stream.pushed).to.deep.equal(['1']);
  });
});
