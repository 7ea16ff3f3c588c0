import { expect } from 'chai';
import { Harness } from './harness.js';

describe('dispatch: who gets what', () => {
  let h: Harness;
  beforeEach(() => (h = new Harness()));

  it('pushes an execute with its id and version to a member of the group', async () => {
    const { stream } = h.open('a');
    h.create('t');
    await h.settle();
    expect(stream.events.slice(1)).to.deep.equal([{ kind: 'execute', taskId: 't', version: 0 }]);
  });

  it('keeps what has nobody to go to, and gives the backlog to the first who comes, oldest first', async () => {
    for (const id of ['c', 'a', 'b']) h.create(id);
    await h.settle();
    const { stream } = h.open('a');
    await h.settle();
    expect(stream.pushed).to.deep.equal(['c', 'a', 'b']);
  });

  it('gives nothing to another group', async () => {
    const other = h.open('a', { group: 'other' });
    h.create('t');
    await h.settle();
    expect(other.stream.pushed).to.deep.equal([]);
  });

  it('takes any scheme, and a text without the form of an address as a group', async () => {
    const { stream } = h.open('a', { group: 'any@x' });
    const plain = h.open('a', { group: 'g' });
    h.create('1', 'poll://any@g');
    h.create('2', 'g');
    h.create('3', 'any@any@x');
    await h.settle();
    expect(plain.stream.pushed).to.deep.equal(['1', '2']);
    expect(stream.pushed).to.deep.equal(['3']);
  });

  it('uni goes to that pid only, and waits for it', async () => {
    const a = h.open('a');
    await h.settle();
    h.create('t', 'uni@g/b');
    await h.settle();
    expect(a.stream.pushed).to.deep.equal([]);
    const b = h.open('b');
    await h.settle();
    expect(b.stream.pushed).to.deep.equal(['t']);
    expect(a.stream.pushed).to.deep.equal([]);
  });

  it('uni waits for a credit of its pid while others have some', async () => {
    const a = h.open('a', { maxInFlight: 1 });
    const b = h.open('b', { maxInFlight: 1 });
    h.create('1', 'uni@g/a');
    h.create('2', 'uni@g/a');
    await h.settle();
    expect(a.stream.pushed).to.deep.equal(['1']);
    expect(b.stream.pushed).to.deep.equal([]);
    h.acquire('1', 'a');
    h.fulfill('1');
    await h.settle();
    expect(a.stream.pushed).to.deep.equal(['1', '2']);
  });

  it('any with a pid goes to that member, though others have more credits', async () => {
    const a = h.open('a', { maxInFlight: 2 });
    const b = h.open('b', { maxInFlight: 100 });
    h.create('1', 'any@g/a');
    h.create('2', 'any@g/a');
    await h.settle();
    expect(a.stream.pushed).to.deep.equal(['1', '2']);
    expect(b.stream.pushed).to.deep.equal([]);
  });

  it('any with a pid goes to another when that member has no credit, and when it is not connected', async () => {
    h.open('a', { maxInFlight: 0 });
    const b = h.open('b');
    h.create('1', 'any@g/a');
    h.create('2', 'any@g/nobody');
    await h.settle();
    expect(b.stream.pushed).to.deep.equal(['1', '2']);
  });

  it('takes a session’s two queues by age', async () => {
    h.create('1', 'any@g');
    h.create('2', 'uni@g/a');
    h.create('3', 'any@g');
    h.create('4', 'uni@g/a');
    const { stream } = h.open('a');
    await h.settle();
    expect(stream.pushed).to.deep.equal(['1', '2', '3', '4']);
  });

  it('takes them by age, however many own queues there are to be read first', async () => {
    h.create('own', 'uni@g/p29');
    h.create('shared', 'any@g/p29');
    const clients = Array.from({ length: 30 }, (_, i) => h.open(`p${i}`, { maxInFlight: 1 }));
    await h.settle();
    expect(clients.at(-1)?.stream.pushed).to.deep.equal(['own']);
    expect(clients.flatMap(({ stream }) => stream.pushed).sort()).to.deep.equal(['own', 'shared']);
  });

  it('serves the one with most free credits first', async () => {
    const small = h.open('small', { maxInFlight: 2 });
    const large = h.open('large', { maxInFlight: 5 });
    for (let i = 0; i < 3; i++) h.create(`t${i}`);
    await h.settle();
    expect(large.stream.pushed).to.have.length(3);
    expect(small.stream.pushed).to.have.length(0);
  });

  it('takes turns between equals', async () => {
    const clients = ['a', 'b', 'c'].map((pid) => h.open(pid, { maxInFlight: 10 }));
    for (let i = 0; i < 9; i++) h.create(`t${i}`);
    await h.settle();
    expect(clients.map(({ stream }) => stream.pushed.length)).to.deep.equal([3, 3, 3]);
  });

  it('takes turns between equals when messages come one by one and are done at once', async () => {
    const clients = ['a', 'b', 'c'].map((pid) => h.open(pid));
    for (let i = 0; i < 9; i++) {
      h.create(`t${i}`);
      await h.settle();
      const holder = clients.find(({ stream }) => stream.pushed.includes(`t${i}`));
      h.acquire(`t${i}`, holder?.pid ?? '');
      h.fulfill(`t${i}`);
      await h.settle();
    }
    expect(clients.map(({ stream }) => stream.pushed.length)).to.deep.equal([3, 3, 3]);
  });

  it('puts many events into few frames', async () => {
    for (let i = 0; i < 100; i++) h.create(`t${i}`);
    const { stream } = h.open('a', { maxInFlight: 100 });
    await h.settle();
    expect(stream.frames).to.deep.equal([1, 50, 50]);
  });

  it('hands nothing over from inside a commit, and all of one turn’s commits at once', async () => {
    const { stream } = h.open('a');
    await h.settle();
    for (let i = 0; i < 5; i++) h.create(`t${i}`);
    expect(stream.pushed).to.deep.equal([]);
    await h.settle();
    expect(stream.frames).to.deep.equal([1, 5]);
  });

  it('works in slices, and groups take turns', async () => {
    h = new Harness({ sliceSize: 10, maxInFlightLimit: 1000 });
    for (let i = 0; i < 100; i++) h.create(`t${i}`);
    h.create('other', 'any@other');
    const long = h.open('a', { maxInFlight: 100 });
    const short = h.open('a', { group: 'other' });
    for (let turn = 0; turn < 3 && short.stream.pushed.length === 0; turn++) h.timers.turn(0);
    expect(short.stream.pushed).to.deep.equal(['other']);
    expect(long.stream.pushed.length).to.be.lessThan(100);
    await h.settle();
    expect(long.stream.pushed).to.have.length(100);
  });
});
