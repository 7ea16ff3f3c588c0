/** The whole of a store. */
import { expect } from 'chai';
import type { StoreTx } from '../../../src/store/store.js';
import { plain } from '../plain.js';
import { acquiredTask, pendingPromise, pendingTask, schedule, settledPromise } from '../samples.js';
import type { Given } from './given.js';

export function describeWhole(given: Given): void {
  describe('the whole', () => {
    const fill = (tx: StoreTx): void => {
      tx.setPromise(pendingPromise('a', { timeoutArmed: true }));
      tx.setPromise(pendingPromise('b'));
      tx.setTask(acquiredTask('a', 'pid', { resumes: 1 }));
      tx.setSchedule(schedule('s'));
      tx.addCallback('b', 'a');
      tx.addListener('b', 'l');
      tx.addResume('a', 'x');
      tx.sendExecute('a', 0, 'g');
      tx.sendUnblock('x', 'g', 1);
      tx.setClockMark(77);
    };

    it('is in the snapshot', () => {
      given.write(fill);
      const { executes, unblocks, ...records } = plain(given.store.snapshot());
      expect(records).to.deep.equal(
        plain({
          promises: [
            { promise: pendingPromise('a', { timeoutArmed: true }), callbacks: [], listeners: [] },
            { promise: pendingPromise('b'), callbacks: ['a'], listeners: ['l'] },
          ],
          tasks: [{ task: acquiredTask('a', 'pid', { resumes: 1 }), resumes: ['x'] }],
          schedules: [schedule('s')],
        }),
      );
      expect(executes.map(({ position: _, ...row }) => row)).to.deep.equal([{ taskId: 'a', version: 0, address: 'g' }]);
      expect(unblocks.map(({ position: _, ...row }) => row)).to.deep.equal([{ promiseId: 'x', address: 'g' }]);
    });

    it('is a snapshot: what happens later does not show in it', () => {
      given.write(fill);
      const snapshot = given.store.snapshot();
      const copy = plain(snapshot);
      given.write((tx) => {
        tx.takeCallbacks('b');
        tx.clearResumes('a');
        tx.withdrawExecute('a');
        tx.setPromise(settledPromise('a'));
      });
      expect(plain(snapshot)).to.deep.equal(copy);
    });

    it('can be cleared, except for the mark of the clock', () => {
      given.write(fill);
      given.store.clear();
      const empty = { promises: [], tasks: [], schedules: [], executes: [], unblocks: [] };
      expect(plain(given.store.snapshot())).to.deep.equal(empty);
      expect(given.store.earliestTimeout()).to.equal(undefined);
      expect([...given.store.heldTasks()]).to.deep.equal([]);
      expect(given.store.executes({ group: 'g' }, -1, 9)).to.deep.equal([]);
      expect(given.store.unblocks({ group: 'g' }, -1, 9)).to.deep.equal([]);
      expect(given.write((tx) => tx.getClockMark())).to.equal(77);
      given.write((tx) => {
        tx.setPromise(pendingPromise('b'));
        tx.setTask(pendingTask('a'));
        expect(tx.takeCallbacks('b')).to.deep.equal([]);
        expect(tx.takeListeners('b')).to.deep.equal([]);
        expect(tx.addResume('a', 'x')).to.equal(true);
        tx.dropCallbacksOf('a');
      });
    });

    it('is what a read sees', () => {
      given.write(fill);
      expect(
        given.read((tx) => [tx.getPromise('a')?.timeoutArmed, tx.getTask('a')?.pid, tx.getSchedule('s')?.cron]),
      ).to.deep.equal([true, 'pid', '* * * * *']);
      const fail = (): never => {
        throw new Error('reader');
      };
      expect(() => given.read(fail)).to.throw('reader');
      expect(given.read((tx) => tx.getPromise('a')?.id)).to.equal('a');
    });
  });
}
