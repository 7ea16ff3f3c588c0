import { backoffDelay, CALL_BACKOFF } from './backoff.js';
import { sleep } from './clock.js';
import { isTransient, ResonateError, showsHolder } from './errors.js';
import type { DispatchExecute } from './gen/resonate_grpc/v1/dispatch.js';
import type { PromiseRecord } from './gen/resonate_grpc/v1/promise.js';
import { answerDeadlineMs, Lease } from './lease.js';
import { isSettled, present } from './records.js';
import type { RunEnvironment } from './run.js';

/** A task that this process holds, and its promise. */
export interface Acquired {
  readonly lease: Lease;
  readonly promise: PromiseRecord;
  /** Found to be held already: how much of the lease is left is not known. */
  readonly adopted: boolean;
}

/** Takes the task that was pushed. Undefined: it is not to be had, and is dropped. */
export async function acquire(env: RunEnvironment, execute: DispatchExecute): Promise<Acquired | undefined> {
  const { client, pid, ttlMs, log } = env;
  const { taskId: id, version } = execute;
  const startedAt = client.clock.now();
  const options = { deadlineMs: answerDeadlineMs(ttlMs) };
  const held = (promise: PromiseRecord | undefined, sentAt: number, adopted: boolean): Acquired => ({
    adopted,
    promise: present(promise),
    lease: new Lease({ id, version: version + 1 }, ttlMs, client.clock, sentAt),
  });
  const attempt = async (): Promise<Acquired | undefined> => {
    const sentAt = client.clock.now();
    try {
      const { promise } = await client.taskAcquire({ id, version, pid, ttlMs }, options);
      return held(promise, sentAt, false);
    } catch (error) {
      if (!(error instanceof ResonateError && showsHolder(error, pid, version + 1))) throw error;
      log.info({ taskId: id, version: version + 1 }, 'task is held already: an answer was lost');
      const { promise } = await client.promiseGet({ id }, options);
      return promise && isSettled(promise) ? undefined : held(promise, startedAt, true);
    }
  };
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delay = backoffDelay(CALL_BACKOFF, failures, client.clock);
      const tooLate = client.clock.now() + delay - startedAt >= ttlMs;
      if (!isTransient(error) || env.stopping.aborted || tooLate) {
        log.debug({ taskId: id, version, err: error }, 'task was not acquired');
        return undefined;
      }
      await sleep(client.clock, delay, env.stopping);
    }
  }
}
