import { expect } from 'chai';
import { promiseTimeout, taskLease, taskRetry } from '../../src/protocol/actions/02-timeouts.js';
import { lease, MAX, NOW, RETRY, retry, World } from './fixture.js';

// What settlement does to others is in settlement.test.ts, what schedules do in 02-timeouts.schedule.test.ts.
describe('02 promise timeout', () => {
  const fire = (world: World): boolean => world.transact((tx) => promiseTimeout(tx, 'a', world.now));

  const idle: readonly (readonly [title: string, arrange: (world: World) => void])[] = [
    ['is absent', () => undefined],
    [
      'is settled',
      (world) => {
        world.create('a', { timer: true, timeoutAt: NOW + 10 });
        world.settle('a');
        world.now = NOW + 10;
      },
    ],
    [
      'is not due',
      (world) => {
        world.create('a', { timer: true, timeoutAt: NOW + 10 });
        world.now = NOW + 9;
      },
    ],
    [
      'has no timeout armed',
      (world) => {
        world.create('a', { timeoutAt: NOW + 10 });
        world.now = NOW + 10;
      },
    ],
    [
      'is settled, and armed by a fault',
      (world) => {
        world.create('a', { timer: true, timeoutAt: NOW + 10 });
        world.settle('a');
        world.transact((tx) => {
          const promise = tx.getPromise('a');
          if (promise !== undefined) tx.setPromise({ ...promise, timeoutArmed: true });
        });
        world.now = NOW + 10;
      },
    ],
    [
      'has timed out already',
      (world) => {
        world.create('a', { timer: true, timeoutAt: NOW + 10 });
        world.now = NOW + 10;
        fire(world);
      },
    ],
  ];
  for (const [title, arrange] of idle)
    it(`does nothing when the promise ${title}`, () => {
      const world = new World();
      arrange(world);
      expect(world.changes(() => fire(world), {})).to.equal(false);
    });

  for (const [timer, state] of [
    [true, 'resolved'],
    [false, 'rejected_timedout'],
  ] as const)
    for (const late of [0, 300])
      it(`settles a ${timer ? 'timer' : 'promise'} as ${state} at its deadline, fired ${late} ms late`, () => {
        const world = new World();
        world.create('a', { timer, timeoutAt: NOW + 10 });
        world.listen('a', 'caller');
        world.now = NOW + 10 + late;
        const fired = world.changes(() => fire(world), {
          promises: { a: { state, settledAt: NOW + 10, timeoutArmed: false, listeners: [] } },
          unblocks: ['a → caller'],
          changes: [`settled a ${state}`, 'unblock a → caller'],
        });
        expect(fired).to.equal(true);
      });

  it('arms the retries that it causes from now, not from the deadline', () => {
    const world = new World();
    world.create('a', { timeoutAt: NOW + 10 });
    world.suspended('s', ['a']);
    world.now = NOW + 500;
    world.changes(() => fire(world), {
      promises: { a: { state: 'rejected_timedout', settledAt: NOW + 10, timeoutArmed: false, callbacks: [] } },
      tasks: { s: { state: 'pending', resumes: ['a'], timeout: retry(NOW + 500 + RETRY) } },
      executes: ['s 1 → worker'],
      changes: ['settled a rejected_timedout', 'task s pending 1', 'execute s 1 → worker'],
    });
  });
});

