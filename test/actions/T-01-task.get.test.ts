import { expect } from 'chai';
import { NOW, World } from './fixture.js';
import { plain } from '../store/plain.js';

describe('T-01 task.get', () => {
  const request = { id: 'a' };

  it('refuses an absent task: 404 TASK_NOT_FOUND', () => {
    const world = new World();
    world.create('a');
    world.refuse('task.get', request, [404, 'TASK_NOT_FOUND', { id: 'a' }]);
  });

  it('refuses a task without a promise: 404 PROMISE_NOT_FOUND', () => {
    const world = new World();
    world.orphan('a', 'acquired');
    world.refuse('task.get', request, [404, 'PROMISE_NOT_FOUND', { id: 'a' }]);
  });

  it('answers the stored task while its promise is live', () => {
    const world = new World();
    world.create('b');
    world.acquired('a', { timeoutAt: NOW + 10 });
    world.await('b', 'a');
    world.settle('b');
    world.now = NOW + 9;
    const { task } = world.accept('task.get', request, {});
    expect(task).to.include({ id: 'a', state: 'acquired', version: 1, pid: 'pid', ttl: 100, resumes: 1 });
  });

  it('shows an overdue lease as still held', () => {
    const world = new World();
    world.acquired('a');
    world.now = NOW + 500;
    expect(world.accept('task.get', request, {}).task).to.include({ state: 'acquired', pid: 'pid' });
  });

  for (const [title, arrange] of [
    ['expired', (world: World) => (world.now = NOW + 10)],
    ['settled', (world: World) => world.settle('a')],
    ['settled behind its back', (world: World) => world.settleBehindTask('a')],
  ] as const)
    it(`shows the task as fulfilled when its promise is ${title}, and writes nothing`, () => {
      const world = new World();
      world.create('b');
      world.acquired('a', { timeoutAt: NOW + 10 });
      world.await('b', 'a');
      world.settle('b');
      arrange(world);
      const { task } = world.accept('task.get', request, {});
      expect(plain(task)).to.deep.equal({ id: 'a', state: 'fulfilled', version: 1, resumes: 0 });
    });
});
