import type { PromiseObject } from './objects.js';
import type { Tx } from './tx.js';

/** SPEC "Departure: what is waited for gets a deadline": arms the timeout of a pending promise that now has a waiter. */
export function awaitSettlement(tx: Tx, awaited: PromiseObject): PromiseObject {
  if (awaited.timeoutArmed) return awaited;
  const armed = { ...awaited, timeoutArmed: true };
  tx.setPromise(armed);
  return armed;
}
