import type { OperationName, RequestOf } from '../../src/protocol/operations.js';
import type { TaskRef } from '../../src/protocol/requests.js';
import { NOW, World, type Refused } from './fixture.js';

/** SPEC "The acquired-task checks": each row breaks one, and every check after it too. */
export function describeAcquiredChecks<N extends OperationName>(
  name: N,
  request: (ref: TaskRef) => RequestOf<N>,
): void {
  const conflict = (reason: Refused[1], state: string, version: string, pid?: string): Refused => [
    409,
    reason,
    { id: 'a', task_state: state, task_version: version, ...(pid === undefined ? {} : { task_pid: pid }) },
  ];
  const rows: readonly (readonly [
    title: string,
    arrange: (world: World) => void,
    version: number,
    refused: Refused,
  ])[] = [
    ['no task', (world) => world.create('a'), 9, [404, 'TASK_NOT_FOUND', { id: 'a' }]],
    ['no task and no promise', () => undefined, 9, [404, 'TASK_NOT_FOUND', { id: 'a' }]],
    ['no promise', (world) => world.orphan('a', 'pending'), 9, conflict('PROMISE_MISSING', 'pending', '5')],
    [
      'a pending task, its promise not live',
      (world) => {
        world.pending('a');
        world.settleBehindTask('a');
      },
      9,
      conflict('TASK_NOT_ACQUIRED', 'pending', '0'),
    ],
    [
      'a suspended task, its promise not live',
      (world) => {
        world.create('b');
        world.suspended('a', ['b']);
        world.disarmAndExpire('a');
      },
      9,
      conflict('TASK_NOT_ACQUIRED', 'suspended', '1'),
    ],
    ['a halted task', (world) => world.halted('a'), 9, conflict('TASK_NOT_ACQUIRED', 'halted', '0')],
    [
      'a fulfilled task',
      (world) => {
        world.acquired('a');
        world.settle('a');
      },
      9,
      conflict('TASK_NOT_ACQUIRED', 'fulfilled', '1'),
    ],
    [
      'a settled promise',
      (world) => {
        world.acquired('a');
        world.settleBehindTask('a');
      },
      9,
      conflict('PROMISE_NOT_LIVE', 'acquired', '1', 'pid'),
    ],
    [
      'an expired promise',
      (world) => {
        world.acquired('a');
        world.disarmAndExpire('a');
      },
      9,
      conflict('PROMISE_NOT_LIVE', 'acquired', '1', 'pid'),
    ],
    ['an older version', (world) => world.acquired('a'), 0, conflict('TASK_VERSION_MISMATCH', 'acquired', '1', 'pid')],
    ['a newer version', (world) => world.acquired('a'), 2, conflict('TASK_VERSION_MISMATCH', 'acquired', '1', 'pid')],
  ];

  for (const [title, arrange, version, refused] of rows) {
    it(`refuses ${title}: ${refused[0]} ${refused[1]}`, () => {
      const world = new World();
      arrange(world);
      world.refuse(name, request({ id: 'a', version }), refused);
    });
  }

  it('refuses a task whose deadline is this instant, after its timeout has fired: 409 TASK_NOT_ACQUIRED', () => {
    const world = new World();
    world.acquired('a', { timeoutAt: NOW + 10 });
    world.listen('a', 'caller');
    world.now = NOW + 10;
    world.refuse(name, request({ id: 'a', version: 1 }), conflict('TASK_NOT_ACQUIRED', 'fulfilled', '1'), {
      promises: { a: { state: 'rejected_timedout', settledAt: NOW + 10, timeoutArmed: false, listeners: [] } },
      tasks: { a: { state: 'fulfilled', pid: undefined, ttl: undefined, timeout: undefined } },
      unblocks: ['a → caller'],
      changes: ['settled a rejected_timedout', 'task a fulfilled 1', 'unblock a → caller'],
    });
  });
}
