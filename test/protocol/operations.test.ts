import { expect } from 'chai';
import { isRead, operations, wouldProject, type OperationName } from '../../src/protocol/operations.js';
import { NOW, World } from '../actions/fixture.js';

describe('operations', () => {
  it('that read are the gets and the searches', () => {
    const names = Object.keys(operations) as OperationName[];
    expect(names.filter(isRead)).to.deep.equal(names.filter((name) => /\.(get|search)$/.test(name)));
  });

  it('on schedules, and searches, name no promise', () => {
    const none = [
      'schedule.get',
      'schedule.create',
      'schedule.delete',
      'schedule.search',
      'promise.search',
      'task.search',
    ];
    for (const name of none) {
      const { names } = operations[name as OperationName] as { names: (request: object) => readonly string[] };
      expect(names({ id: 'a', promiseId: 'a', tags: new Map() }), name).to.deep.equal([]);
    }
  });

  describe('a read would project', () => {
    const asks = (world: World, name: 'promise.get' | 'task.get' | 'schedule.get', id: string): boolean =>
      world.store.read((tx) => wouldProject(tx, { name, request: { id } }, world.now));

    it('an expired promise that is stored as pending, and nothing else', () => {
      const world = new World();
      world.pending('a', { timeoutAt: NOW + 10 });
      world.create('b', { timeoutAt: NOW + 10 });
      world.pending('settled', { timeoutAt: NOW + 10 });
      world.settle('settled');
      for (const [now, expected] of [
        [NOW + 9, false],
        [NOW + 10, true],
        [NOW + 11, true],
      ] as const) {
        world.now = now;
        expect(asks(world, 'promise.get', 'a')).to.equal(expected);
        expect(asks(world, 'promise.get', 'b')).to.equal(expected);
        expect(asks(world, 'task.get', 'a')).to.equal(expected);
        expect(asks(world, 'promise.get', 'settled')).to.equal(false);
        expect(asks(world, 'promise.get', 'absent')).to.equal(false);
        expect(asks(world, 'schedule.get', 'a'), 'a schedule is never projected').to.equal(false);
      }
    });
  });
});
