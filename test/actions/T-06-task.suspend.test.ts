import { expect } from 'chai';
import { describeAcquiredChecks } from './acquired-checks.js';
import { NOW, UNHELD, World, type Refused } from './fixture.js';

describe('T-06 task.suspend', () => {
  const request = (...awaitedIds: string[]) => ({ id: 'a', version: 1, awaitedIds });
  const suspended = { ...UNHELD, state: 'suspended', resumes: [] };

  // No awaited promise exists: the checks come before the 422.
  describeAcquiredChecks('task.suspend', (ref) => ({ ...ref, awaitedIds: ['absent'] }));

  /** a is acquired, with one buffered resume. */
  function arrange(): World {
    const world = new World();
    world.acquired('a');
    world.create('r');
    world.await('r', 'a');
    world.settle('r');
    for (const id of ['b', 'c', 'done']) world.create(id);
    world.settle('done');
    world.create('internal', { timeoutAt: NOW + 10 });
    return world;
  }

  for (const [title, ids, absent] of [
    ['alone', ['absent'], 'absent'],
    ['first', ['absent', 'b', 'done'], 'absent'],
    ['behind a settled one', ['done', 'absent', 'b'], 'absent'],
    ['last', ['b', 'done', 'absent'], 'absent'],
    ['twice: the first is named', ['b', 'absent 2', 'absent 1'], 'absent 2'],
  ] as const)
    it(`refuses an absent awaited promise, ${title}: 422 AWAITED_NOT_FOUND`, () => {
      const refused: Refused = [422, 'AWAITED_NOT_FOUND', { id: absent }];
      arrange().refuse('task.suspend', request(...ids), refused);
    });

  for (const [title, ids] of [
    ['settled', ['done']],
    ['settled, before live ones', ['done', 'b', 'c']],
    ['settled, behind live ones', ['b', 'c', 'done']],
    ['expired without a timeout', ['b', 'internal']],
  ] as const)
    it(`answers 300 when one is ${title}: clears the resumes, and registers nothing`, () => {
      const world = arrange();
      world.now = NOW + 10;
      const { status } = world.accept('task.suspend', request(...ids), {
        tasks: { a: { resumes: [] } },
        changes: ['task a acquired 1'],
      });
      expect(status).to.equal(300);
      expect(world.state().tasks.a, 'its lease as it was').to.deep.include({
        timeout: { kind: 'lease', dueAt: NOW + 100 },
      });
    });

  it('suspends: registers with each, arms their timeouts, clears holder, lease and resumes', () => {
    const world = arrange();
    const { status } = world.accept('task.suspend', request('c', 'internal', 'b'), {
      promises: {
        b: { callbacks: ['a'], timeoutArmed: true },
        c: { callbacks: ['a'], timeoutArmed: true },
        internal: { callbacks: ['a'], timeoutArmed: true },
      },
      tasks: { a: suspended },
      changes: ['task a suspended 1'],
    });
    expect(status).to.equal(200);
  });

  it('counts a repeated id once, and a callback that is there already too', () => {
    const world = arrange();
    world.acquired('other');
    world.await('b', 'a');
    world.await('b', 'other');
    world.accept('task.suspend', request('b', 'b'), { tasks: { a: suspended }, changes: ['task a suspended 1'] });
    expect(world.state().promises.b).to.deep.include({ callbacks: ['a', 'other'] });
  });

  it('sends nothing', () => {
    const world = arrange();
    world.run('task.suspend', request('b'));
    expect(world.state().executes).to.deep.equal([]);
  });

  it('fires the due timeouts of the awaited first, by (due, id bytes), and then answers 300', () => {
    const world = arrange();
    // The last two sort the other way in UTF-16.
    const ids = ['z', 'y', '\uffee', '\u{1f600}'];
    world.create('z', { timer: true, timeoutAt: NOW + 9 });
    for (const id of ids.slice(1)) world.create(id, { timer: true, timeoutAt: NOW + 10 });
    world.create('later', { timer: true, timeoutAt: NOW + 11 });
    world.now = NOW + 10;
    const settled = (settledAt: number) => ({ state: 'resolved', settledAt, timeoutArmed: false });
    const { status } = world.accept('task.suspend', request('later', ...ids.toReversed(), 'z'), {
      promises: {
        z: settled(NOW + 9),
        y: settled(NOW + 10),
        '\uffee': settled(NOW + 10),
        '\u{1f600}': settled(NOW + 10),
      },
      tasks: { a: { resumes: [] } },
      changes: [...ids.map((id) => `settled ${id} resolved`), 'task a acquired 1'],
    });
    expect(status).to.equal(300);
  });

  it('keeps what the timeouts did though it refuses', () => {
    const world = arrange();
    world.create('z', { timer: true, timeoutAt: NOW + 10 });
    world.now = NOW + 10;
    world.refuse('task.suspend', request('z', 'absent'), [422, 'AWAITED_NOT_FOUND', { id: 'absent' }], {
      promises: { z: { state: 'resolved', settledAt: NOW + 10, timeoutArmed: false } },
      changes: ['settled z resolved'],
    });
  });
});
