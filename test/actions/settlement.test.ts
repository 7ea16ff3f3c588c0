import { expect } from 'chai';
import { promiseTimeout } from '../../src/protocol/actions/02-timeouts.js';
import { FULFILLED, MAX, NOW, RETRY, retry, value, World, type Fields } from './fixture.js';

const AT = NOW + 50;

/** The three ways in which a promise settles. Each settles a at AT. */
const WAYS: readonly {
  readonly name: string;
  readonly settle: (world: World) => void;
  readonly outcome: Fields;
}[] = [
  {
    name: 'P-03 promise.settle',
    settle: (world) => {
      world.run('promise.settle', { id: 'a', state: 'rejected', value: value('v') });
    },
    outcome: { state: 'rejected', value: value('v'), settledAt: AT },
  },
  {
    name: 'T-07 task.fulfill',
    settle: (world) => {
      world.run('task.fulfill', { id: 'a', version: 1, state: 'rejected_canceled', value: value('v') });
    },
    outcome: { state: 'rejected_canceled', value: value('v'), settledAt: AT },
  },
  {
    name: 'the promise timeout',
    settle: (world) => world.transact((tx) => void promiseTimeout(tx, 'a', AT)),
    outcome: { state: 'rejected_timedout', settledAt: AT },
  },
];

for (const { name, settle, outcome } of WAYS) {
  describe(`settling a promise: ${name}`, () => {
    /** a is acquired and has a deadline at AT, which is far enough for everything but the timeout itself. */
    const timeoutAt = name === 'the promise timeout' ? AT : AT + 1;
    const settled = { ...outcome, timeoutArmed: false, callbacks: [], listeners: [] };

    it('writes the outcome and fulfils the task', () => {
      const world = new World();
      world.acquired('a', { timeoutAt });
      world.now = AT;
      world.changes(() => settle(world), {
        promises: { a: settled },
        tasks: { a: FULFILLED },
        changes: [`settled a ${String(outcome.state)}`, 'task a fulfilled 1'],
      });
    });

    it('clears the buffered resumes of the task', () => {
      const world = new World();
      world.acquired('a', { timeoutAt });
      world.create('x');
      world.await('x', 'a');
      world.settle('x');
      world.now = AT;
      world.changes(() => settle(world), {
        promises: { a: settled },
        tasks: { a: FULFILLED },
        changes: [`settled a ${String(outcome.state)}`, 'task a fulfilled 1'],
      });
    });

    it('sends unblocks, then resumes, each in the order of registration', () => {
      const world = new World();
      world.acquired('a', { timeoutAt });
      for (const id of ['s2', 's1']) world.suspended(id, ['a']);
      world.acquired('busy');
      world.await('a', 'busy');
      world.pending('waiting');
      world.await('a', 'waiting');
      for (const address of ['l2', 'l1']) world.listen('a', address);
      world.now = AT;
      world.changes(() => settle(world), {
        promises: { a: settled },
        tasks: {
          a: FULFILLED,
          s2: { state: 'pending', resumes: ['a'], timeout: retry(AT + RETRY) },
          s1: { state: 'pending', resumes: ['a'], timeout: retry(AT + RETRY) },
          busy: { resumes: ['a'] },
          waiting: { resumes: ['a'] },
        },
        executes: ['waiting 0 → worker', 's2 1 → worker', 's1 1 → worker'],
        unblocks: ['a → l2', 'a → l1'],
        changes: [
          `settled a ${String(outcome.state)}`,
          'task a fulfilled 1',
          'unblock a → l2',
          'unblock a → l1',
          'task s2 pending 1',
          'execute s2 1 → worker',
          'task s1 pending 1',
          'execute s1 1 → worker',
          'task busy acquired 1',
          'task waiting pending 0',
        ],
      });
    });

    it('scrubs the promise from the callbacks of every other, and only it', () => {
      const world = new World();
      world.create('x');
      world.create('y');
      world.acquired('a', { timeoutAt });
      world.acquired('b');
      for (const awaited of ['x', 'y']) for (const awaiter of ['a', 'b']) world.await(awaited, awaiter);
      world.now = AT;
      world.changes(() => settle(world), {
        promises: { a: settled, x: { callbacks: ['b'] }, y: { callbacks: ['b'] } },
        tasks: { a: FULFILLED },
        changes: [`settled a ${String(outcome.state)}`, 'task a fulfilled 1'],
      });
    });

    it('wakes nothing by a callback on itself', () => {
      const world = new World();
      world.acquired('a', { timeoutAt });
      world.await('a', 'a');
      expect(world.state().promises.a).to.deep.include({ callbacks: ['a'] });
      world.now = AT;
      world.changes(() => settle(world), {
        promises: { a: settled },
        tasks: { a: FULFILLED },
        changes: [`settled a ${String(outcome.state)}`, 'task a fulfilled 1'],
      });
    });

    it('does not send an execute for an awaiter that has expired', () => {
      const world = new World();
      world.acquired('a', { timeoutAt });
      world.suspended('s', ['a'], { timeoutAt: AT });
      world.now = AT;
      world.changes(() => settle(world), {
        promises: { a: settled },
        tasks: { a: FULFILLED, s: { state: 'pending', resumes: ['a'], timeout: retry(AT + RETRY) } },
        changes: [`settled a ${String(outcome.state)}`, 'task a fulfilled 1', 'task s pending 1'],
      });
    });
  });
}

describe('settling a promise, whatever its task does', () => {
  const request = { id: 'a', state: 'resolved', value: value('v') } as const;
  const settled = { state: 'resolved', value: value('v'), settledAt: NOW, timeoutArmed: false };
  const changes = (version: number): string[] => ['settled a resolved', `task a fulfilled ${version}`];

  it('fulfils a pending task and takes its execute out of the outbox', () => {
    const world = new World();
    world.pending('a');
    world.pending('b');
    world.accept('promise.settle', request, {
      promises: { a: settled },
      tasks: { a: FULFILLED },
      executes: ['b 0 → worker'],
      changes: changes(0),
    });
  });

  it('fulfils a pending task that waits out its delay', () => {
    const world = new World();
    world.pending('a', { delay: NOW + 10 });
    world.accept('promise.settle', request, {
      promises: { a: settled },
      tasks: { a: FULFILLED },
      changes: changes(0),
    });
  });

  it('fulfils a suspended task, and nothing wakes it later', () => {
    const world = new World();
    world.create('x');
    world.suspended('a', ['x']);
    world.accept('promise.settle', request, {
      promises: { a: settled, x: { callbacks: [] } },
      tasks: { a: FULFILLED },
      changes: changes(1),
    });
    world.settle('x');
    expect(world.state().tasks.a).to.deep.include({ state: 'fulfilled', version: 1, resumes: [] });
    expect(world.state().executes).to.deep.equal([]);
  });

  it('fulfils a halted task', () => {
    const world = new World();
    world.halted('a');
    world.accept('promise.settle', request, { promises: { a: settled }, tasks: { a: FULFILLED }, changes: changes(0) });
  });

  it('settles a promise without a task', () => {
    const world = new World();
    world.create('a');
    world.accept('promise.settle', request, { promises: { a: settled }, changes: ['settled a resolved'] });
  });

  it('wakes a chain of workflows one link at a time', () => {
    const world = new World();
    world.pending('a', { timeoutAt: MAX });
    world.suspended('b', ['a']);
    world.suspended('c', ['b']);
    world.settle('a');
    expect(world.state().tasks.b).to.include({ state: 'pending' });
    expect(world.state().tasks.c).to.include({ state: 'suspended' });
  });
});
