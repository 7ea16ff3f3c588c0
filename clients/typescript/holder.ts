import { backoffDelay, CALL_BACKOFF } from './backoff.js';
import type { CallOptions } from './calls.js';
import type { ResonateClient } from './client.js';
import { sleep } from './clock.js';
import { Code, fromRefusal, isTransient, ResonateError, showsHolder } from './errors.js';
import type { PromiseRecord, PromiseSettlement, PromiseSpec } from './gen/resonate_grpc/v1/promise.js';
import type { TaskFenceRequest, TaskRef } from './gen/resonate_grpc/v1/task.js';
import { answerDeadlineMs, type Lease } from './lease.js';
import type { Log } from './log.js';
import { RunOver } from './outcomes.js';
import { isSettled, present } from './records.js';

/** How long a task that the worker does not finish may take to be given back, in ms. */
const ABANDON_MS = 2_000;

/**
 * The calls of a task's holder. While the server or the network is in trouble they are repeated with back-off, for as long as the
 * lease may be relied on. A refusal that shows another holder, or none, ends the run as lost; any other error is the caller's.
 */
export class Holder {
  constructor(
    private readonly client: ResonateClient,
    private readonly pid: string,
    readonly lease: Lease,
    private readonly log: Log,
  ) {}

  /** Reads a promise. */
  get(id: string): Promise<PromiseRecord> {
    return this.#call(async (options) => present((await this.client.promiseGet({ id }, options)).promise));
  }

  /** Creates a promise if the task is still held. */
  create(spec: PromiseSpec): Promise<PromiseRecord> {
    return this.#fence({ $case: 'create', value: spec });
  }

  /** Settles a promise if the task is still held. */
  settle(settlement: PromiseSettlement): Promise<PromiseRecord> {
    return this.#fence({ $case: 'settle', value: settlement });
  }

  /** Parks the task until one of the promises settles, which ends the run; or returns because one is settled already. */
  async suspend(awaitedIds: string[]): Promise<void> {
    const outcome = await this.#givingUp(async (options) => {
      return (await this.client.taskSuspend({ ...this.#task, awaitedIds }, options)).outcome;
    });
    if (outcome?.$case !== 'ready') throw this.lease.end(new RunOver('suspended'));
  }

  /** Settles the task's own promise and returns it, with the outcome that stands. */
  fulfill(settlement: Pick<PromiseSettlement, 'state' | 'value'>): Promise<PromiseRecord> {
    const { id } = this.#task;
    return this.#givingUp(
      async (options) => present((await this.client.taskFulfill({ ...this.#task, ...settlement }, options)).promise),
      // An earlier answer was lost: if the promise is settled, the task is done, whoever settled it.
      async (options) => {
        const { promise } = await this.client.promiseGet({ id }, options);
        return promise && isSettled(promise) ? promise : undefined;
      },
    );
  }

  /** Gives the task back, to be pushed again at once. */
  async release(): Promise<void> {
    await this.#givingUp((options) => this.client.taskRelease(this.#task, options));
  }

  /** Gives the task back after the end of the run: one try, and no harm if it fails, since the lease runs out. */
  async abandon(): Promise<void> {
    try {
      await this.client.taskRelease(this.#task, { deadlineMs: ABANDON_MS });
    } catch (error) {
      this.log.warn({ taskId: this.#task.id, err: error }, 'task was not given back');
    }
  }

  get #task(): TaskRef {
    return this.lease.task;
  }

  async #fence(action: NonNullable<TaskFenceRequest['action']>): Promise<PromiseRecord> {
    const outcome = await this.#call(async (options) => {
      return (await this.client.taskFence({ ...this.#task, action }, options)).outcome;
    });
    if (outcome?.$case === 'refusal') throw fromRefusal(outcome.value);
    return present(outcome?.value);
  }

  async #givingUp<T>(attempt: Attempt<T>, afterLostAnswer?: Attempt<T | undefined>): Promise<T> {
    this.lease.givingUp = true;
    try {
      return await this.#call(attempt, afterLostAnswer);
    } finally {
      this.lease.givingUp = false;
    }
  }

  /** `afterLostAnswer` looks whether a call that is refused now had taken effect before, when its answer was lost. */
  async #call<T>(attempt: Attempt<T>, afterLostAnswer?: Attempt<T | undefined>): Promise<T> {
    const { lease } = this;
    for (let failures = 0; ; failures += 1) {
      lease.check();
      try {
        return await attempt(this.#options());
      } catch (error) {
        lease.check();
        if (this.#isRefused(error)) {
          const outcome = failures > 0 ? await afterLostAnswer?.(this.#options()) : undefined;
          if (outcome !== undefined) return outcome;
          throw lease.end(new RunOver('lost', { cause: error }));
        }
        if (!isTransient(error) && !this.#isHolder(error)) throw error;
        this.log.debug({ taskId: this.#task.id, code: error.code, reason: error.reason }, 'call will be repeated');
        await sleep(this.client.clock, backoffDelay(CALL_BACKOFF, failures, this.client.clock), lease.signal);
      }
    }
  }

  /** The task is no longer ours to write. A promise that is not live will not be again, whoever holds its task. */
  #isRefused(error: unknown): boolean {
    if (!(error instanceof ResonateError)) return false;
    if (error.reason === 'TASK_NOT_FOUND' || error.reason === 'PROMISE_NOT_LIVE') return true;
    return error.code === Code.ABORTED && !this.#isHolder(error);
  }

  #isHolder(error: unknown): error is ResonateError {
    return error instanceof ResonateError && showsHolder(error, this.pid, this.#task.version);
  }

  #options(): CallOptions {
    const { ttlMs, leftMs, signal } = this.lease;
    return { deadlineMs: Math.min(answerDeadlineMs(ttlMs), leftMs), signal };
  }
}

type Attempt<T> = (options: CallOptions) => Promise<T>;
