import {
  addSaturating,
  DELAY_TAG,
  EMPTY_VALUE,
  hasTarget,
  isExternal,
  project,
  timedOutState,
  type PromiseObject,
  type TaskObject,
} from '../objects.js';
import type { PromiseOutcome } from '../outcome.js';
import type { PromiseSpec } from '../requests.js';
import { announce } from '../tasks.js';
import type { Tx } from '../tx.js';

/**
 * P-02: creates a promise, and its task if it has a target. Idempotent on the id.
 *
 * `now` is the instant of creation; a schedule that catches up creates as of a past one. `transactionNow` is the
 * transaction's own, which decides whether the promise is already dead and its execute is left out.
 */
export function promiseCreate(tx: Tx, request: PromiseSpec, now: number, transactionNow = now): PromiseOutcome {
  const existing = tx.getPromise(request.id);
  if (existing !== undefined) return { status: 200, promise: project(existing, now) };

  if (request.timeoutAt <= now) {
    const promise = bornSettled(request);
    tx.setPromise(promise);
    if (hasTarget(promise)) tx.setTask(bornFulfilled(request.id));
    return { status: 200, promise };
  }

  const promise = bornPending(request, now, isExternal(request.tags));
  tx.setPromise(promise);
  if (hasTarget(promise)) createTask(tx, promise, now, transactionNow);
  return { status: 200, promise };
}

function createTask(tx: Tx, promise: PromiseObject, now: number, transactionNow: number): void {
  const delayedUntil = Number(promise.tags.get(DELAY_TAG) ?? 0);
  const delayed = delayedUntil > now;
  const task: TaskObject = {
    id: promise.id,
    state: 'pending',
    version: 0,
    resumes: 0,
    timeout: delayed
      ? { kind: 'delay', dueAt: delayedUntil }
      : { kind: 'retry', dueAt: addSaturating(now, tx.config.retryTimeout) },
  };
  tx.setTask(task);
  if (!delayed) announce(tx, task, promise, transactionNow);
}

/** A live promise, created at `now`. */
export function bornPending(request: PromiseSpec, now: number, timeoutArmed: boolean): PromiseObject {
  const { id, timeoutAt, param, tags } = request;
  return { id, state: 'pending', param, value: EMPTY_VALUE, tags, timeoutAt, createdAt: now, timeoutArmed };
}

/** A promise that was created after its deadline. */
export function bornSettled(request: PromiseSpec): PromiseObject {
  const { id, timeoutAt, param, tags } = request;
  return {
    id,
    state: timedOutState(tags),
    param,
    value: EMPTY_VALUE,
    tags,
    timeoutAt,
    createdAt: timeoutAt,
    settledAt: timeoutAt,
    timeoutArmed: false,
  };
}

/** The task of a promise that was created after its deadline. */
export function bornFulfilled(id: string): TaskObject {
  return { id, state: 'fulfilled', version: 0, resumes: 0 };
}
