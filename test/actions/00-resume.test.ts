import { expect } from 'chai';
import { resume } from '../../src/protocol/actions/00-resume.js';
import { FAR, MAX, NOW, RETRY, retry, World } from './fixture.js';

describe('00 resume', () => {
  /** The awaited promise is called b, the awaiter a. */
  const fire = (world: World): void => world.transact((tx) => resume(tx, 'b', 'a', world.now));

  it('makes a suspended task pending, at its current version, and sends its execute', () => {
    const world = new World();
    world.create('b');
    world.suspended('a', ['b']);
    world.now = NOW + 7;
    world.changes(() => fire(world), {
      tasks: { a: { state: 'pending', resumes: ['b'], timeout: retry(NOW + 7 + RETRY) } },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });

  it('only adds to the resumes of a pending task: its execute and its retry stay as they are', () => {
    const world = new World();
    world.pending('a');
    world.now = NOW + 7;
    world.changes(() => fire(world), { tasks: { a: { resumes: ['b'] } }, changes: ['task a pending 0'] });
  });

  it('only adds to the resumes of an acquired task: its lease stays as it is', () => {
    const world = new World();
    world.acquired('a');
    world.now = NOW + 7;
    world.changes(() => fire(world), { tasks: { a: { resumes: ['b'] } }, changes: ['task a acquired 1'] });
  });

  it('only adds to the resumes of a halted task', () => {
    const world = new World();
    world.halted('a');
    world.changes(() => fire(world), { tasks: { a: { resumes: ['b'] } }, changes: ['task a halted 0'] });
  });

  it('adds each awaited promise once, in order of arrival', () => {
    const world = new World();
    world.pending('a');
    world.transact((tx) => resume(tx, 'c', 'a', NOW));
    fire(world);
    world.changes(() => fire(world), {});
    expect(world.state().tasks.a).to.have.deep.property('resumes', ['c', 'b']);
  });

  it('does nothing to a fulfilled task', () => {
    const world = new World();
    world.acquired('a');
    world.settle('a');
    world.changes(() => fire(world), {});
  });

  it('does nothing when there is no such task', () => {
    const world = new World();
    world.create('a');
    world.changes(() => fire(world), {});
  });

  it('wakes a suspended task whose promise is missing, and sends nothing', () => {
    const world = new World();
    world.orphan('a', 'suspended');
    world.changes(() => fire(world), {
      tasks: { a: { state: 'pending', resumes: ['b'], timeout: retry(NOW + RETRY) } },
      changes: ['task a pending 5'],
    });
  });

  it('sends nothing to an empty target', () => {
    const world = new World();
    world.create('b');
    world.suspended('a', ['b'], { target: '' });
    world.changes(() => fire(world), {
      tasks: { a: { state: 'pending', resumes: ['b'], timeout: retry(NOW + RETRY) } },
      changes: ['task a pending 1'],
    });
  });

  it('sends nothing for a promise that has expired', () => {
    const world = new World();
    world.create('b');
    world.suspended('a', ['b'], { timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    world.changes(() => fire(world), {
      tasks: { a: { state: 'pending', resumes: ['b'], timeout: retry(NOW + 10 + RETRY) } },
      changes: ['task a pending 1'],
    });
  });

  it('saturates the retry', () => {
    const world = new World();
    world.create('b', { timeoutAt: MAX });
    world.suspended('a', ['b'], { timeoutAt: MAX });
    world.now = MAX - 1;
    world.changes(() => fire(world), {
      tasks: { a: { state: 'pending', resumes: ['b'], timeout: retry(MAX) } },
      executes: ['a 1 → worker'],
      changes: ['task a pending 1', 'execute a 1 → worker'],
    });
  });

  it('wakes once for the first of several awaited promises, and notes the others', () => {
    const world = new World();
    world.create('b');
    world.create('c');
    world.suspended('a', ['b', 'c']);
    world.settle('c');
    world.settle('b');
    expect(world.state().tasks.a).to.deep.include({ state: 'pending', version: 1, resumes: ['c', 'b'] });
    expect(world.state().executes).to.deep.equal(['a 1 → worker']);
  });

  it('comes from a promise awaited in an earlier round, too', () => {
    const world = new World();
    world.create('b');
    world.create('c');
    world.create('d');
    world.suspended('a', ['b', 'c']);
    world.settle('b');
    world.acquire('a', 1);
    world.run('task.suspend', { id: 'a', version: 2, awaitedIds: ['d'] });
    world.settle('c');
    expect(world.state().tasks.a).to.deep.include({ state: 'pending', version: 2, resumes: ['c'] });
    expect(world.state().executes).to.deep.equal(['a 2 → worker']);
    expect(world.state().promises.d, 'the later round stays registered').to.deep.include({
      callbacks: ['a'],
      timeoutAt: FAR,
    });
  });
});
