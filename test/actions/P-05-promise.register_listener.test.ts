import { expect } from 'chai';
import { NOW, value, World } from './fixture.js';

describe('P-05 promise.register_listener', () => {
  const request = { awaitedId: 'b', address: 'uni@g/caller' };

  it('refuses an absent promise: 404 PROMISE_NOT_FOUND', () => {
    new World().refuse('promise.register_listener', request, [404, 'PROMISE_NOT_FOUND', { id: 'b' }]);
  });

  it('registers the address, and arms the timeout', () => {
    const world = new World();
    world.create('b');
    const { promise } = world.accept('promise.register_listener', request, {
      promises: { b: { listeners: ['uni@g/caller'], timeoutArmed: true } },
    });
    expect(promise).to.include({ id: 'b', state: 'pending' });
  });

  it('registers once however often, in order of registration', () => {
    const world = new World();
    world.create('b');
    for (const address of ['z', 'uni@g/caller', 'k']) world.listen('b', address);
    world.accept('promise.register_listener', request, {});
    expect(world.state().promises.b).to.deep.include({ listeners: ['z', 'uni@g/caller', 'k'] });
  });

  it('registers and sends nothing on a settled promise: the answer holds the outcome', () => {
    const world = new World();
    world.create('b');
    world.settle('b');
    const { promise } = world.accept('promise.register_listener', request, {});
    expect(promise).to.deep.include({ state: 'resolved', value: value('of b') });
  });

  it('registers and sends nothing on an expired promise without a timeout, and arms none', () => {
    const world = new World();
    world.create('b', { timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    const { promise } = world.accept('promise.register_listener', request, {});
    expect(promise).to.include({ state: 'rejected_timedout', settledAt: NOW + 10 });
  });

  it('fires its due timeout first', () => {
    const world = new World();
    world.create('b', { timer: true, timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    const { promise } = world.accept('promise.register_listener', request, {
      promises: { b: { state: 'resolved', settledAt: NOW + 10, timeoutArmed: false } },
      changes: ['settled b resolved'],
    });
    expect(promise).to.include({ state: 'resolved' });
  });
});
