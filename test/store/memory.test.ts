import { expect } from 'chai';
import { MemoryStore } from '../../src/store/memory.js';
import type { StoreTx } from '../../src/store/store.js';
import { config, pendingTask } from './samples.js';

describe('MemoryStore', () => {
  it('catches a read that writes, and undoes it', () => {
    const store = new MemoryStore({ config });
    expect(() => store.read((tx) => (tx as StoreTx).setTask(pendingTask('a')))).to.throw('a read has written');
    expect(store.snapshot().tasks).to.deep.equal([]);
  });
});
