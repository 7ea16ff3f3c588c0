import { Code, ResonateError } from './errors.js';
import { PromiseState, type PromiseRecord } from './gen/resonate_grpc/v1/promise.js';
import { Reject } from './outcomes.js';
import { decodeJson } from './value.js';

/** The promise has its outcome, which never changes. */
export function isSettled(record: PromiseRecord): boolean {
  return record.settledAtMs !== undefined;
}

/**
 * What the promise resolved with, decoded from JSON. Throws a `Reject` with what it was rejected with, so that a handler
 * which lets it pass rejects its own promise in turn; and a TypeError if the promise is pending.
 */
export function unwrap(record: PromiseRecord): unknown {
  if (!isSettled(record)) throw new TypeError(`promise ${JSON.stringify(record.id)} is pending`);
  const value = decodeJson(record.value);
  if (record.state === PromiseState.PROMISE_STATE_RESOLVED) return value;
  const state = PromiseState[record.state].replace(/^PROMISE_STATE_/, '');
  throw new Reject(value, `promise ${JSON.stringify(record.id)} is ${state}`);
}

/** The record that every answer of this kind carries. */
export function present(record: PromiseRecord | undefined): PromiseRecord {
  if (record) return record;
  throw new ResonateError('the answer carries no promise', { code: Code.INTERNAL });
}
