import { notImplemented, type Refusal } from '../outcome.js';
import type { PromiseSearchRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** P-06: always 501; the protocol does not specify it. */
export function promiseSearch(_tx: Tx, _request: PromiseSearchRequest, _now: number): Refusal {
  return notImplemented('promise.search');
}
