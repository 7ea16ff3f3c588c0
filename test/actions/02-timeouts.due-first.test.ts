import type { OperationName, RequestOf } from '../../src/protocol/operations.js';
import { NOW, spec, value, World } from './fixture.js';

describe('02 due timeouts first', () => {
  /** Every operation that writes, with requests that name x, and y where they name two. */
  const named: readonly { readonly [N in OperationName]: readonly [N, RequestOf<N>, ...string[]] }[OperationName][] = [
    ['promise.create', spec('x'), 'x'],
    ['promise.settle', { id: 'x', state: 'rejected', value: value('v') }, 'x'],
    ['promise.register_callback', { awaitedId: 'x', awaiterId: 'y' }, 'x', 'y'],
    ['promise.register_listener', { awaitedId: 'x', address: 'l' }, 'x'],
    ['task.create', { pid: 'p', ttl: 1, promise: spec('x') }, 'x'],
    ['task.acquire', { id: 'x', version: 0, pid: 'p', ttl: 1 }, 'x'],
    ['task.fence', { id: 'x', version: 0, action: { kind: 'create', promise: spec('y') } }, 'x', 'y'],
    [
      'task.fence',
      {
        id: 'x',
        version: 0,
        action: { kind: 'settle', settlement: { id: 'y', state: 'rejected', value: value('v') } },
      },
      'x',
      'y',
    ],
    [
      'task.heartbeat',
      {
        pid: 'p',
        tasks: [
          { id: 'y', version: 0 },
          { id: 'x', version: 9 },
        ],
      },
      'x',
      'y',
    ],
    ['task.suspend', { id: 'x', version: 0, awaitedIds: ['y', 'z'] }, 'x', 'y', 'z'],
    ['task.fulfill', { id: 'x', version: 0, state: 'rejected', value: value('v') }, 'x'],
    ['task.release', { id: 'x', version: 0 }, 'x'],
    ['task.halt', { id: 'x' }, 'x'],
    ['task.continue', { id: 'x' }, 'x'],
  ];

  for (const [name, request, ...ids] of named)
    it(`${name} fires those of ${ids.join(', ')}, and no other, whatever it then answers`, () => {
      const world = new World();
      for (const id of ['z', 'y', 'x', 'bystander']) world.create(id, { timer: true, timeoutAt: NOW + 10 });
      world.now = NOW + 12;
      const settled = { state: 'resolved', settledAt: NOW + 10, timeoutArmed: false };
      world.changes(() => world.run(name, request), {
        promises: Object.fromEntries(ids.map((id) => [id, settled])),
        changes: ids.map((id) => `settled ${id} resolved`),
      });
    });

  for (const [name, request] of [
    ['promise.get', { id: 'x' }],
    ['task.get', { id: 'x' }],
    ['schedule.get', { id: 'x' }],
    ['schedule.delete', { id: 'x' }],
  ] as const)
    it(`${name} fires none`, () => {
      const world = new World();
      world.pending('x', { timeoutAt: NOW + 10 });
      world.now = NOW + 10;
      world.changes(() => world.run(name, request), {});
    });

  it('schedule.create fires none', () => {
    const world = new World();
    world.create('x', { timer: true, timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    const request = {
      id: 'x',
      cron: 'every 60',
      promiseId: 'x',
      promiseTimeout: 1,
      promiseParam: value(''),
      promiseTags: new Map(),
    };
    world.accept('schedule.create', request, {
      schedules: { x: { ...request, createdAt: NOW + 10, nextRunAt: 1_000_020 } },
    });
  });

  it('does not fire those of tasks: an overdue lease counts until it is swept', () => {
    const world = new World();
    world.acquired('x');
    world.now = NOW + 99_999;
    world.accept(
      'task.fulfill',
      { id: 'x', version: 1, state: 'resolved', value: value('v') },
      {
        promises: { x: { state: 'resolved', value: value('v'), settledAt: NOW + 99_999, timeoutArmed: false } },
        tasks: { x: { state: 'fulfilled', pid: undefined, ttl: undefined, timeout: undefined } },
        changes: ['settled x resolved', 'task x fulfilled 1'],
      },
    );
  });

  it('settles the awaited before the awaiter is looked at: by due instant, not in the order of the request', () => {
    const world = new World();
    world.create('b', { timeoutAt: NOW + 9 });
    world.create('c', { timeoutAt: NOW + 8 });
    world.suspended('a', ['b', 'c'], { timeoutAt: NOW + 10 });
    world.now = NOW + 20;
    const settled = (settledAt: number) => ({
      state: 'rejected_timedout',
      settledAt,
      timeoutArmed: false,
      callbacks: [],
    });
    world.refuse(
      'task.suspend',
      { id: 'a', version: 1, awaitedIds: ['b', 'c'] },
      [409, 'TASK_NOT_ACQUIRED', { id: 'a', task_state: 'fulfilled', task_version: '1' }],
      {
        promises: { a: settled(NOW + 10), b: settled(NOW + 9), c: settled(NOW + 8) },
        tasks: { a: { state: 'fulfilled', timeout: undefined } },
        changes: [
          'settled c rejected_timedout',
          // No execute: the awaiter has expired at the transaction's own now.
          'task a pending 1',
          'settled b rejected_timedout',
          'task a pending 1',
          'settled a rejected_timedout',
          'task a fulfilled 1',
        ],
      },
    );
  });
});
