import { expect } from 'chai';
import { NOW, value, World } from './fixture.js';

describe('P-03 promise.settle', () => {
  const request = { id: 'a', state: 'rejected', value: value('v') } as const;

  it('refuses an absent promise: 404 PROMISE_NOT_FOUND', () => {
    new World().refuse('promise.settle', request, [404, 'PROMISE_NOT_FOUND', { id: 'a' }]);
  });

  for (const state of ['resolved', 'rejected', 'rejected_canceled'] as const)
    it(`settles a live promise: ${state}`, () => {
      const world = new World();
      world.create('a', { timeoutAt: NOW + 10 });
      world.now = NOW + 9;
      const settled = { state, value: value('v'), settledAt: NOW + 9 };
      const { promise } = world.accept(
        'promise.settle',
        { ...request, state },
        {
          promises: { a: settled },
          changes: [`settled a ${state}`],
        },
      );
      expect(promise).to.deep.include(settled);
    });

  it('settles a timer before its deadline like any other', () => {
    const world = new World();
    world.create('a', { timer: true });
    world.accept('promise.settle', request, {
      promises: { a: { state: 'rejected', value: value('v'), settledAt: NOW, timeoutArmed: false } },
      changes: ['settled a rejected'],
    });
  });

  it('answers a settled promise as it is, and changes nothing', () => {
    const world = new World();
    world.create('a');
    world.settle('a');
    world.now = NOW + 5;
    const { promise } = world.accept('promise.settle', request, {});
    expect(promise).to.deep.include({ state: 'resolved', value: value('of a'), settledAt: NOW });
  });

  it('answers what a get would show of an expired promise without a timeout, and writes nothing', () => {
    const world = new World();
    world.create('a', { timeoutAt: NOW + 10 });
    for (const later of [NOW + 10, NOW + 11]) {
      world.now = later;
      const { promise } = world.accept('promise.settle', request, {});
      expect(promise).to.include({ state: 'rejected_timedout', settledAt: NOW + 10 });
    }
  });

  it('comes too late for a promise whose timeout is due: it fires first', () => {
    const world = new World();
    world.create('a', { timer: true, timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    const { promise } = world.accept('promise.settle', request, {
      promises: { a: { state: 'resolved', settledAt: NOW + 10, timeoutArmed: false } },
      changes: ['settled a resolved'],
    });
    expect(promise).to.include({ state: 'resolved', settledAt: NOW + 10 });
  });
});
