import { expect } from 'chai';
import { lease, MAX, NOW, World } from './fixture.js';

describe('T-05 task.heartbeat', () => {
  const beat = (...ids: string[]) => ({ pid: 'pid', tasks: ids.map((id) => ({ id, version: 1 })) });

  it('answers 200 to an empty list', () => {
    const world = new World();
    world.acquired('a');
    expect(world.accept('task.heartbeat', beat(), {}).status).to.equal(200);
  });

  it('renews each listed lease for its own ttl, and no other', () => {
    const world = new World();
    world.acquired('a');
    world.acquired('unlisted');
    world.pending('b');
    world.run('task.acquire', { id: 'b', version: 0, pid: 'pid', ttl: 7 });
    world.now = NOW + 5;
    world.accept('task.heartbeat', beat('b', 'a'), {
      tasks: { a: { timeout: lease(NOW + 105) }, b: { timeout: lease(NOW + 12) } },
      changes: ['task b acquired 1', 'task a acquired 1'],
    });
  });

  it('renews an overdue lease: it counts until it is swept', () => {
    const world = new World();
    world.acquired('a');
    world.now = NOW + 5000;
    world.accept('task.heartbeat', beat('a'), {
      tasks: { a: { timeout: lease(NOW + 5100) } },
      changes: ['task a acquired 1'],
    });
  });

  it('keeps the buffered resumes', () => {
    const world = new World();
    world.create('b');
    world.acquired('a');
    world.await('b', 'a');
    world.settle('b');
    world.now = NOW + 1;
    world.accept('task.heartbeat', beat('a'), {
      tasks: { a: { timeout: lease(NOW + 101) } },
      changes: ['task a acquired 1'],
    });
  });

  it('saturates the lease', () => {
    const world = new World();
    world.pending('a');
    world.run('task.acquire', { id: 'a', version: 0, pid: 'pid', ttl: MAX });
    world.now = NOW + 1;
    world.run('task.heartbeat', beat('a'));
    expect(world.state().tasks.a).to.deep.include({ timeout: lease(MAX) });
  });

  /** As the caller believes it to be, but for its state or its promise: only a fault leads there. */
  const setHeld = (world: World, state: 'acquired' | 'pending'): void => {
    if (state === 'pending') world.pending('a');
    world.transact((tx) => tx.setTask({ id: 'a', state, version: 1, pid: 'pid', ttl: 100, resumes: 0 }));
  };
  const skipped: readonly (readonly [title: string, arrange: (world: World) => void])[] = [
    ['absent', () => undefined],
    ['without a promise', (world) => setHeld(world, 'acquired')],
    ['pending', (world) => world.pending('a')],
    ['pending under the same pid', (world) => setHeld(world, 'pending')],
    ['halted', (world) => world.halted('a')],
    [
      'suspended',
      (world) => {
        world.create('b');
        world.suspended('a', ['b']);
      },
    ],
    [
      'fulfilled',
      (world) => {
        world.acquired('a');
        world.settle('a');
      },
    ],
    [
      'at another version',
      (world) => {
        world.acquired('a');
        world.run('task.release', { id: 'a', version: 1 });
        world.acquire('a', 1);
      },
    ],
    [
      'held by another pid',
      (world) => {
        world.pending('a');
        world.run('task.acquire', { id: 'a', version: 0, pid: 'other', ttl: 100 });
      },
    ],
    [
      'acquired beside a settled promise',
      (world) => {
        world.acquired('a');
        world.settleBehindTask('a');
      },
    ],
    [
      'acquired beside an expired promise',
      (world) => {
        world.acquired('a');
        world.disarmAndExpire('a');
      },
    ],
  ];
  for (const [title, arrange] of skipped)
    it(`skips a task that is ${title}, and renews the others`, () => {
      const world = new World();
      arrange(world);
      world.acquired('last');
      world.now = NOW + 5;
      const { status } = world.accept('task.heartbeat', beat('a', 'last'), {
        tasks: { last: { timeout: lease(NOW + 105) } },
        changes: ['task last acquired 1'],
      });
      expect(status).to.equal(200);
    });

  it('fires the due timeout of every listed promise first, held or not', () => {
    const world = new World();
    world.acquired('a', { timeoutAt: NOW + 10 });
    world.pending('b', { timeoutAt: NOW + 9 });
    world.now = NOW + 10;
    world.accept('task.heartbeat', beat('a', 'b'), {
      promises: {
        a: { state: 'rejected_timedout', settledAt: NOW + 10, timeoutArmed: false },
        b: { state: 'rejected_timedout', settledAt: NOW + 9, timeoutArmed: false },
      },
      tasks: {
        a: { state: 'fulfilled', pid: undefined, ttl: undefined, timeout: undefined },
        b: { state: 'fulfilled', timeout: undefined },
      },
      executes: [],
      changes: [
        'settled b rejected_timedout',
        'task b fulfilled 0',
        'settled a rejected_timedout',
        'task a fulfilled 1',
      ],
    });
  });
});
