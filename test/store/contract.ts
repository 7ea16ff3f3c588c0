/** What every `Store` must do, whatever it is made of. Written from the docstrings of `Store` and `Tx`. */
import type { Store } from '../../src/store/store.js';
import { Given } from './contract/given.js';
import { describeExecutes, describeUnblocks } from './contract/outbox.js';
import { describeRecords } from './contract/records.js';
import { describeSets } from './contract/sets.js';
import { describeTimeouts } from './contract/timeouts.js';
import { describeTransactions } from './contract/transactions.js';
import { describeWhole } from './contract/whole.js';

/** A kind of store. */
export interface StoreFactory {
  readonly name: string;
  /** Opens an empty one. */
  open(): Promise<OpenStore>;
}

export interface OpenStore {
  readonly store: Store;
  /** Closes the store and removes what it left behind. */
  close(): Promise<void>;
}

export function describeStore(factory: StoreFactory): void {
  describe(`Store contract: ${factory.name}`, () => {
    const given = new Given();
    let open: OpenStore;

    beforeEach(async () => {
      open = await factory.open();
      given.store = open.store;
    });

    afterEach(() => open.close());

    describeRecords(given);
    describeSets(given);
    describeTransactions(given);
    describeTimeouts(given);
    describeExecutes(given);
    describeUnblocks(given);
    describeWhole(given);
  });
}
