import { expect } from 'chai';
import { FAR, MAX, NOW, RETRY, retry, spec, storedPromise, storedTask, World, type SpecOptions } from './fixture.js';

describe('P-02 promise.create', () => {
  describe('of an absent promise with its deadline ahead', () => {
    it('stores it pending, and arms nothing', () => {
      const request = spec('a', { tags: { k: 'v', 'resonate:timer': 'yes' } });
      const { promise } = new World().accept('promise.create', request, { promises: { a: storedPromise(request) } });
      expect(promise).to.deep.include({ id: 'a', state: 'pending', timeoutAt: FAR, createdAt: NOW });
    });

    it('arms the timeout of a timer', () => {
      const request = spec('a', { timer: true });
      new World().accept('promise.create', request, {
        promises: { a: storedPromise(request, { timeoutArmed: true }) },
      });
    });

    it('with a target makes a pending task, arms its retry and sends its execute', () => {
      const request = spec('a', { target: 'uni@g/p' });
      new World().accept('promise.create', request, {
        promises: { a: storedPromise(request, { timeoutArmed: true }) },
        tasks: { a: storedTask('a', { timeout: retry(NOW + RETRY) }) },
        executes: ['a 0 → uni@g/p'],
        changes: ['task a pending 0', 'execute a 0 → uni@g/p'],
      });
    });

    it('with a target may be a timer, too', () => {
      const request = spec('a', { target: 'worker', timer: true });
      new World().accept('promise.create', request, {
        promises: { a: storedPromise(request, { timeoutArmed: true }) },
        tasks: { a: storedTask('a', { timeout: retry(NOW + RETRY) }) },
        executes: ['a 0 → worker'],
        changes: ['task a pending 0', 'execute a 0 → worker'],
      });
    });

    it('with an empty target makes a task, and sends nothing', () => {
      const request = spec('a', { target: '' });
      new World().accept('promise.create', request, {
        promises: { a: storedPromise(request, { timeoutArmed: true }) },
        tasks: { a: storedTask('a', { timeout: retry(NOW + RETRY) }) },
        changes: ['task a pending 0'],
      });
    });

    it('with a delay ahead arms the retry at the delay, and sends nothing', () => {
      for (const delay of [NOW + 1, FAR + 1, MAX]) {
        const request = spec('a', { target: 'worker', delay });
        new World().accept('promise.create', request, {
          promises: { a: storedPromise(request, { timeoutArmed: true }) },
          tasks: { a: storedTask('a', { timeout: { kind: 'delay', dueAt: delay } }) },
          changes: ['task a pending 0'],
        });
      }
    });

    it('with a delay that has come sends at once', () => {
      for (const delay of [0, NOW - 1, NOW]) {
        const request = spec('a', { target: 'worker', delay });
        new World().accept('promise.create', request, {
          promises: { a: storedPromise(request, { timeoutArmed: true }) },
          tasks: { a: storedTask('a', { timeout: retry(NOW + RETRY) }) },
          executes: ['a 0 → worker'],
          changes: ['task a pending 0', 'execute a 0 → worker'],
        });
      }
    });

    it('with a delay but no target makes no task', () => {
      const request = spec('a', { delay: NOW + 10 });
      new World().accept('promise.create', request, { promises: { a: storedPromise(request) } });
    });

    it('saturates the retry', () => {
      const world = new World();
      world.now = MAX - 1;
      const request = spec('a', { target: 'worker', timeoutAt: MAX });
      world.accept('promise.create', request, {
        promises: { a: storedPromise(request, { createdAt: MAX - 1, timeoutArmed: true }) },
        tasks: { a: storedTask('a', { timeout: retry(MAX) }) },
        executes: ['a 0 → worker'],
        changes: ['task a pending 0', 'execute a 0 → worker'],
      });
    });

    it('sends in order of creation', () => {
      const world = new World();
      for (const id of ['c', 'a', 'b']) world.pending(id);
      expect(world.state().executes).to.deep.equal(['c 0 → worker', 'a 0 → worker', 'b 0 → worker']);
    });
  });

  describe('of an absent promise with its deadline passed', () => {
    const settled = (timeoutAt: number, state: string) => ({
      state,
      createdAt: timeoutAt,
      settledAt: timeoutAt,
    });

    for (const timeoutAt of [NOW, NOW - 1, 0]) {
      it(`stores it settled (deadline ${timeoutAt - NOW} ms from now)`, () => {
        const request = spec('a', { timeoutAt });
        const { promise } = new World().accept('promise.create', request, {
          promises: { a: storedPromise(request, settled(timeoutAt, 'rejected_timedout')) },
          changes: ['settled a rejected_timedout'],
        });
        expect(promise).to.include(settled(timeoutAt, 'rejected_timedout'));
      });
    }

    it('resolves a timer', () => {
      const request = spec('a', { timer: true, timeoutAt: NOW });
      new World().accept('promise.create', request, {
        promises: { a: storedPromise(request, settled(NOW, 'resolved')) },
        changes: ['settled a resolved'],
      });
    });

    for (const target of ['worker', ''])
      it(`with the target "${target}" makes a fulfilled task, arms and sends nothing, delay or not`, () => {
        const request = spec('a', { target, timeoutAt: NOW, delay: NOW + 10 });
        new World().accept('promise.create', request, {
          promises: { a: storedPromise(request, settled(NOW, 'rejected_timedout')) },
          tasks: { a: storedTask('a', { state: 'fulfilled' }) },
          changes: ['settled a rejected_timedout', 'task a fulfilled 0'],
        });
      });
  });

  describe('of a promise that exists', () => {
    const other: SpecOptions = { target: 'other', timer: true, timeoutAt: NOW - 1, tags: { x: 'y' } };

    it('changes nothing, whatever the request says', () => {
      const world = new World();
      world.create('a', { tags: { k: 'v' } });
      world.now = NOW + 10;
      const { promise } = world.accept('promise.create', spec('a', other), {});
      expect(promise).to.deep.include({
        state: 'pending',
        createdAt: NOW,
        timeoutAt: FAR,
        tags: new Map([['k', 'v']]),
      });
    });

    it('does not send its execute again', () => {
      const world = new World();
      world.acquired('a');
      world.accept('promise.create', spec('a', { target: 'worker' }), {});
    });

    it('answers a settled one as it is', () => {
      const world = new World();
      world.create('a');
      world.settle('a');
      expect(world.accept('promise.create', spec('a', other), {}).promise).to.include({
        state: 'resolved',
        settledAt: NOW,
      });
    });

    it('projects an expired one without a timeout', () => {
      const world = new World();
      world.create('a', { timeoutAt: NOW + 10 });
      world.now = NOW + 10;
      const { promise } = world.accept('promise.create', spec('a'), {});
      expect(promise).to.include({ state: 'rejected_timedout', settledAt: NOW + 10 });
    });

    it('fires its due timeout first', () => {
      const world = new World();
      world.create('a', { timer: true, timeoutAt: NOW + 10 });
      world.now = NOW + 99;
      const { promise } = world.accept('promise.create', spec('a'), {
        promises: { a: { state: 'resolved', settledAt: NOW + 10, timeoutArmed: false } },
        changes: ['settled a resolved'],
      });
      expect(promise).to.include({ state: 'resolved', settledAt: NOW + 10 });
    });
  });
});
