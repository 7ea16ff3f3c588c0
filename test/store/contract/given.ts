import type { Tx } from '../../../src/protocol/tx.js';
import type { Store, StoreTx } from '../../../src/store/store.js';

/** The store under test, opened empty for each test. */
export class Given {
  store!: Store;

  /** What `work` answers, from a transaction of its own. */
  write<T>(work: (tx: StoreTx) => T): T {
    return this.store.transact(work).result;
  }

  read<T>(work: (tx: Tx) => T): T {
    return this.store.read(work);
  }
}
