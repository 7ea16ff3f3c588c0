/** Executes and unblocks in their queues. */
import { expect } from 'chai';
import { plain } from '../plain.js';
import { LONG, acquiredTask, pendingTask } from '../samples.js';
import type { Given } from './given.js';

export function describeExecutes(given: Given): void {
  describe('executes', () => {
    const tasks = (group: string, pid?: string): string[] =>
      given.store.executes({ group, pid }, -1, 99).map(({ taskId }) => taskId);

    it('wait in the order in which they were sent, over all queues', () => {
      given.write((tx) => {
        for (const id of ['c', 'a']) tx.sendExecute(id, 0, 'g');
        tx.sendExecute('b', 7, 'h');
      });
      given.write((tx) => tx.sendExecute(LONG, 0, 'g'));
      expect(tasks('g')).to.deep.equal(['c', 'a', LONG]);
      expect(tasks('h')).to.deep.equal(['b']);
      const all = given.store.snapshot().executes;
      expect(all.map(({ taskId }) => taskId)).to.deep.equal(['c', 'a', 'b', LONG]);
      expect(plain(all[2])).to.deep.equal({ position: all[2]?.position, taskId: 'b', version: 7, address: 'h' });
    });

    it('keep their place when sent again', () => {
      given.write((tx) => {
        for (const id of ['a', 'b', 'c']) tx.sendExecute(id, 0, 'g');
      });
      const first = given.store.executes({ group: 'g' }, -1, 1)[0];
      const { changes } = given.store.transact((tx) => tx.sendExecute('a', 4, 'g'));
      expect(tasks('g')).to.deep.equal(['a', 'b', 'c']);
      const replaced = { ...first, version: 4 };
      expect(plain(given.store.executes({ group: 'g' }, -1, 1)[0])).to.deep.equal(replaced);
      expect(plain(changes)).to.deep.equal([{ kind: 'execute', queue: { group: 'g' }, row: replaced }]);
    });

    it('are gone when withdrawn, and then come back at the end', () => {
      given.write((tx) => {
        for (const id of ['a', 'b', 'c']) tx.sendExecute(id, 0, 'g');
      });
      given.write((tx) => {
        tx.withdrawExecute('a');
        tx.withdrawExecute('never was');
      });
      expect(tasks('g')).to.deep.equal(['b', 'c']);
      given.write((tx) => tx.sendExecute('a', 1, 'g'));
      expect(tasks('g')).to.deep.equal(['b', 'c', 'a']);
      given.write((tx) => {
        tx.withdrawExecute('b');
        tx.sendExecute('b', 1, 'g');
        tx.sendExecute('d', 0, 'g');
        tx.withdrawExecute('d');
      });
      expect(tasks('g')).to.deep.equal(['c', 'a', 'b']);
    });

    it('are all that a withdrawal takes: the task stays', () => {
      given.write((tx) => {
        tx.setTask(acquiredTask('a', 'pid'));
        tx.sendExecute('a', 0, 'g');
      });
      given.write((tx) => tx.withdrawExecute('a'));
      expect(tasks('g')).to.deep.equal([]);
      expect(plain(given.read((tx) => tx.getTask('a')))).to.deep.equal(plain(acquiredTask('a', 'pid')));
    });

    it('wait in the queue that their address names', () => {
      const addresses = {
        plain: 'g',
        any: 'any@g',
        scheme: 'poll://any@g',
        preferred: 'any@g/p1',
        'scheme preferred': 'grpc://any@g/p2',
        uni: 'uni@g/p1',
        'scheme uni': 'local://uni@g/p1',
        'other pid': 'uni@g/p2',
        'pid like none': 'uni@g/undefined',
        'slash in pid': 'uni@g/p1/x',
        'uni without pid': 'uni@g',
        'no form': 'http://g',
        empty: 'any@',
      };
      given.write((tx) => {
        for (const [id, address] of Object.entries(addresses)) tx.sendExecute(id, 0, address);
      });
      expect(tasks('g')).to.deep.equal(['plain', 'any', 'scheme', 'preferred', 'scheme preferred']);
      expect(tasks('g', 'p1')).to.deep.equal(['uni', 'scheme uni']);
      expect(tasks('g', 'p2')).to.deep.equal(['other pid']);
      expect(tasks('g', 'undefined')).to.deep.equal(['pid like none']);
      expect(tasks('g', 'p1/x')).to.deep.equal(['slash in pid']);
      expect(tasks('uni@g')).to.deep.equal(['uni without pid']);
      expect(tasks('http://g')).to.deep.equal(['no form']);
      expect(tasks('any@')).to.deep.equal(['empty']);
      expect(tasks('g', '')).to.deep.equal([]);
      expect(tasks('nobody')).to.deep.equal([]);
    });

    it('of queues whose names begin alike stay apart', () => {
      given.write((tx) => {
        for (const address of ['a', 'ab', 'uni@a/b', 'uni@ab/c', 'uni@a/bc', LONG, `uni@${LONG.slice(4)}/x`])
          tx.sendExecute(address, 0, address);
      });
      expect(tasks('a')).to.deep.equal(['a']);
      expect(tasks('ab')).to.deep.equal(['ab']);
      expect(tasks('a', 'b')).to.deep.equal(['uni@a/b']);
      expect(tasks('a', 'bc')).to.deep.equal(['uni@a/bc']);
      expect(tasks(LONG)).to.deep.equal([LONG]);
      expect(tasks(LONG.slice(4), 'x')).to.have.length(1);
    });

    it('can be read on from a position, so many at a time', () => {
      given.write((tx) => {
        for (const id of ['a', 'b', 'c', 'd']) tx.sendExecute(id, 0, 'g');
        tx.sendExecute('e', 0, 'h');
      });
      const [a, b] = given.store.executes({ group: 'g' }, -1, 2);
      expect([a?.taskId, b?.taskId]).to.deep.equal(['a', 'b']);
      const after = (row: { position: number } | undefined): number => row?.position ?? NaN;
      expect(given.store.executes({ group: 'g' }, after(a), 1).map(({ taskId }) => taskId)).to.deep.equal(['b']);
      expect(given.store.executes({ group: 'g' }, after(b), 9).map(({ taskId }) => taskId)).to.deep.equal(['c', 'd']);
      expect(given.store.executes({ group: 'g' }, Number.MAX_SAFE_INTEGER, 9)).to.deep.equal([]);
    });
  });

  describe('held tasks', () => {
    it('are the acquired ones, with their holders', () => {
      given.write((tx) => {
        tx.setTask(acquiredTask('a', 'p1'));
        tx.setTask(acquiredTask('b', 'p2'));
        tx.setTask(acquiredTask('c', 'p1'));
        tx.setTask(pendingTask('d'));
        tx.setTask({ id: 'e', state: 'halted', version: 1, resumes: 0 });
      });
      given.write((tx) => {
        tx.setTask(pendingTask('a', { version: 1 }));
        tx.setTask(acquiredTask('b', 'p3', { version: 2 }));
      });
      expect(plain([...given.store.heldTasks()])).to.have.deep.members([
        { taskId: 'b', pid: 'p3' },
        { taskId: 'c', pid: 'p1' },
      ]);
    });
  });
}

