import { project } from '../objects.js';
import { promiseNotFound, type PromiseOutcome } from '../outcome.js';
import type { PromiseGetRequest } from '../requests.js';
import type { Tx } from '../tx.js';

/** P-01: reads a promise, projected. Writes nothing. */
export function promiseGet(tx: Tx, request: PromiseGetRequest, now: number): PromiseOutcome {
  const promise = tx.getPromise(request.id);
  if (promise === undefined) return promiseNotFound(request.id);
  return { status: 200, promise: project(promise, now) };
}
