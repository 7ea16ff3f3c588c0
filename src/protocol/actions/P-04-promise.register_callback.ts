import { hasTarget, isLive, project } from '../objects.js';
import { awaiterNotFound, awaiterWithoutTarget, promiseNotFound, type PromiseOutcome } from '../outcome.js';
import { awaitSettlement } from '../registration.js';
import type { PromiseRegisterCallbackRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** P-04: has the awaiter's task resumed when the awaited promise settles. */
export function promiseRegisterCallback(tx: Tx, request: PromiseRegisterCallbackRequest, now: number): PromiseOutcome {
  const awaited = tx.getPromise(request.awaitedId);
  if (awaited === undefined) return promiseNotFound(request.awaitedId);
  const awaiter = tx.getPromise(request.awaiterId);
  if (awaiter === undefined) return awaiterNotFound(request.awaiterId);
  if (!hasTarget(awaiter)) return awaiterWithoutTarget(request.awaiterId);
  if (!isLive(awaited, now) || !isLive(awaiter, now)) return { status: 200, promise: project(awaited, now) };

  tx.addCallback(awaited.id, awaiter.id);
  return { status: 200, promise: awaitSettlement(tx, awaited) };
}
