import { expect } from 'chai';
import { describeAcquiredChecks } from './acquired-checks.js';
import { FULFILLED, NOW, value, World } from './fixture.js';

// What settlement does to others is in settlement.test.ts.
describe('T-07 task.fulfill', () => {
  const outcome = { state: 'resolved', value: value('v') } as const;

  describeAcquiredChecks('task.fulfill', (ref) => ({ ...ref, ...outcome }));

  for (const state of ['resolved', 'rejected', 'rejected_canceled'] as const)
    it(`settles the promise and fulfils the task: ${state}`, () => {
      const world = new World();
      world.acquired('a');
      world.now = NOW + 3;
      const settled = { state, value: value('v'), settledAt: NOW + 3 };
      const { promise } = world.accept(
        'task.fulfill',
        { id: 'a', version: 1, ...outcome, state },
        {
          promises: { a: { ...settled, timeoutArmed: false } },
          tasks: { a: FULFILLED },
          changes: [`settled a ${state}`, 'task a fulfilled 1'],
        },
      );
      expect(promise).to.deep.include({ id: 'a', ...settled });
    });

  it('works with an overdue lease: it counts until it is swept', () => {
    const world = new World();
    world.acquired('a');
    world.now = NOW + 5000;
    world.accept(
      'task.fulfill',
      { id: 'a', version: 1, ...outcome },
      {
        promises: { a: { ...outcome, settledAt: NOW + 5000, timeoutArmed: false } },
        tasks: { a: FULFILLED },
        changes: ['settled a resolved', 'task a fulfilled 1'],
      },
    );
  });

  it('works on a task without a target', () => {
    const world = new World();
    const promise = { id: 'a', timeoutAt: NOW + 10, param: { headers: new Map() }, tags: new Map() };
    world.run('task.create', { pid: 'pid', ttl: 5, promise });
    world.accept(
      'task.fulfill',
      { id: 'a', version: 1, ...outcome },
      {
        promises: { a: { ...outcome, settledAt: NOW, timeoutArmed: false } },
        tasks: { a: FULFILLED },
        changes: ['settled a resolved', 'task a fulfilled 1'],
      },
    );
  });
});
