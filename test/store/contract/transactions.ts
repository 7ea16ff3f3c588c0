/** All or nothing, and what is reported. */
import { expect } from 'chai';
import { plain } from '../plain.js';
import { acquiredTask, pendingPromise, pendingTask, schedule, settledPromise } from '../samples.js';
import type { Given } from './given.js';

export function describeTransactions(given: Given): void {
  describe('transactions', () => {
    it('answer what their work returns, and read what they wrote', () => {
      const { result } = given.store.transact((tx) => {
        tx.setPromise(pendingPromise('p'));
        tx.setPromise(pendingPromise('p', { createdAt: 2 }));
        tx.setTask(pendingTask('p'));
        tx.setSchedule(schedule('p'));
        return [tx.getPromise('p')?.createdAt, tx.getTask('p')?.version, tx.getSchedule('p')?.nextRunAt];
      });
      expect(result).to.deep.equal([2, 0, 60_000]);
      expect(given.read((tx) => tx.getPromise('p')?.createdAt)).to.equal(2);
    });

    it('know the configuration', () => {
      expect(given.write((tx) => tx.config.retryTimeout)).to.equal(5000);
      expect(given.read((tx) => tx.config.retryTimeout)).to.equal(5000);
    });

    it('that throw leave nothing behind, and rethrow the error itself', () => {
      given.write((tx) => {
        for (const id of ['a', 'b']) {
          tx.setPromise(pendingPromise(id, { timeoutArmed: true }));
          tx.setTask(acquiredTask(id, 'pid'));
          tx.setSchedule(schedule(id));
        }
        tx.addCallback('a', 'b');
        tx.addListener('a', 'l');
        tx.addResume('b', 'a');
        tx.sendExecute('a', 0, 'g');
        tx.sendUnblock('b', 'g', 1);
        tx.setClockMark(5);
      });
      const before = plain(given.store.snapshot());
      const error = new Error('fault');
      const fail = (): unknown =>
        given.store.transact((tx) => {
          tx.setPromise(settledPromise('a'));
          tx.setPromise(pendingPromise('c'));
          tx.setTask(pendingTask('a', { timeout: { kind: 'delay', dueAt: 1 } }));
          tx.setTask(pendingTask('c'));
          tx.setSchedule(schedule('a', { nextRunAt: 1 }));
          tx.deleteSchedule('b');
          tx.takeCallbacks('a');
          tx.addCallback('b', 'a');
          tx.dropCallbacksOf('b');
          tx.takeListeners('a');
          tx.addListener('b', 'm');
          tx.addResume('a', 'b');
          tx.clearResumes('b');
          tx.sendExecute('a', 1, 'g');
          tx.sendExecute('c', 0, 'g');
          tx.withdrawExecute('a');
          tx.sendUnblock('a', 'g', 2);
          tx.deleteUnblock('b', 'g');
          tx.setClockMark(9);
          throw error;
        });
      expect(fail).to.throw(error);

      expect(plain(given.store.snapshot())).to.deep.equal(before);
      expect(given.write((tx) => tx.getClockMark())).to.equal(5);
      expect(given.store.dueTimeouts('promise', 1000, 9).map(({ id }) => id)).to.deep.equal(['a', 'b']);
      expect(given.store.dueTimeouts('task', 1000, 9)).to.deep.equal([
        { kind: 'task', id: 'a', dueAt: 100 },
        { kind: 'task', id: 'b', dueAt: 100 },
      ]);
      expect(given.store.dueTimeouts('schedule', 59_999, 9)).to.deep.equal([]);
      expect([...given.store.heldTasks()]).to.have.length(2);
      expect(given.store.executes({ group: 'g' }, -1, 9).map(({ taskId }) => taskId)).to.deep.equal(['a']);
      expect(given.store.unblocks({ group: 'g' }, -1, 9).map(({ promiseId }) => promiseId)).to.deep.equal(['b']);
    });

    it('that throw do not disturb the order of the outbox, and leave no changes to the next', () => {
      given.write((tx) => {
        for (const id of ['a', 'b']) {
          tx.sendExecute(id, 0, 'g');
          tx.sendUnblock(id, 'g', 1);
        }
      });
      const fail = (): void =>
        given.write((tx) => {
          tx.setTask(pendingTask('x'));
          tx.withdrawExecute('a');
          tx.deleteUnblock('a', 'g');
          tx.sendExecute('x', 0, 'g');
          tx.sendUnblock('x', 'g', 1);
          throw new Error('fault');
        });
      expect(fail).to.throw('fault');
      const { changes } = given.store.transact((tx) => tx.sendExecute('c', 0, 'g'));
      given.write((tx) => {
        tx.sendUnblock('c', 'g', 1);
        tx.sendExecute('x', 0, 'g');
      });

      const executes = given.store.executes({ group: 'g' }, -1, 9);
      expect(executes.map(({ taskId }) => taskId)).to.deep.equal(['a', 'b', 'c', 'x']);
      expect(new Set(executes.map(({ position }) => position))).to.have.property('size', 4);
      expect(given.store.unblocks({ group: 'g' }, -1, 9).map(({ promiseId }) => promiseId)).to.deep.equal([
        'a',
        'b',
        'c',
      ]);
      expect(given.store.snapshot().executes).to.deep.equal(executes);
      expect(plain(changes)).to.deep.equal([{ kind: 'execute', queue: { group: 'g' }, row: executes[2] }]);
    });

    it('report the changes that others react to, in order', () => {
      const { changes } = given.store.transact((tx) => {
        tx.setPromise(pendingPromise('quiet'));
        tx.setTask(pendingTask('t'));
        tx.sendExecute('t', 0, 'uni@g/1');
        tx.setPromise(settledPromise('p'));
        tx.sendUnblock('p', 'any@h/2', 3);
        tx.setTask(acquiredTask('t', 'pid'));
        tx.withdrawExecute('t');
        tx.setSchedule(schedule('s'));
        tx.addCallback('quiet', 'p');
        tx.addResume('t', 'p');
      });
      const [execute] = changes.filter(({ kind }) => kind === 'execute');
      expect(plain(changes)).to.deep.equal(
        plain([
          { kind: 'task', task: pendingTask('t') },
          {
            kind: 'execute',
            queue: { group: 'g', pid: '1' },
            row: { ...rowOf(execute), taskId: 't', version: 0, address: 'uni@g/1' },
          },
          { kind: 'promise.settled', promise: settledPromise('p') },
          {
            kind: 'unblock',
            queue: { group: 'h' },
            row: { position: given.store.snapshot().unblocks[0]?.position, promiseId: 'p', address: 'any@h/2' },
          },
          { kind: 'task', task: acquiredTask('t', 'pid') },
        ]),
      );
    });

    it('that only read report no changes', () => {
      given.write((tx) => tx.setTask(pendingTask('t')));
      expect(given.store.transact((tx) => tx.getTask('t')).changes).to.deep.equal([]);
    });

    function rowOf(change: object | undefined): object {
      return change !== undefined && 'row' in change ? { position: (change.row as { position: number }).position } : {};
    }
  });

  describe('the clock mark', () => {
    it('is 0 in a new store, and what was set last', () => {
      expect(given.write((tx) => tx.getClockMark())).to.equal(0);
      given.write((tx) => tx.setClockMark(1_700_000_000_000));
      given.write((tx) => {
        tx.setClockMark(1_700_000_001_000);
        expect(tx.getClockMark()).to.equal(1_700_000_001_000);
      });
      expect(given.write((tx) => tx.getClockMark())).to.equal(1_700_000_001_000);
    });
  });
}
