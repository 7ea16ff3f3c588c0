/** Promises, tasks and schedules by id. */
import { expect } from 'chai';
import { plain } from '../plain.js';
import { LONG, UTF8_ORDER, acquiredTask, pendingPromise, pendingTask, schedule, settledPromise } from '../samples.js';
import type { Given } from './given.js';

export function describeRecords(given: Given): void {
  describe('records', () => {
    it('are absent until they are set', () => {
      given.read((tx) => {
        expect(tx.getPromise('a')).to.equal(undefined);
        expect(tx.getTask('a')).to.equal(undefined);
        expect(tx.getSchedule('a')).to.equal(undefined);
      });
    });

    it('keep every field of a promise', () => {
      const promise = settledPromise('p', {
        state: 'rejected_timedout',
        param: { headers: new Map([['h', '1']]), data: new Uint8Array([0, 255, 10]) },
        value: { headers: new Map([['__proto__', 'x']]), data: new Uint8Array() },
        tags: new Map([
          ['__proto__', 'y'],
          ['constructor', 'z'],
          ['', ''],
        ]),
        timeoutAt: Number.MAX_SAFE_INTEGER,
        createdAt: 0,
        settledAt: Number.MAX_SAFE_INTEGER - 1,
      });
      given.write((tx) => tx.setPromise(promise));
      const stored = given.read((tx) => tx.getPromise('p'));
      expect(plain(stored)).to.deep.equal(plain(promise));
      expect(stored?.value.data, 'empty data is not absent').to.have.length(0);
    });

    it('keep absent data absent', () => {
      given.write((tx) => tx.setPromise(pendingPromise('p')));
      expect(given.read((tx) => tx.getPromise('p'))?.param.data).to.equal(undefined);
    });

    it('keep every field of a task and of a schedule', () => {
      const task = acquiredTask('t', 'pid', {
        version: Number.MAX_SAFE_INTEGER,
        ttl: Number.MAX_SAFE_INTEGER,
        resumes: 3,
        timeout: { kind: 'lease', dueAt: Number.MAX_SAFE_INTEGER },
      });
      const sch = schedule('s', {
        promiseParam: { headers: new Map(), data: new Uint8Array([1]) },
        promiseTags: new Map([['k', 'v']]),
        lastRunAt: 59_999,
      });
      given.write((tx) => {
        tx.setTask(task);
        tx.setSchedule(sch);
      });
      expect(plain(given.read((tx) => tx.getTask('t')))).to.deep.equal(plain(task));
      expect(plain(given.read((tx) => tx.getSchedule('s')))).to.deep.equal(plain(sch));
    });

    it('keep a schedule that ran at the first instant of all', () => {
      const sch = schedule('s', { lastRunAt: 0 });
      given.write((tx) => tx.setSchedule(sch));
      expect(plain(given.read((tx) => tx.getSchedule('s')))).to.deep.equal(plain(sch));
    });

    it('are replaced whole: a field that the new object lacks is gone', () => {
      given.write((tx) => {
        tx.setPromise(settledPromise('a'));
        tx.setTask(acquiredTask('a', 'pid'));
        tx.setSchedule(schedule('a', { lastRunAt: 5 }));
      });
      const task = { id: 'a', state: 'suspended', version: 1, resumes: 0 } as const;
      given.write((tx) => {
        tx.setPromise(pendingPromise('a'));
        tx.setTask(task);
        tx.setSchedule(schedule('a'));
      });
      expect(plain(given.read((tx) => tx.getPromise('a')))).to.deep.equal(plain(pendingPromise('a')));
      expect(plain(given.read((tx) => tx.getTask('a')))).to.deep.equal(task);
      expect(plain(given.read((tx) => tx.getSchedule('a')))).to.deep.equal(plain(schedule('a')));
    });

    it('of different kinds under one id are different records', () => {
      given.write((tx) => tx.setTask(pendingTask('a')));
      expect(given.read((tx) => tx.getPromise('a'))).to.equal(undefined);
      given.write((tx) => tx.setSchedule(schedule('a')));
      given.write((tx) => tx.deleteSchedule('a'));
      expect(given.read((tx) => tx.getSchedule('a'))).to.equal(undefined);
      expect(given.read((tx) => tx.getTask('a'))?.id).to.equal('a');
    });

    it('that are absent are not others', () => {
      given.write((tx) => {
        tx.setPromise(pendingPromise('a'));
        tx.setTask(pendingTask('a'));
        tx.setSchedule(schedule('a'));
      });
      given.read((tx) => {
        expect(tx.getPromise('absent')).to.equal(undefined);
        expect(tx.getTask('absent')).to.equal(undefined);
        expect(tx.getSchedule('absent')).to.equal(undefined);
      });
      given.write((tx) => {
        tx.setTask(pendingTask('task alone'));
        expect(tx.getPromise('task alone')).to.equal(undefined);
      });
    });

    it('of ids that look alike are different records', () => {
      const ids = [
        'a',
        'A',
        'a ',
        'a/',
        'a\u0001',
        'aa',
        'e\u0301',
        '\u00e9',
        '1',
        '01',
        'true',
        LONG,
        `${LONG}x`.slice(1),
      ];
      given.write((tx) => {
        for (const [i, id] of ids.entries()) tx.setPromise(pendingPromise(id, { createdAt: i }));
      });
      expect(given.read((tx) => ids.map((id) => tx.getPromise(id)?.createdAt))).to.deep.equal(ids.map((_, i) => i));
    });

    it('can be deleted when they are schedules, absent ones too', () => {
      given.write((tx) => tx.setSchedule(schedule('s')));
      given.write((tx) => {
        tx.deleteSchedule('s');
        tx.deleteSchedule('never was');
        expect(tx.getSchedule('s')).to.equal(undefined);
      });
      expect(given.store.snapshot().schedules).to.deep.equal([]);
    });

    it('are listed by id bytes in the snapshot', () => {
      given.write((tx) => {
        for (const id of UTF8_ORDER.toReversed()) {
          tx.setPromise(pendingPromise(id));
          tx.setTask(pendingTask(id));
          tx.setSchedule(schedule(id));
        }
      });
      const { promises, tasks, schedules } = given.store.snapshot();
      expect(promises.map(({ promise }) => promise.id)).to.deep.equal(UTF8_ORDER);
      expect(tasks.map(({ task }) => task.id)).to.deep.equal(UTF8_ORDER);
      expect(schedules.map(({ id }) => id)).to.deep.equal(UTF8_ORDER);
    });
  });
}