export function describeUnblocks(given: Given): void {
  describe('unblocks', () => {
    const promises = (group: string, pid?: string): string[] =>
      given.store.unblocks({ group, pid }, -1, 99).map(({ promiseId }) => promiseId);

    it('wait in order, in the queue that their address names', () => {
      given.write((tx) => {
        tx.sendUnblock('b', 'g', 1);
        tx.sendUnblock('a', 'any@g/p', 1);
        tx.sendUnblock('c', 'uni@g/p', 1);
      });
      given.write((tx) => tx.sendUnblock('a', 'g', 2));
      expect(promises('g')).to.deep.equal(['b', 'a', 'a']);
      expect(promises('g', 'p')).to.deep.equal(['c']);
      const all = given.store.snapshot().unblocks;
      expect(all.map(({ promiseId, address }) => [promiseId, address])).to.deep.equal([
        ['b', 'g'],
        ['a', 'any@g/p'],
        ['c', 'uni@g/p'],
        ['a', 'g'],
      ]);
      expect(all.map(({ position }) => position)).to.deep.equal(
        all.map(({ position }) => position).sort((a, b) => a - b),
      );
    });

    it('are one per promise and address, which keeps its place when sent again', () => {
      given.write((tx) => {
        tx.sendUnblock('a', 'g', 1);
        tx.sendUnblock('b', 'g', 1);
      });
      const [row] = given.store.unblocks({ group: 'g' }, -1, 1);
      const { changes } = given.store.transact((tx) => tx.sendUnblock('a', 'g', 1));
      expect(promises('g')).to.deep.equal(['a', 'b']);
      expect(plain(changes)).to.deep.equal([{ kind: 'unblock', queue: { group: 'g' }, row }]);
    });

    it('do not mix with the executes of the same id and queue', () => {
      given.write((tx) => {
        tx.sendExecute('a', 0, 'g');
        tx.sendUnblock('a', 'g', 1);
      });
      given.write((tx) => tx.withdrawExecute('a'));
      expect(promises('g')).to.deep.equal(['a']);
      given.write((tx) => tx.sendExecute('a', 0, 'g'));
      given.write((tx) => tx.deleteUnblock('a', 'g'));
      expect(given.store.executes({ group: 'g' }, -1, 9)).to.have.length(1);
    });

    it('can be read on from a position, so many at a time', () => {
      given.write((tx) => {
        for (const id of ['a', 'b', 'c']) tx.sendUnblock(id, 'g', 1);
      });
      const [a] = given.store.unblocks({ group: 'g' }, -1, 1);
      expect(a?.promiseId).to.equal('a');
      expect(
        given.store.unblocks({ group: 'g' }, a?.position ?? NaN, 1).map(({ promiseId }) => promiseId),
      ).to.deep.equal(['b']);
    });

    it('are deleted by promise and address, and say whether they were there', () => {
      given.write((tx) => {
        tx.sendUnblock('a', 'g', 1);
        tx.sendUnblock('a', 'any@g', 1);
        tx.sendUnblock(LONG, LONG, 1);
      });
      expect(given.write((tx) => tx.deleteUnblock('a', 'g'))).to.equal(true);
      expect(given.write((tx) => tx.deleteUnblock('a', 'g'))).to.equal(false);
      expect(given.write((tx) => tx.deleteUnblock('never was', 'g'))).to.equal(false);
      expect(given.store.snapshot().unblocks.map(({ address }) => address)).to.deep.equal(['any@g', LONG]);
      expect(given.write((tx) => tx.deleteUnblock(LONG, LONG))).to.equal(true);
      expect(given.write((tx) => tx.deleteUnblock('never was', 'any@g'))).to.equal(false);
      expect(promises('g'), 'a never was not a').to.deep.equal(['a']);
    });

    it('are as old as when they were first sent', () => {
      given.write((tx) => tx.sendUnblock('a', 'g', 1));
      given.write((tx) => tx.sendUnblock('a', 'g', 5));
      expect(given.write((tx) => tx.deleteUnblocksBefore(2, 99))).to.equal(1);
    });

    it('are deleted by age up to the limit, however many are left in the next queue', () => {
      given.write((tx) => {
        for (const [id, address] of [
          ['a', 'g'],
          ['b', 'g'],
          ['c', 'h'],
          ['d', 'h'],
          ['e', 'h'],
          ['f', 'h'],
        ] as const)
          tx.sendUnblock(id, address, 1);
      });
      expect(given.write((tx) => tx.deleteUnblocksBefore(2, 3))).to.equal(3);
      expect(given.store.snapshot().unblocks).to.have.length(3);
    });

    it('are deleted by age: those sent before, the oldest of each queue first, so many at a time', () => {
      given.write((tx) => {
        tx.sendUnblock('g1', 'g', 1);
        tx.sendUnblock('h1', 'h', 1);
        tx.sendUnblock('g2', 'g', 2);
        tx.sendUnblock('h2', 'uni@h/p', 2);
        tx.sendUnblock('g3', 'g', 3);
      });
      expect(given.write((tx) => tx.deleteUnblocksBefore(1, 99))).to.equal(0);
      expect(given.write((tx) => tx.deleteUnblocksBefore(3, 0))).to.equal(0);

      // Which queue comes first is the store's choice; within one queue the older goes first.
      expect(given.write((tx) => tx.deleteUnblocksBefore(3, 3))).to.equal(3);
      const left = given.store.snapshot().unblocks.map(({ promiseId }) => promiseId);
      expect(left).to.have.length(2).and.to.include('g3');
      if (left.includes('g1')) expect(left).to.include('g2');

      expect(given.write((tx) => tx.deleteUnblocksBefore(3, 99))).to.equal(1);
      expect(given.store.snapshot().unblocks.map(({ promiseId }) => promiseId)).to.deep.equal(['g3']);
      expect(promises('g')).to.deep.equal(['g3']);
      expect(given.write((tx) => tx.deleteUnblocksBefore(Number.MAX_SAFE_INTEGER, 99))).to.equal(1);
    });
  });
}