describe('02 task retry', () => {
  const fire = (world: World): boolean => world.transact((tx) => taskRetry(tx, 'a', world.now));

  const idle: readonly (readonly [title: string, arrange: (world: World) => void])[] = [
    ['is absent', () => undefined],
    ['is acquired, its lease due', (world) => world.acquired('a')],
    ['is halted', (world) => world.halted('a')],
    [
      'is fulfilled',
      (world) => {
        world.pending('a');
        world.settle('a');
      },
    ],
    [
      'is suspended',
      (world) => {
        world.create('b');
        world.suspended('a', ['b']);
      },
    ],
    ['waits out its delay', (world) => world.pending('a', { delay: NOW + RETRY + 1 })],
    ['has no timeout armed', (world) => world.orphan('a', 'pending')],
    [
      'was released later',
      (world) => {
        world.acquired('a');
        world.now = NOW + 1;
        world.run('task.release', { id: 'a', version: 1 });
      },
    ],
  ];
  for (const [title, arrange] of idle)
    it(`does nothing when the task ${title}`, () => {
      const world = new World();
      arrange(world);
      world.now = NOW + RETRY;
      expect(world.changes(() => fire(world), {})).to.equal(false);
    });

  it('does nothing before it is due', () => {
    const world = new World();
    world.pending('a');
    world.now = NOW + RETRY - 1;
    expect(world.changes(() => fire(world), {})).to.equal(false);
  });

  it('is armed anew, and sends the execute again, which keeps its place', () => {
    const world = new World();
    world.pending('a');
    world.pending('b');
    world.now = NOW + RETRY;
    const fired = world.changes(() => fire(world), {
      tasks: { a: { timeout: retry(NOW + 2 * RETRY) } },
      changes: ['task a pending 0', 'execute a 0 → worker'],
    });
    expect(fired).to.equal(true);
    expect(
      world.changes(() => fire(world), {}),
      'a second time',
    ).to.equal(false);
  });

  it('sends the first execute after a delay', () => {
    const world = new World();
    world.pending('a', { delay: NOW + 10 });
    world.now = NOW + 10;
    world.changes(() => fire(world), {
      tasks: { a: { timeout: retry(NOW + 10 + RETRY) } },
      executes: ['a 0 → worker'],
      changes: ['task a pending 0', 'execute a 0 → worker'],
    });
  });

  it('sends nothing for an expired promise, and leaves the execute that waits', () => {
    const world = new World();
    world.pending('a', { timeoutAt: NOW + RETRY });
    world.now = NOW + RETRY;
    world.changes(() => fire(world), {
      tasks: { a: { timeout: retry(NOW + 2 * RETRY) } },
      changes: ['task a pending 0'],
    });
    expect(world.state().executes).to.deep.equal(['a 0 → worker']);
  });

  it('sends nothing to an empty target', () => {
    const world = new World();
    world.pending('a', { target: '' });
    world.now = NOW + RETRY;
    world.changes(() => fire(world), {
      tasks: { a: { timeout: retry(NOW + 2 * RETRY) } },
      changes: ['task a pending 0'],
    });
  });

  it('sends nothing without a promise', () => {
    const world = new World();
    world.transact((tx) => tx.setTask({ id: 'a', state: 'pending', version: 5, resumes: 0, timeout: retry(NOW) }));
    world.changes(() => fire(world), { tasks: { a: { timeout: retry(NOW + RETRY) } }, changes: ['task a pending 5'] });
  });

  it('saturates', () => {
    const world = new World();
    world.pending('a', { timeoutAt: MAX });
    world.now = MAX - 1;
    world.changes(() => fire(world), {
      tasks: { a: { timeout: retry(MAX) } },
      changes: ['task a pending 0', 'execute a 0 → worker'],
    });
  });
});

describe('02 task lease', () => {
  const fire = (world: World): boolean => world.transact((tx) => taskLease(tx, 'a', world.now));
  const lost = (now: number) => ({ state: 'pending', pid: undefined, ttl: undefined, timeout: retry(now + RETRY) });

  const idle: readonly (readonly [title: string, arrange: (world: World) => void])[] = [
    ['is absent', () => undefined],
    ['is pending, its retry due', (world) => world.pending('a')],
    ['has no timeout armed', (world) => world.orphan('a', 'acquired')],
    ['is halted', (world) => world.halted('a')],
    [
      'is fulfilled',
      (world) => {
        world.acquired('a');
        world.settle('a');
      },
    ],
    [
      'is suspended',
      (world) => {
        world.create('b');
        world.suspended('a', ['b']);
      },
    ],
    [
      'has a renewed lease',
      (world) => {
        world.acquired('a');
        world.now = NOW + RETRY;
        world.run('task.heartbeat', { pid: 'pid', tasks: [{ id: 'a', version: 1 }] });
      },
    ],
  ];
  for (const [title, arrange] of idle)
    it(`does nothing when the task ${title}`, () => {
      const world = new World();
      arrange(world);
      world.now = NOW + RETRY;
      expect(world.changes(() => fire(world), {})).to.equal(false);
    });

  it('does nothing before it is due', () => {
    const world = new World();
    world.acquired('a');
    world.now = NOW + 99;
    expect(world.changes(() => fire(world), {})).to.equal(false);
  });

  it('makes the task pending at its version, keeps its resumes, and sends its execute', () => {
    const world = new World();
    world.create('b');
    world.acquired('a');
    world.await('b', 'a');
    world.settle('b');
    world.now = NOW + 100;
    const fired = world.changes(() => fire(world), {
      tasks: { a: lost(NOW + 100) },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
    expect(fired).to.equal(true);
    expect(world.state().tasks.a).to.deep.include({ resumes: ['b'] });
  });

  it('sends at once in spite of a delay ahead', () => {
    const world = new World();
    world.acquired('a', { delay: NOW + 5000 });
    world.now = NOW + 100;
    world.changes(() => fire(world), {
      tasks: { a: lost(NOW + 100) },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });

  for (const [title, options] of [
    ['to an empty target', { target: '' }],
    ['for an expired promise', { timeoutAt: NOW + 100 }],
  ] as const)
    it(`sends nothing ${title}`, () => {
      const world = new World();
      world.acquired('a', options);
      world.now = NOW + 100;
      world.changes(() => fire(world), { tasks: { a: lost(NOW + 100) }, changes: ['task a pending 1'] });
    });

  it('sends nothing without a promise', () => {
    const world = new World();
    world.transact((tx) =>
      tx.setTask({ id: 'a', state: 'acquired', version: 5, pid: 'p', ttl: 1, resumes: 0, timeout: lease(NOW) }),
    );
    world.changes(() => fire(world), { tasks: { a: lost(NOW) }, changes: ['task a pending 5'] });
  });

  it('saturates the retry', () => {
    const world = new World();
    world.acquired('a', { timeoutAt: MAX });
    world.now = MAX - 1;
    world.changes(() => fire(world), {
      tasks: { a: { ...lost(0), timeout: retry(MAX) } },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });
});
