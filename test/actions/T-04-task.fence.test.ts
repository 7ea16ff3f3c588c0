import { expect } from 'chai';
import type { TaskFenceRequest } from '../../src/protocol/requests.js';
import { describeAcquiredChecks } from './acquired-checks.js';
import {
  FULFILLED,
  NOW,
  RETRY,
  retry,
  spec,
  storedPromise,
  storedTask,
  value,
  World,
  type SpecOptions,
} from './fixture.js';

describe('T-04 task.fence', () => {
  const ref = { id: 'a', version: 1 };
  const create = (id: string, options: SpecOptions = {}): TaskFenceRequest['action'] => ({
    kind: 'create',
    promise: spec(id, options),
  });
  const settle = (id: string): TaskFenceRequest['action'] => ({
    kind: 'settle',
    settlement: { id, state: 'rejected', value: value('v') },
  });

  describe('with a create', () => {
    // The inner id exists nowhere: the outer checks come first.
    describeAcquiredChecks('task.fence', (ref) => ({ ...ref, action: create('inner', { target: 'worker' }) }));
  });

  describe('with a settle', () => {
    describeAcquiredChecks('task.fence', (ref) => ({ ...ref, action: settle('inner') }));
  });

  it('creates as promise.create does, task and execute included', () => {
    const world = new World();
    world.acquired('a');
    const outcome = world.accept(
      'task.fence',
      { ...ref, action: create('b', { target: 'other' }) },
      {
        promises: { b: storedPromise(spec('b', { target: 'other' }), { timeoutArmed: true }) },
        tasks: { b: storedTask('b', { timeout: retry(NOW + RETRY) }) },
        executes: ['b 0 → other'],
        changes: ['task b pending 0', 'execute b 0 → other'],
      },
    );
    expect(outcome).to.have.property('status', 200);
    expect(outcome.outcome).to.have.property('status', 200);
    expect(outcome.outcome).to.have.nested.include({ 'promise.id': 'b', 'promise.state': 'pending' });
  });

  it('creates a promise that exists as promise.create does', () => {
    const world = new World();
    world.acquired('a');
    world.create('b');
    world.settle('b');
    const { outcome } = world.accept('task.fence', { ...ref, action: create('b') }, {});
    expect(outcome).to.have.nested.include({ 'promise.state': 'resolved' });
  });

  it('creates its own promise: it exists', () => {
    const world = new World();
    world.acquired('a');
    const { outcome } = world.accept('task.fence', { ...ref, action: create('a') }, {});
    expect(outcome).to.have.nested.include({ status: 200, 'promise.id': 'a' });
  });

  it('settles as promise.settle does, resumes and unblocks included', () => {
    const world = new World();
    world.create('b');
    world.suspended('s', ['b']);
    world.listen('b', 'caller');
    world.acquired('a');
    const { outcome } = world.accept(
      'task.fence',
      { ...ref, action: settle('b') },
      {
        promises: {
          b: {
            state: 'rejected',
            value: value('v'),
            settledAt: NOW,
            timeoutArmed: false,
            callbacks: [],
            listeners: [],
          },
        },
        tasks: { s: { state: 'pending', resumes: ['b'], timeout: retry(NOW + RETRY) } },
        executes: ['s 1 → worker'],
        unblocks: ['b → caller'],
        changes: ['settled b rejected', 'unblock b → caller', 'task s pending 1', 'execute s 1 → worker'],
      },
    );
    expect(outcome).to.have.nested.include({ status: 200, 'promise.state': 'rejected' });
  });

  it('settles its own promise, which fulfils the task', () => {
    const world = new World();
    world.acquired('a');
    world.accept(
      'task.fence',
      { ...ref, action: settle('a') },
      {
        promises: { a: { state: 'rejected', value: value('v'), settledAt: NOW, timeoutArmed: false } },
        tasks: { a: FULFILLED },
        changes: ['settled a rejected', 'task a fulfilled 1'],
      },
    );
  });

  it('answers 200 with an inner 404 when there is nothing to settle', () => {
    const world = new World();
    world.acquired('a');
    const outcome = world.accept('task.fence', { ...ref, action: settle('b') }, {});
    expect(outcome).to.have.property('status', 200);
    expect(outcome.outcome).to.deep.include({ status: 404, reason: 'PROMISE_NOT_FOUND', metadata: { id: 'b' } });
  });

  it('fires the due timeout of the inner promise first', () => {
    for (const action of [create('b'), settle('b')]) {
      const world = new World();
      world.acquired('a');
      world.create('b', { timer: true, timeoutAt: NOW + 10 });
      world.now = NOW + 12;
      const { outcome } = world.accept(
        'task.fence',
        { ...ref, action },
        {
          promises: { b: { state: 'resolved', settledAt: NOW + 10, timeoutArmed: false } },
          changes: ['settled b resolved'],
        },
      );
      expect(outcome).to.have.nested.include({ 'promise.state': 'resolved', 'promise.settledAt': NOW + 10 });
    }
  });

  it('keeps what the inner timeout did though the fence is refused', () => {
    const world = new World();
    world.acquired('a');
    world.create('b', { timer: true, timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    world.refuse(
      'task.fence',
      { ...ref, version: 7, action: settle('b') },
      [409, 'TASK_VERSION_MISMATCH', { id: 'a', task_state: 'acquired', task_version: '1', task_pid: 'pid' }],
      {
        promises: { b: { state: 'resolved', settledAt: NOW + 10, timeoutArmed: false } },
        changes: ['settled b resolved'],
      },
    );
  });
});
