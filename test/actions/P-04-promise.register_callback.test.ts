import { expect } from 'chai';
import { NOW, World, type Refused } from './fixture.js';

describe('P-04 promise.register_callback', () => {
  const request = { awaitedId: 'b', awaiterId: 'a' };

  const rows: readonly (readonly [title: string, arrange: (world: World) => void, refused: Refused])[] = [
    ['an absent awaited, the awaiter absent too', () => undefined, [404, 'PROMISE_NOT_FOUND', { id: 'b' }]],
    ['an absent awaited', (world) => world.pending('a'), [404, 'PROMISE_NOT_FOUND', { id: 'b' }]],
    ['an absent awaiter', (world) => world.create('b'), [422, 'AWAITER_NOT_FOUND', { id: 'a' }]],
    [
      'an absent awaiter, the awaited settled',
      (world) => {
        world.create('b');
        world.settle('b');
      },
      [422, 'AWAITER_NOT_FOUND', { id: 'a' }],
    ],
    [
      'an awaiter without a target, though it has a task and both are settled',
      (world) => {
        world.create('b');
        world.settle('b');
        world.run('task.create', {
          pid: 'pid',
          ttl: 1,
          promise: { id: 'a', timeoutAt: NOW - 1, param: { headers: new Map() }, tags: new Map() },
        });
      },
      [422, 'AWAITER_WITHOUT_TARGET', { id: 'a' }],
    ],
    [
      'an awaiter that is external only as a timer',
      (world) => {
        world.create('b');
        world.create('a', { timer: true });
      },
      [422, 'AWAITER_WITHOUT_TARGET', { id: 'a' }],
    ],
  ];
  for (const [title, arrange, refused] of rows)
    it(`refuses ${title}: ${refused[0]} ${refused[1]}`, () => {
      const world = new World();
      arrange(world);
      world.refuse('promise.register_callback', request, refused);
    });

  it('registers the awaiter, and arms the timeout of the awaited', () => {
    const world = new World();
    world.create('b');
    world.pending('a');
    const { promise } = world.accept('promise.register_callback', request, {
      promises: { b: { callbacks: ['a'], timeoutArmed: true } },
    });
    expect(promise).to.include({ id: 'b', state: 'pending' });
  });

  it('registers once however often, in order of registration', () => {
    const world = new World();
    world.create('b');
    for (const id of ['z', 'a', 'k']) {
      world.pending(id);
      world.await('b', id);
    }
    world.accept('promise.register_callback', request, {});
    expect(world.state().promises.b).to.deep.include({ callbacks: ['z', 'a', 'k'] });
  });

  it('lets an empty target pass', () => {
    const world = new World();
    world.create('b');
    world.pending('a', { target: '' });
    world.accept('promise.register_callback', request, { promises: { b: { callbacks: ['a'], timeoutArmed: true } } });
  });

  it('leaves the task of the awaiter alone, whatever it does', () => {
    const world = new World();
    world.create('b');
    world.halted('a');
    world.accept('promise.register_callback', request, { promises: { b: { callbacks: ['a'], timeoutArmed: true } } });
  });

  it('lets a promise await itself', () => {
    const world = new World();
    world.pending('a');
    world.accept(
      'promise.register_callback',
      { awaitedId: 'a', awaiterId: 'a' },
      {
        promises: { a: { callbacks: ['a'] } },
      },
    );
  });

  it('registers nothing on a settled promise', () => {
    const world = new World();
    world.create('b');
    world.settle('b');
    world.pending('a');
    const { promise } = world.accept('promise.register_callback', request, {});
    expect(promise).to.include({ state: 'resolved', settledAt: NOW });
  });

  it('registers nothing on an expired promise without a timeout, and arms none', () => {
    const world = new World();
    world.create('b', { timeoutAt: NOW + 10 });
    world.pending('a');
    world.now = NOW + 10;
    const { promise } = world.accept('promise.register_callback', request, {});
    expect(promise).to.include({ state: 'rejected_timedout', settledAt: NOW + 10 });
  });

  it('registers nothing for a settled awaiter, and arms no timeout', () => {
    const world = new World();
    world.create('b');
    world.pending('a');
    world.settle('a');
    expect(world.accept('promise.register_callback', request, {}).promise).to.include({ state: 'pending' });
  });

  it('fires the due timeouts of both first, by due instant', () => {
    const world = new World();
    world.create('b', { timer: true, timeoutAt: NOW + 10 });
    world.pending('a', { timeoutAt: NOW + 9 });
    world.now = NOW + 10;
    const { promise } = world.accept('promise.register_callback', request, {
      promises: {
        a: { state: 'rejected_timedout', settledAt: NOW + 9, timeoutArmed: false },
        b: { state: 'resolved', settledAt: NOW + 10, timeoutArmed: false },
      },
      tasks: { a: { state: 'fulfilled', timeout: undefined } },
      executes: [],
      changes: ['settled a rejected_timedout', 'task a fulfilled 0', 'settled b resolved'],
    });
    expect(promise).to.include({ state: 'resolved', settledAt: NOW + 10 });
  });
});
