import { MemoryStore } from '../../src/store/memory.js';
import { describeAgreement } from './agreement.js';
import { describeStore, type StoreFactory } from './contract.js';
import { lmdb } from './lmdb-factory.js';
import { config } from './samples.js';

const memory: StoreFactory = {
  name: 'memory',
  open: () => {
    const store = new MemoryStore({ config });
    return Promise.resolve({ store, close: () => store.close() });
  },
};

const others: readonly StoreFactory[] = [lmdb];

for (const factory of [memory, ...others]) describeStore(factory);
for (const factory of others) describeAgreement(memory, factory);
