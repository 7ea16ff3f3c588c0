import { expect } from 'chai';
import { Feed, type Entry, type Row } from '../../src/dispatch/feed.js';

interface TestRow extends Row {
  readonly name: string;
}

describe('dispatch: feed', () => {
  const row = (position: number, name = `r${position}`): TestRow => ({ position, name, address: 'any@g' });

  /** A feed on this queue, two rows to a page. */
  function feedOn(queue: TestRow[]) {
    const index = new Map<string, Entry<TestRow>>();
    const reads: number[] = [];
    const feed = new Feed<TestRow>({
      read: (after, limit) => {
        reads.push(after);
        return queue.filter(({ position }) => position > after).slice(0, limit);
      },
      keyOf: ({ name }) => name,
      index,
      pageSize: 2,
      changed: () => {},
    });
    const take = (): Entry<TestRow> => {
      if (feed.unread) feed.load();
      const head = feed.head();
      if (head === undefined) throw new Error('nothing is ready');
      feed.take(head);
      return head;
    };
    return { feed, index, reads, take };
  }

  it('reads a page only when nothing is ready', () => {
    const { reads, take } = feedOn([row(0), row(1), row(2)]);
    expect([take(), take(), take()].map(({ key }) => key)).to.deep.equal(['r0', 'r1', 'r2']);
    expect(reads).to.deep.equal([-1, 1]);
  });

  it('keeps a new row beyond the cursor only if nothing unread lies between and few wait', () => {
    const queue = [row(0), row(1), row(2)];
    const { feed, index } = feedOn(queue);
    feed.load();
    feed.announce(row(3));
    expect([...index.keys()]).to.deep.equal(['r0', 'r1']);

    const { feed: read, index: all, take } = feedOn([]);
    read.load();
    for (const position of [0, 1, 2]) read.announce(row(position));
    expect([...all.keys()]).to.deep.equal(['r0', 'r1']);
    take();
    take();
    expect(read.unread).to.equal(true);
  });

  it('keeps a new row before the cursor, which no page would find', () => {
    const { feed, index } = feedOn([row(4), row(5), row(6)]);
    feed.load();
    feed.announce(row(3));
    expect([...index.keys()]).to.deep.equal(['r4', 'r5', 'r3']);
    expect(feed.head()?.key).to.equal('r3');
  });

  it('gives back to the old place, and not what was dropped', () => {
    const { feed, index, take } = feedOn([row(0), row(1)]);
    const first = take();
    feed.giveBack(first);
    expect(feed.head()).to.equal(first);
    const again = take();
    feed.drop(again);
    feed.giveBack(again);
    expect(feed.head()?.key).to.equal('r1');
    expect([...index.keys()]).to.deep.equal(['r1']);
  });

  it('defers behind what is ready, or else behind one page', () => {
    const { feed, take } = feedOn([row(0), row(1), row(2), row(3), row(4)]);
    feed.defer(take()); // r1 waits: behind it
    expect(take().key).to.equal('r1');
    feed.defer(take()); // r0 alone: behind r2 and r3
    expect([take(), take(), take()].map(({ key }) => key)).to.deep.equal(['r2', 'r3', 'r0']);
  });

  it('skips what is in memory when it reads again', () => {
    const queue = [row(1), row(2)];
    const { feed, take } = feedOn(queue);
    take();
    take();
    queue.unshift(row(0));
    feed.rescan();
    expect(take().key).to.equal('r0');
  });

  it('forgets everything when it is closed, for good', () => {
    const { feed, index, reads, take } = feedOn([row(0), row(1), row(2)]);
    const taken = take();
    take();
    feed.close();
    expect(index.size).to.equal(0);
    const before = reads.length;
    feed.giveBack(taken);
    feed.defer(taken);
    expect(index.size).to.equal(0);
    expect(reads).to.have.length(before);
  });
});
