import { expect } from 'chai';
import { plain } from '../store/plain.js';
import { lease, MAX, NOW, World, type Refused } from './fixture.js';

describe('T-03 task.acquire', () => {
  const request = (version: number) => ({ id: 'a', version, pid: 'me', ttl: 30 });
  const held = (version: number, at = NOW) => ({
    state: 'acquired',
    version,
    pid: 'me',
    ttl: 30,
    timeout: lease(at + 30),
  });
  const conflict = (reason: Refused[1], state: string, version: string, pid?: string): Refused => [
    409,
    reason,
    { id: 'a', task_state: state, task_version: version, ...(pid === undefined ? {} : { task_pid: pid }) },
  ];

  // Each row breaks one check, and every check after it too.
  const rows: readonly (readonly [
    title: string,
    arrange: (world: World) => void,
    version: number,
    refused: Refused,
  ])[] = [
    ['no task', (world) => world.create('a'), 9, [404, 'TASK_NOT_FOUND', { id: 'a' }]],
    ['no task and no promise', () => undefined, 9, [404, 'TASK_NOT_FOUND', { id: 'a' }]],
    ['no promise', (world) => world.orphan('a', 'acquired'), 9, conflict('PROMISE_MISSING', 'acquired', '5')],
    [
      'an acquired task, its promise not live',
      (world) => {
        world.acquired('a');
        world.settleBehindTask('a');
      },
      9,
      conflict('TASK_NOT_PENDING', 'acquired', '1', 'pid'),
    ],
    [
      'a suspended task, its promise not live',
      (world) => {
        world.create('b');
        world.suspended('a', ['b']);
        world.disarmAndExpire('a');
      },
      9,
      conflict('TASK_NOT_PENDING', 'suspended', '1'),
    ],
    ['a halted task', (world) => world.halted('a'), 9, conflict('TASK_NOT_PENDING', 'halted', '0')],
    [
      'a fulfilled task',
      (world) => {
        world.pending('a');
        world.settle('a');
      },
      9,
      conflict('TASK_NOT_PENDING', 'fulfilled', '0'),
    ],
    [
      'a settled promise',
      (world) => {
        world.pending('a');
        world.settleBehindTask('a');
      },
      9,
      conflict('PROMISE_NOT_LIVE', 'pending', '0'),
    ],
    [
      'an expired promise',
      (world) => {
        world.pending('a');
        world.disarmAndExpire('a');
      },
      9,
      conflict('PROMISE_NOT_LIVE', 'pending', '0'),
    ],
    ['a newer version', (world) => world.pending('a'), 1, conflict('TASK_VERSION_MISMATCH', 'pending', '0')],
    [
      'an older version',
      (world) => {
        world.acquired('a');
        world.run('task.release', { id: 'a', version: 1 });
      },
      0,
      conflict('TASK_VERSION_MISMATCH', 'pending', '1'),
    ],
    ['itself sent again', (world) => world.acquired('a'), 0, conflict('TASK_NOT_PENDING', 'acquired', '1', 'pid')],
  ];
  for (const [title, arrange, version, refused] of rows)
    it(`refuses ${title}: ${refused[0]} ${refused[1]}`, () => {
      const world = new World();
      arrange(world);
      world.refuse('task.acquire', request(version), refused);
    });

  it('takes a pending task, under the next version, and its execute out of the outbox', () => {
    const world = new World();
    world.pending('a');
    world.pending('b');
    world.now = NOW + 3;
    const { task, promise } = world.accept('task.acquire', request(0), {
      tasks: { a: held(1, NOW + 3) },
      executes: ['b 0 → worker'],
      changes: ['task a acquired 1'],
    });
    expect(plain(task)).to.deep.equal({ id: 'a', ...held(1, NOW + 3), resumes: 0 });
    expect(promise).to.include({ id: 'a', state: 'pending' });
  });

  it('clears the buffered resumes', () => {
    const world = new World();
    world.create('b');
    world.suspended('a', ['b']);
    world.settle('b');
    const { task } = world.accept('task.acquire', request(1), {
      tasks: { a: { ...held(2), resumes: [] } },
      executes: [],
      changes: ['task a acquired 2'],
    });
    expect(task).to.include({ resumes: 0 });
  });

  it('keeps the callbacks of earlier rounds', () => {
    const world = new World();
    world.create('b');
    world.create('c');
    world.suspended('a', ['b', 'c']);
    world.settle('b');
    world.acquire('a', 1);
    expect(world.state().promises.c).to.deep.include({ callbacks: ['a'] });
  });

  it('takes a task that waits out its delay, earlier', () => {
    const world = new World();
    world.pending('a', { delay: NOW + 500 });
    world.accept('task.acquire', request(0), { tasks: { a: held(1) }, changes: ['task a acquired 1'] });
  });

  it('takes a task without a target, after a lost lease', () => {
    const world = new World();
    world.run('task.create', {
      pid: 'pid',
      ttl: 9,
      promise: { id: 'a', timeoutAt: MAX, param: { headers: new Map() }, tags: new Map() },
    });
    world.run('task.release', { id: 'a', version: 1 });
    world.accept('task.acquire', request(1), { tasks: { a: held(2) }, changes: ['task a acquired 2'] });
  });

  it('saturates the lease', () => {
    const world = new World();
    world.pending('a');
    world.accept(
      'task.acquire',
      { ...request(0), ttl: MAX },
      {
        tasks: { a: { ...held(1), ttl: MAX, timeout: lease(MAX) } },
        executes: [],
        changes: ['task a acquired 1'],
      },
    );
  });

  it('takes it one instant before the deadline, and no later: the timeout fires first', () => {
    const world = new World();
    world.pending('a', { timeoutAt: NOW + 10 });
    world.pending('b', { timeoutAt: NOW + 10 });
    world.now = NOW + 9;
    world.accept(
      'task.acquire',
      { ...request(0), id: 'b' },
      {
        tasks: { b: held(1, NOW + 9) },
        executes: ['a 0 → worker'],
        changes: ['task b acquired 1'],
      },
    );
    world.now = NOW + 10;
    world.refuse('task.acquire', request(0), conflict('TASK_NOT_PENDING', 'fulfilled', '0'), {
      promises: { a: { state: 'rejected_timedout', settledAt: NOW + 10, timeoutArmed: false } },
      tasks: { a: { state: 'fulfilled', timeout: undefined } },
      executes: [],
      changes: ['settled a rejected_timedout', 'task a fulfilled 0'],
    });
  });
});
