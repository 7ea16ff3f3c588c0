import { MAX, NOW, RETRY, retry, UNHELD, World, type Refused } from './fixture.js';

describe('T-10 task.continue', () => {
  const request = { id: 'a' };
  const notHalted = (state: string, version: string, pid?: string): Refused => [
    409,
    'TASK_NOT_HALTED',
    { id: 'a', task_state: state, task_version: version, ...(pid === undefined ? {} : { task_pid: pid }) },
  ];

  const rows: readonly (readonly [title: string, arrange: (world: World) => void, refused: Refused])[] = [
    ['an absent task', (world) => world.create('a'), [404, 'TASK_NOT_FOUND', { id: 'a' }]],
    ['a pending task', (world) => world.pending('a'), notHalted('pending', '0')],
    ['an acquired task', (world) => world.acquired('a'), notHalted('acquired', '1', 'pid')],
    [
      'a suspended task',
      (world) => {
        world.create('b');
        world.suspended('a', ['b']);
      },
      notHalted('suspended', '1'),
    ],
    [
      'a fulfilled task',
      (world) => {
        world.halted('a');
        world.settle('a');
      },
      notHalted('fulfilled', '0'),
    ],
    ['a pending task without a promise', (world) => world.orphan('a', 'pending'), notHalted('pending', '5')],
    [
      'a halted task without a promise',
      (world) => world.orphan('a', 'halted'),
      [404, 'PROMISE_NOT_FOUND', { id: 'a' }],
    ],
  ];
  for (const [title, arrange, refused] of rows)
    it(`refuses ${title}: ${refused[0]} ${refused[1]}`, () => {
      const world = new World();
      arrange(world);
      world.refuse('task.continue', request, refused);
    });

  it('makes the task pending at its version, arms its retry and sends its execute', () => {
    const world = new World();
    world.acquired('a');
    world.run('task.halt', request);
    world.pending('b');
    world.now = NOW + 3;
    world.accept('task.continue', request, {
      tasks: { a: { state: 'pending', timeout: retry(NOW + 3 + RETRY) } },
      executes: ['b 0 → worker', 'a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });

  it('keeps the resumes, and the wake-ups that came while it was halted', () => {
    const world = new World();
    world.create('b');
    world.suspended('a', ['b']);
    world.run('task.halt', request);
    world.settle('b');
    world.accept('task.continue', request, {
      tasks: { a: { state: 'pending', timeout: retry(NOW + RETRY), resumes: ['b'] } },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });

  it('sends at once in spite of a delay ahead', () => {
    const world = new World();
    world.halted('a', { delay: NOW + 500 });
    world.accept('task.continue', request, {
      tasks: { a: { state: 'pending', timeout: retry(NOW + RETRY) } },
      executes: ['a 0 → worker'],
      changes: ['task a pending 0', 'execute a 0 → worker'],
    });
  });

  it('sends nothing to an empty target', () => {
    const world = new World();
    world.halted('a', { target: '' });
    world.accept('task.continue', request, {
      tasks: { a: { state: 'pending', timeout: retry(NOW + RETRY) } },
      changes: ['task a pending 0'],
    });
  });

  it('sends nothing for a promise that has expired without a timeout', () => {
    const world = new World();
    world.halted('a');
    world.disarmAndExpire('a');
    world.accept('task.continue', request, {
      tasks: { a: { state: 'pending', timeout: retry(NOW + RETRY) } },
      changes: ['task a pending 0'],
    });
  });

  it('saturates the retry', () => {
    const world = new World();
    world.halted('a', { timeoutAt: MAX });
    world.now = MAX - 1;
    world.accept('task.continue', request, {
      tasks: { a: { state: 'pending', timeout: retry(MAX) } },
      executes: ['a 0 → worker'],
      changes: ['task a pending 0', 'execute a 0 → worker'],
    });
  });

  it('refuses a task whose promise has expired: its timeout fires first', () => {
    const world = new World();
    world.halted('a', { timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    world.refuse('task.continue', request, notHalted('fulfilled', '0'), {
      promises: { a: { state: 'rejected_timedout', settledAt: NOW + 10, timeoutArmed: false } },
      tasks: { a: { ...UNHELD, state: 'fulfilled' } },
      changes: ['settled a rejected_timedout', 'task a fulfilled 0'],
    });
  });
});
