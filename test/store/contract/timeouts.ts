/** The index of timeouts. */
import { expect } from 'chai';
import { plain } from '../plain.js';
import { UTF8_ORDER, acquiredTask, pendingPromise, pendingTask, schedule, settledPromise } from '../samples.js';
import type { Given } from './given.js';

export function describeTimeouts(given: Given): void {
  describe('timeouts', () => {
    const ids = (kind: 'schedule' | 'promise' | 'task', now: number, limit = 99): string[] =>
      given.store.dueTimeouts(kind, now, limit).map(({ id }) => id);

    it('are due at their instant, not before, each kind by itself', () => {
      given.write((tx) => {
        tx.setPromise(pendingPromise('a', { timeoutAt: 10, timeoutArmed: true }));
        tx.setTask(acquiredTask('b', 'pid', { timeout: { kind: 'lease', dueAt: 10 } }));
        tx.setSchedule(schedule('c', { nextRunAt: 10 }));
      });
      for (const [kind, id] of [
        ['promise', 'a'],
        ['task', 'b'],
        ['schedule', 'c'],
      ] as const) {
        expect(given.store.dueTimeouts(kind, 9, 9)).to.deep.equal([]);
        expect(plain(given.store.dueTimeouts(kind, 10, 9))).to.deep.equal([{ kind, id, dueAt: 10 }]);
      }
    });

    it('come by (due, id bytes), and no more than the limit', () => {
      const dues = new Map([
        ['late', 300],
        ['soon', 2],
        ['max', Number.MAX_SAFE_INTEGER],
      ]);
      for (const id of UTF8_ORDER) dues.set(id, 100);
      given.write((tx) => {
        for (const [id, dueAt] of [...dues].toReversed()) {
          tx.setPromise(pendingPromise(id, { timeoutAt: dueAt, timeoutArmed: true }));
          tx.setTask(acquiredTask(id, 'pid', { timeout: { kind: 'lease', dueAt } }));
          tx.setSchedule(schedule(id, { nextRunAt: dueAt }));
        }
      });
      for (const kind of ['promise', 'task', 'schedule'] as const) {
        const all = ['soon', ...UTF8_ORDER, 'late'];
        expect(ids(kind, 300), kind).to.deep.equal(all);
        expect(ids(kind, 300, 3), kind).to.deep.equal(all.slice(0, 3));
        expect(ids(kind, Number.MAX_SAFE_INTEGER), kind).to.deep.equal([...all, 'max']);
        expect(ids(kind, 300, 0), kind).to.deep.equal([]);
      }
    });

    it('follow their object: armed, moved and disarmed by setting it', () => {
      given.write((tx) => {
        tx.setPromise(pendingPromise('p', { timeoutAt: 10 }));
        tx.setTask(acquiredTask('t', 'pid', { timeout: { kind: 'lease', dueAt: 10 } }));
        tx.setSchedule(schedule('s', { nextRunAt: 10 }));
      });
      expect(ids('promise', 99), 'not armed').to.deep.equal([]);
      given.write((tx) => {
        tx.setPromise(pendingPromise('p', { timeoutAt: 10, timeoutArmed: true }));
        tx.setTask(acquiredTask('t', 'pid', { timeout: { kind: 'lease', dueAt: 30 } }));
        tx.setSchedule(schedule('s', { nextRunAt: 40 }));
      });
      expect(ids('promise', 99)).to.deep.equal(['p']);
      expect(given.store.dueTimeouts('task', 29, 9)).to.deep.equal([]);
      expect(given.store.dueTimeouts('task', 30, 9)[0]?.dueAt).to.equal(30);
      expect(given.store.dueTimeouts('schedule', 39, 9)).to.deep.equal([]);
      expect(ids('schedule', 40)).to.deep.equal(['s']);
      given.write((tx) => {
        tx.setPromise(settledPromise('p', { timeoutAt: 10 }));
        tx.setTask({ id: 't', state: 'suspended', version: 1, resumes: 0 });
        tx.deleteSchedule('s');
      });
      for (const kind of ['promise', 'task', 'schedule'] as const) expect(ids(kind, 99)).to.deep.equal([]);
      expect(given.store.earliestTimeout()).to.equal(undefined);
    });

    it('show in the midst of the transaction that arms them', () => {
      given.write((tx) => {
        tx.setPromise(pendingPromise('p', { timeoutAt: 10, timeoutArmed: true }));
        tx.setTask(pendingTask('t', { timeout: { kind: 'retry', dueAt: 5 } }));
        expect(ids('promise', 10)).to.deep.equal(['p']);
        expect(given.store.earliestTimeout()).to.equal(10);
        expect(given.store.dueRetries(5)).to.have.length(1);
        tx.setPromise(settledPromise('p'));
        expect(ids('promise', 10)).to.deep.equal([]);
      });
      expect(given.store.earliestTimeout()).to.equal(undefined);
    });

    it('of tasks are leases and delays; a retry is only seen by dueRetries', () => {
      given.write((tx) => {
        tx.setTask(pendingTask('retry', { timeout: { kind: 'retry', dueAt: 1 } }));
        tx.setTask(pendingTask('delay', { timeout: { kind: 'delay', dueAt: 3 } }));
        tx.setTask(acquiredTask('lease', 'pid', { timeout: { kind: 'lease', dueAt: 2 } }));
      });
      expect(ids('task', 99)).to.deep.equal(['lease', 'delay']);
      expect(given.store.earliestTimeout()).to.equal(2);
      expect(plain(given.store.dueRetries(3))).to.deep.equal([
        { kind: 'task', id: 'retry', dueAt: 1 },
        { kind: 'task', id: 'delay', dueAt: 3 },
      ]);
      expect(given.store.dueRetries(2).map(({ id }) => id)).to.deep.equal(['retry']);
      given.write((tx) => tx.setTask(pendingTask('delay', { timeout: { kind: 'retry', dueAt: 3 } })));
      expect(ids('task', 99), 'a delay that became a retry').to.deep.equal(['lease']);
    });

    it('of retries are those that are armed', () => {
      given.write((tx) => tx.setTask({ id: 'a', state: 'pending', version: 0, resumes: 0 }));
      expect(given.store.dueRetries(Number.MAX_SAFE_INTEGER)).to.deep.equal([]);
    });

    it('of retries come by (due, id bytes)', () => {
      given.write((tx) => {
        for (const id of UTF8_ORDER.toReversed()) tx.setTask(pendingTask(id));
        tx.setTask(pendingTask('z first', { timeout: { kind: 'retry', dueAt: 4999 } }));
      });
      expect(given.store.dueRetries(5000).map(({ id }) => id)).to.deep.equal(['z first', ...UTF8_ORDER]);
    });

    it('have an earliest, of whatever kind', () => {
      expect(given.store.earliestTimeout()).to.equal(undefined);
      given.write((tx) => tx.setSchedule(schedule('s', { nextRunAt: 30 })));
      expect(given.store.earliestTimeout()).to.equal(30);
      given.write((tx) => tx.setPromise(pendingPromise('p', { timeoutAt: 20, timeoutArmed: true })));
      expect(given.store.earliestTimeout()).to.equal(20);
      given.write((tx) => tx.setTask(pendingTask('t', { timeout: { kind: 'delay', dueAt: 10 } })));
      expect(given.store.earliestTimeout()).to.equal(10);
      given.write((tx) => tx.setTask(pendingTask('t')));
      expect(given.store.earliestTimeout()).to.equal(20);
    });
  });
}
