import { NOW, UNHELD, World } from './fixture.js';

describe('T-09 task.halt', () => {
  const request = { id: 'a' };
  const halted = { ...UNHELD, state: 'halted' };

  it('refuses an absent task: 404 TASK_NOT_FOUND', () => {
    const world = new World();
    world.create('a');
    world.refuse('task.halt', request, [404, 'TASK_NOT_FOUND', { id: 'a' }]);
  });

  it('refuses a fulfilled task: 409 TASK_FULFILLED', () => {
    const world = new World();
    world.acquired('a');
    world.settle('a');
    const metadata = { id: 'a', task_state: 'fulfilled', task_version: '1' };
    world.refuse('task.halt', request, [409, 'TASK_FULFILLED', metadata]);
  });

  it('changes nothing on a halted task', () => {
    const world = new World();
    world.halted('a');
    world.accept('task.halt', request, {});
  });

  it('halts a pending task: its retry disarmed, its execute out of the outbox', () => {
    const world = new World();
    world.pending('a');
    world.pending('b');
    world.accept('task.halt', request, {
      tasks: { a: halted },
      executes: ['b 0 → worker'],
      changes: ['task a halted 0'],
    });
  });

  it('halts an acquired task: holder and lease gone, version and resumes kept', () => {
    const world = new World();
    world.create('b');
    world.acquired('a');
    world.await('b', 'a');
    world.settle('b');
    world.accept('task.halt', request, { tasks: { a: halted }, changes: ['task a halted 1'] });
  });

  it('halts a suspended task, and keeps its callbacks', () => {
    const world = new World();
    world.create('b');
    world.suspended('a', ['b']);
    world.accept('task.halt', request, { tasks: { a: halted }, changes: ['task a halted 1'] });
  });

  it('halts a task whose promise is missing: it does not look', () => {
    const world = new World();
    world.orphan('a', 'pending');
    world.accept('task.halt', request, { tasks: { a: halted }, changes: ['task a halted 5'] });
  });

  it('refuses a task whose promise has expired: its timeout fires first', () => {
    const world = new World();
    world.acquired('a', { timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    const metadata = { id: 'a', task_state: 'fulfilled', task_version: '1' };
    world.refuse('task.halt', request, [409, 'TASK_FULFILLED', metadata], {
      promises: { a: { state: 'rejected_timedout', settledAt: NOW + 10, timeoutArmed: false } },
      tasks: { a: { ...UNHELD, state: 'fulfilled' } },
      changes: ['settled a rejected_timedout', 'task a fulfilled 1'],
    });
  });
});
