/** Rows that cannot be: the contract and the golden data show that those that can are read as they were written. */
import { expect } from 'chai';
import {
  decodeFormat,
  decodePromise,
  decodeTask,
  encodeFormat,
  encodePromise,
  encodeTask,
} from '../../src/store/lmdb/codec.js';
import { acquiredTask, pendingPromise } from './samples.js';

describe('rows of the LMDB store', () => {
  // As a later version would write it.
  const later = 'later' as never;

  it('with a state that this version does not know are refused', () => {
    const promise = encodePromise({ id: 'a', isAwaited: false, promise: pendingPromise('a', { state: later }) });
    expect(() => decodePromise(promise)).to.throw(RangeError, 'a stored record has the unknown state -1');
    const task = encodeTask({
      task: acquiredTask('a', 'pid', { state: later }),
      execute: undefined,
      hasAwaited: false,
    });
    expect(() => decodeTask('a', task)).to.throw(RangeError, 'unknown state -1');
    const timeout = { kind: later, dueAt: 1 };
    const timed = encodeTask({ task: acquiredTask('a', 'pid', { timeout }), execute: undefined, hasAwaited: false });
    expect(() => decodeTask('a', timed)).to.throw(RangeError, 'unknown state -1');
  });

  it('that hold no name and version are no format', () => {
    expect(decodeFormat(encodeFormat({ name: 'n', version: 2 }))).to.deep.equal({ name: 'n', version: 2 });
    expect(decodeFormat(encodeFormat({ name: 'n', version: 'x' as never }))).to.equal(undefined);
    expect(decodeFormat(encodeFormat({ name: 1 as never, version: 2 }))).to.equal(undefined);
    expect(decodeFormat(Buffer.from([0xc1])), 'no msgpack').to.equal(undefined);
    expect(decodeFormat(Buffer.from([5])), 'no array').to.equal(undefined);
  });
});
