import { backoffDelay, CALL_BACKOFF } from './backoff.js';
import type { CallOptions } from './calls.js';
import { sleep } from './clock.js';
import { Connection } from './connection.js';
import { Code, isTransient } from './errors.js';
import type { PromiseRecord } from './gen/resonate_grpc/v1/promise.js';
import { present } from './records.js';
import { toPromiseSpec, type WorkSpec } from './work.js';

/** One PromiseWait: proxies cut calls that are silent for long. */
const WAIT_SLICE_MS = 60_000;

/**
 * A typed client: a method for every unary RPC, named as in the proto (`promiseGet`, `taskAcquire`, …), and the caller's side of
 * durable work. Calls of which the proto says that a retry is always safe are retried on UNAVAILABLE with jittered back-off
 * until their deadline; no other call is ever retried. Every error is a `ResonateError`.
 */
export class ResonateClient extends Connection {
  /**
   * Waits until the promise is settled and returns it, over restarts of the server. Without a deadline it waits for ever. Throws
   * NOT_FOUND for an unknown promise, and DEADLINE_EXCEEDED or UNAVAILABLE at the deadline.
   */
  async wait(id: string, { deadlineMs = Infinity, signal }: CallOptions = {}): Promise<PromiseRecord> {
    const endAt = this.clock.now() + deadlineMs;
    for (let failures = 0; ;) {
      const slice = Math.min(endAt - this.clock.now(), WAIT_SLICE_MS);
      try {
        return present((await this.promiseWait({ id }, { deadlineMs: slice, signal })).promise);
      } catch (error) {
        const delay = backoffDelay(CALL_BACKOFF, failures, this.clock);
        if (signal?.aborted || !isTransient(error) || this.clock.now() + delay >= endAt) throw error;
        await sleep(this.clock, delay, signal);
        // A slice that passed quietly is no failure.
        failures = error.code === Code.DEADLINE_EXCEEDED ? 0 : failures + 1;
      }
    }
  }

  /**
   * Creates the work, or finds it under its id, and waits for its outcome as `wait` does. Calling it again with the same id, from
   * any process, waits for the same work. See `unwrap` for the value.
   */
  async invoke(work: WorkSpec, options: CallOptions = {}): Promise<PromiseRecord> {
    await this.promiseCreate({ promise: toPromiseSpec(work) }, { signal: options.signal });
    return this.wait(work.id, options);
  }
}
