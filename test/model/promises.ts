/** P-01 to P-06, from `P-*.lean` and SPEC "Promises". */
import { NOT_IMPLEMENTED, refusal, type Response } from './response.js';
import { settlePromise } from './settlement.js';
import {
  getPromise,
  hasTag,
  isExternal,
  isLive,
  isTimer,
  plus,
  RETRY_TIMEOUT,
  sendExecute,
  setPromise,
  setPromiseTimeout,
  setTask,
  setTaskTimeout,
  tagOf,
  toRecord,
  type Machine,
  type Pairs,
  type PromiseObject,
  type PromiseState,
  type TaskObject,
  type Value,
} from './state.js';

export interface PromiseCreate {
  readonly id: string;
  readonly timeoutAt: number;
  readonly param: Value;
  readonly tags: Pairs;
}

export interface PromiseSettle {
  readonly id: string;
  /** The door refuses all but the three that a client may settle with. */
  readonly state: PromiseState;
  readonly value: Value;
}

/** P-01 */
export function promiseGet(m: Machine, req: { readonly id: string }, now: number): Response {
  const p = getPromise(m, req.id);
  if (p === undefined) return refusal(404, 'PROMISE_NOT_FOUND', req.id);
  return { status: 200, promise: toRecord(p, now) };
}

/** P-02, as of `now`. `transactionNow` differs from it in a schedule's backfill alone. */
export function promiseCreate(m: Machine, req: PromiseCreate, now: number, transactionNow = now): Response {
  const existing = getPromise(m, req.id);
  if (existing !== undefined) return { status: 200, promise: toRecord(existing, now) };

  if (req.timeoutAt > now) {
    const p = pendingPromise(req, now);
    setPromise(m, p);
    if (isExternal(p)) setPromiseTimeout(m, p.id, p.timeoutAt);
    if (hasTag(p.tags, 'resonate:target')) {
      const t: TaskObject = { id: p.id, state: 'pending', version: 0, resumes: [] };
      setTask(m, t);
      const delay = tagOf(p.tags, 'resonate:delay');
      if (delay !== undefined && Number(delay) > now) {
        setTaskTimeout(m, t.id, 'delay', Number(delay));
      } else {
        setTaskTimeout(m, t.id, 'retry', plus(now, RETRY_TIMEOUT));
        sendExecute(m, t, p, transactionNow);
      }
    }
    return { status: 200, promise: toRecord(p, now) };
  }

  const p = settledPromise(req);
  setPromise(m, p);
  if (hasTag(p.tags, 'resonate:target')) setTask(m, fulfilledTask(p.id));
  return { status: 200, promise: toRecord(p, now) };
}

export function pendingPromise(req: PromiseCreate, now: number): PromiseObject {
  return {
    id: req.id,
    state: 'pending',
    param: req.param,
    value: { headers: [] },
    tags: req.tags,
    timeoutAt: req.timeoutAt,
    createdAt: now,
    callbacks: [],
    listeners: [],
  };
}

/** A promise whose deadline had passed when it was created. */
export function settledPromise(req: PromiseCreate): PromiseObject {
  return {
    ...pendingPromise(req, req.timeoutAt),
    state: isTimer(req.tags) ? 'resolved' : 'rejected_timedout',
    settledAt: req.timeoutAt,
  };
}

export function fulfilledTask(id: string): TaskObject {
  return { id, state: 'fulfilled', version: 0, resumes: [] };
}

/** P-03 */
export function promiseSettle(m: Machine, req: PromiseSettle, now: number): Response {
  const p = getPromise(m, req.id);
  if (p === undefined) return refusal(404, 'PROMISE_NOT_FOUND', req.id);
  if (!isLive(p, now)) return { status: 200, promise: toRecord(p, now) };
  const settled = settlePromise(m, p, req.state, req.value, now, now);
  return { status: 200, promise: toRecord(settled, now) };
}

/** P-04 */
export function promiseRegisterCallback(
  m: Machine,
  req: { readonly awaited: string; readonly awaiter: string },
  now: number,
): Response {
  const awaited = getPromise(m, req.awaited);
  if (awaited === undefined) return refusal(404, 'PROMISE_NOT_FOUND', req.awaited);
  const awaiter = getPromise(m, req.awaiter);
  if (awaiter === undefined) return refusal(422, 'AWAITER_NOT_FOUND', req.awaiter);
  if (!hasTag(awaiter.tags, 'resonate:target')) return refusal(422, 'AWAITER_WITHOUT_TARGET', req.awaiter);
  if (isLive(awaited, now) && isLive(awaiter, now)) addCallback(m, awaited, req.awaiter);
  return { status: 200, promise: toRecord(awaited, now) };
}

/** Departure: what is waited for gets a deadline. */
export function addCallback(m: Machine, awaited: PromiseObject, awaiterId: string): void {
  if (!awaited.callbacks.includes(awaiterId)) {
    setPromise(m, { ...awaited, callbacks: [...awaited.callbacks, awaiterId] });
  }
  setPromiseTimeout(m, awaited.id, awaited.timeoutAt);
}

/** P-05 */
export function promiseRegisterListener(
  m: Machine,
  req: { readonly awaited: string; readonly address: string },
  now: number,
): Response {
  const awaited = getPromise(m, req.awaited);
  if (awaited === undefined) return refusal(404, 'PROMISE_NOT_FOUND', req.awaited);
  if (isLive(awaited, now)) {
    if (!awaited.listeners.includes(req.address)) {
      setPromise(m, { ...awaited, listeners: [...awaited.listeners, req.address] });
    }
    // Departure: what is waited for gets a deadline.
    setPromiseTimeout(m, awaited.id, awaited.timeoutAt);
  }
  return { status: 200, promise: toRecord(awaited, now) };
}

/** P-06 */
export function promiseSearch(_m: Machine, _req: object, _now: number): Response {
  return NOT_IMPLEMENTED;
}
