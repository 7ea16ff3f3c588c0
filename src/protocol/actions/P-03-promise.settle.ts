import { isLive, project } from '../objects.js';
import { promiseNotFound, type PromiseOutcome } from '../outcome.js';
import type { PromiseSettlement } from '../requests.js';
import { settle } from '../settlement.js';
import type { Tx } from '../tx.js';

/** P-03: settles a live promise; otherwise answers what a get would show. */
export function promiseSettle(tx: Tx, request: PromiseSettlement, now: number): PromiseOutcome {
  const promise = tx.getPromise(request.id);
  if (promise === undefined) return promiseNotFound(request.id);
  if (!isLive(promise, now)) return { status: 200, promise: project(promise, now) };
  const { state, value } = request;
  return { status: 200, promise: settle(tx, promise, { state, value, settledAt: now }, now) };
}
