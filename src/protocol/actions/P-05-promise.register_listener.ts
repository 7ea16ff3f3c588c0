import { isLive, project } from '../objects.js';
import { promiseNotFound, type PromiseOutcome } from '../outcome.js';
import { awaitSettlement } from '../registration.js';
import type { PromiseRegisterListenerRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** P-05: has an unblock sent to the address when the promise settles. */
export function promiseRegisterListener(tx: Tx, request: PromiseRegisterListenerRequest, now: number): PromiseOutcome {
  const awaited = tx.getPromise(request.awaitedId);
  if (awaited === undefined) return promiseNotFound(request.awaitedId);
  if (!isLive(awaited, now)) return { status: 200, promise: project(awaited, now) };

  tx.addListener(awaited.id, request.address);
  return { status: 200, promise: awaitSettlement(tx, awaited) };
}
