import { describeAcquiredChecks } from './acquired-checks.js';
import { MAX, NOW, RETRY, retry, World } from './fixture.js';

describe('T-08 task.release', () => {
  const request = { id: 'a', version: 1 };

  describeAcquiredChecks('task.release', (ref) => ref);

  it('makes the task pending at its version, arms its retry and sends its execute', () => {
    const world = new World();
    world.acquired('a');
    world.pending('b');
    world.now = NOW + 3;
    world.accept('task.release', request, {
      tasks: { a: { state: 'pending', pid: undefined, ttl: undefined, timeout: retry(NOW + 3 + RETRY) } },
      executes: ['b 0 → worker', 'a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });

  it('keeps the buffered resumes', () => {
    const world = new World();
    world.create('b');
    world.acquired('a');
    world.await('b', 'a');
    world.settle('b');
    world.accept('task.release', request, {
      tasks: { a: { state: 'pending', pid: undefined, ttl: undefined, timeout: retry(NOW + RETRY), resumes: ['b'] } },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });

  it('sends at once in spite of a delay ahead', () => {
    const world = new World();
    world.acquired('a', { delay: NOW + 500 });
    world.accept('task.release', request, {
      tasks: { a: { state: 'pending', pid: undefined, ttl: undefined, timeout: retry(NOW + RETRY) } },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });

  for (const [title, tags] of [
    ['an empty target', new Map([['resonate:target', '']])],
    ['no target', new Map<string, string>()],
  ] as const)
    it(`sends nothing to ${title}`, () => {
      const world = new World();
      const promise = { id: 'a', timeoutAt: NOW + 10, param: { headers: new Map() }, tags };
      world.run('task.create', { pid: 'pid', ttl: 5, promise });
      world.accept('task.release', request, {
        tasks: { a: { state: 'pending', pid: undefined, ttl: undefined, timeout: retry(NOW + RETRY) } },
        changes: ['task a pending 1'],
      });
    });

  it('saturates the retry', () => {
    const world = new World();
    world.acquired('a', { timeoutAt: MAX });
    world.now = MAX - 1;
    world.accept('task.release', request, {
      tasks: { a: { state: 'pending', pid: undefined, ttl: undefined, timeout: retry(MAX) } },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });
});
