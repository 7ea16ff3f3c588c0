import { expect } from 'chai';
import { MAX, NOW, spec, value, World } from './fixture.js';
import { plain } from '../store/plain.js';

describe('P-01 promise.get', () => {
  it('refuses an absent promise: 404 PROMISE_NOT_FOUND', () => {
    new World().refuse('promise.get', { id: 'a' }, [404, 'PROMISE_NOT_FOUND', { id: 'a' }]);
  });

  it('answers a live promise as it is stored', () => {
    const world = new World();
    world.create('a', { tags: { k: 'v' } });
    const { promise } = world.accept('promise.get', { id: 'a' }, {});
    const { param, tags } = spec('a', { tags: { k: 'v' } });
    expect(promise).to.deep.include({ id: 'a', state: 'pending', param, tags, createdAt: NOW });
    expect(promise).to.not.have.property('settledAt');
  });

  it('answers a settled promise as it is stored', () => {
    const world = new World();
    world.create('a');
    world.settle('a');
    world.now = MAX;
    const { promise } = world.accept('promise.get', { id: 'a' }, {});
    expect(promise).to.deep.include({ state: 'resolved', value: value('of a'), settledAt: NOW });
  });

  for (const [title, options, state] of [
    ['without meaning', {}, 'rejected_timedout'],
    ['with a target', { target: 'worker' }, 'rejected_timedout'],
    ['that is a timer', { timer: true }, 'resolved'],
    ['that is almost a timer', { tags: { 'resonate:timer': 'TRUE' } }, 'rejected_timedout'],
  ] as const)
    it(`shows an expired promise ${title} as ${state}, and writes nothing`, () => {
      const world = new World();
      world.create('a', { ...options, timeoutAt: NOW + 10 });
      world.now = NOW + 9;
      expect(world.accept('promise.get', { id: 'a' }, {}).promise.state).to.equal('pending');
      for (const later of [NOW + 10, NOW + 500]) {
        world.now = later;
        const { promise } = world.accept('promise.get', { id: 'a' }, {});
        expect(promise).to.include({ state, settledAt: NOW + 10, timeoutAt: NOW + 10 });
        expect(plain(promise.value)).to.deep.equal({ headers: new Map() });
      }
    });
});
