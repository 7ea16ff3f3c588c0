import { expect } from 'chai';
import type { TaskCreateRequest } from '../../src/protocol/requests.js';
import { plain } from '../store/plain.js';
import { lease, MAX, NOW, spec, storedPromise, storedTask, World, type Refused, type SpecOptions } from './fixture.js';

describe('T-02 task.create', () => {
  const request = (options: SpecOptions = {}): TaskCreateRequest => ({
    pid: 'me',
    ttl: 30,
    promise: spec('a', options),
  });
  const held = (version: number, at = NOW) => ({
    state: 'acquired',
    version,
    pid: 'me',
    ttl: 30,
    timeout: lease(at + 30),
  });

  describe('of an absent promise with its deadline ahead', () => {
    for (const [title, options] of [
      ['without a target', {}],
      ['with a target', { target: 'worker' }],
      ['with an empty target', { target: '' }],
      ['that is a timer', { timer: true }],
      ['with a delay, which is not read', { target: 'worker', delay: NOW + 10 }],
    ] as const)
      it(`${title}: stores it with its timeout armed, and its task acquired; sends nothing`, () => {
        const world = new World();
        const { promise, task } = world.accept('task.create', request(options), {
          promises: { a: storedPromise(request(options).promise, { timeoutArmed: true }) },
          tasks: { a: storedTask('a', held(1)) },
          changes: ['task a acquired 1'],
        });
        expect(promise).to.include({ id: 'a', state: 'pending', createdAt: NOW });
        expect(plain(task)).to.deep.equal({ id: 'a', ...held(1), resumes: 0 });
      });

    it('saturates the lease', () => {
      new World().accept(
        'task.create',
        { ...request(), ttl: MAX },
        {
          promises: { a: storedPromise(request().promise, { timeoutArmed: true }) },
          tasks: { a: storedTask('a', { ...held(1), ttl: MAX, timeout: lease(MAX) }) },
          changes: ['task a acquired 1'],
        },
      );
    });
  });

  describe('of an absent promise with its deadline passed', () => {
    for (const [title, options, state] of [
      ['without a target', {}, 'rejected_timedout'],
      ['with a target', { target: 'worker' }, 'rejected_timedout'],
      ['that is a timer', { timer: true }, 'resolved'],
    ] as const)
      for (const timeoutAt of [NOW, NOW - 5])
        it(`${title}: stores it settled and its task fulfilled, version 0 (${timeoutAt - NOW} ms)`, () => {
          const settled = { state, createdAt: timeoutAt, settledAt: timeoutAt };
          const { promise, task } = new World().accept('task.create', request({ ...options, timeoutAt }), {
            promises: { a: storedPromise(spec('a', { ...options, timeoutAt }), settled) },
            tasks: { a: storedTask('a', { state: 'fulfilled' }) },
            changes: [`settled a ${state}`, 'task a fulfilled 0'],
          });
          expect(promise).to.include(settled);
          expect(plain(task)).to.deep.equal({ id: 'a', state: 'fulfilled', version: 0, resumes: 0 });
        });
  });

  describe('of a promise that exists', () => {
    const conflict = (state: string, version: string, pid?: string): Refused => [
      409,
      'TASK_NOT_PENDING',
      { id: 'a', task_state: state, task_version: version, ...(pid === undefined ? {} : { task_pid: pid }) },
    ];
    const rows: readonly (readonly [title: string, arrange: (world: World) => void, refused: Refused])[] = [
      ['no target and no task', (world) => world.create('a'), [422, 'PROMISE_WITHOUT_TARGET', { id: 'a' }]],
      [
        'no target, settled',
        (world) => {
          world.create('a');
          world.settle('a');
        },
        [422, 'PROMISE_WITHOUT_TARGET', { id: 'a' }],
      ],
      [
        'no target, though it has a task',
        (world) => void world.run('task.create', request()),
        [422, 'PROMISE_WITHOUT_TARGET', { id: 'a' }],
      ],
      [
        'a target but no task',
        (world) => world.transact((tx) => tx.setPromise({ ...spec('a', { target: 'worker' }), ...BARE })),
        [409, 'TASK_MISSING', { id: 'a' }],
      ],
      ['an acquired task', (world) => world.acquired('a'), conflict('acquired', '1', 'pid')],
      [
        'a suspended task',
        (world) => {
          world.create('b');
          world.suspended('a', ['b']);
        },
        conflict('suspended', '1'),
      ],
      ['a halted task', (world) => world.halted('a'), conflict('halted', '0')],
    ];
    for (const [title, arrange, refused] of rows)
      it(`refuses one with ${title}: ${refused[0]} ${refused[1]}`, () => {
        const world = new World();
        arrange(world);
        world.refuse('task.create', request({ target: 'worker' }), refused);
      });

    it('acquires its pending task, whatever the other fields say', () => {
      const world = new World();
      world.create('b');
      world.pending('a');
      world.await('b', 'a');
      world.settle('b');
      world.now = NOW + 3;
      const { promise, task } = world.accept('task.create', request({ timeoutAt: NOW - 1, tags: { x: 'y' } }), {
        tasks: { a: { ...held(1, NOW + 3), resumes: [] } },
        executes: [],
        changes: ['task a acquired 1'],
      });
      expect(task).to.deep.include({ ...held(1, NOW + 3), resumes: 0 });
      expect(promise).to.deep.include({
        state: 'pending',
        createdAt: NOW,
        ...spec('a', { target: 'worker' }),
      });
    });

    it('acquires a task that waits out its delay, earlier', () => {
      const world = new World();
      world.pending('a', { delay: NOW + 500 });
      world.accept('task.create', request(), { tasks: { a: held(1) }, changes: ['task a acquired 1'] });
    });

    it('acquires under the next version: it grows by one', () => {
      const world = new World();
      world.acquired('a');
      world.run('task.release', { id: 'a', version: 1 });
      world.accept('task.create', request(), { tasks: { a: held(2) }, executes: [], changes: ['task a acquired 2'] });
    });

    it('answers a fulfilled task and its promise, and changes nothing', () => {
      const world = new World();
      world.acquired('a');
      world.settle('a');
      const { promise, task } = world.accept('task.create', request(), {});
      expect(plain(task)).to.deep.equal({ id: 'a', state: 'fulfilled', version: 1, resumes: 0 });
      expect(promise).to.include({ state: 'resolved', settledAt: NOW });
    });

    for (const arrange of ['pending', 'acquired', 'halted'] as const)
      it(`answers the fulfilled task of an expired one that was ${arrange}: its timeout fires first`, () => {
        const world = new World();
        world[arrange]('a', { timeoutAt: NOW + 10 });
        world.now = NOW + 10;
        const version = arrange === 'acquired' ? 1 : 0;
        const { promise, task } = world.accept('task.create', request(), {
          promises: { a: { state: 'rejected_timedout', settledAt: NOW + 10, timeoutArmed: false } },
          tasks: { a: { state: 'fulfilled', pid: undefined, ttl: undefined, timeout: undefined } },
          executes: [],
          changes: ['settled a rejected_timedout', `task a fulfilled ${version}`],
        });
        expect(task).to.include({ state: 'fulfilled', version });
        expect(promise).to.include({ state: 'rejected_timedout', settledAt: NOW + 10 });
      });
  });

  const BARE = { state: 'pending', value: { headers: new Map() }, createdAt: NOW, timeoutArmed: true } as const;
});
