import { acquire } from './acquire.js';
import { backoffDelay, type Backoff } from './backoff.js';
import type { ResonateClient } from './client.js';
import { sleep } from './clock.js';
import { TaskContext } from './context.js';
import type { Failures } from './failures.js';
import type { DispatchExecute } from './gen/resonate_grpc/v1/dispatch.js';
import { SettleState, type PromiseSettlement } from './gen/resonate_grpc/v1/promise.js';
import type { Heartbeats } from './heartbeats.js';
import { Holder } from './holder.js';
import type { Lease } from './lease.js';
import type { Log } from './log.js';
import { Reject, RunOver } from './outcomes.js';
import { toValue } from './value.js';

/** Does a task's work: what it returns resolves the promise, a `Reject` that it throws rejects it, anything else is retried. */
export type Handler = (context: TaskContext) => unknown;

/** What all runs of a worker share. */
export interface RunEnvironment {
  readonly client: ResonateClient;
  readonly pid: string;
  readonly ttlMs: number;
  readonly handler: Handler;
  readonly attemptBackoff: Backoff;
  readonly heartbeats: Heartbeats;
  readonly failures: Failures;
  readonly log: Log;
  /** Aborts when the worker begins to drain: nothing new is begun. */
  readonly stopping: AbortSignal;
}

/** One run of the handler for one task: acquire, work, and fulfil, suspend or release. */
export class Run {
  /** The version that the task is held under, once it is acquired. */
  readonly version: number;
  #lease: Lease | undefined;

  constructor(
    private readonly env: RunEnvironment,
    private readonly execute: DispatchExecute,
  ) {
    this.version = execute.version + 1;
  }

  /** Never throws. */
  async perform(): Promise<void> {
    const { env } = this;
    try {
      const acquired = await acquire(env, this.execute);
      if (!acquired) return;
      const { lease, promise, adopted } = acquired;
      this.#lease = lease;
      env.heartbeats.add(lease);
      if (adopted) void env.heartbeats.beat();
      const holder = new Holder(env.client, env.pid, lease, env.log);
      try {
        await this.#work(holder, new TaskContext(holder, promise));
      } finally {
        if (lease.over?.end === 'stopped') await holder.abandon();
        env.heartbeats.remove(lease);
        lease.end(new RunOver('finished'));
      }
    } catch (error) {
      this.#report(error);
    }
  }

  /** Ends the handler and gives the task back. */
  stop(): void {
    this.#lease?.end(new RunOver('stopped'));
  }

  /** The server offers the task again under the version that this run holds: unless it is giving it up, it has lost it. */
  offeredAgain(): void {
    if (!this.#lease?.givingUp) this.#lease?.end(new RunOver('lost'));
  }

  async #work(holder: Holder, context: TaskContext): Promise<void> {
    const { env } = this;
    const { task } = context;
    if (env.stopping.aborted) return holder.release();
    try {
      await holder.fulfill(await this.#attempt(holder.lease, context));
      env.failures.clear(task.id);
      env.log.debug({ taskId: task.id, version: task.version }, 'task fulfilled');
    } catch (error) {
      holder.lease.check();
      // The handler failed, or the server does not take its outcome.
      const delayMs = backoffDelay(env.attemptBackoff, env.failures.add(task.id), env.client.clock);
      env.log.warn({ taskId: task.id, version: task.version, err: error, delayMs }, 'attempt failed');
      await sleep(env.client.clock, delayMs, AbortSignal.any([holder.lease.signal, env.stopping]));
      await holder.release();
    }
  }

  async #attempt(lease: Lease, context: TaskContext): Promise<Pick<PromiseSettlement, 'state' | 'value'>> {
    try {
      // Not only what the handler makes of the end of its run: a handler that hangs must not keep its place.
      const result = await Promise.race([this.#handle(context), ended(lease)]);
      return { state: SettleState.SETTLE_STATE_RESOLVED, value: toValue(result) };
    } catch (error) {
      lease.check();
      if (!(error instanceof Reject)) throw error;
      return { state: SettleState.SETTLE_STATE_REJECTED, value: toValue(error.value) };
    }
  }

  async #handle(context: TaskContext): Promise<unknown> {
    return await this.env.handler(context);
  }

  #report(error: unknown): void {
    const { env } = this;
    const fields = { taskId: this.execute.taskId, version: this.version };
    if (!(error instanceof RunOver)) return env.log.error({ ...fields, err: error }, 'task dropped');
    if (error.end === 'suspended') {
      env.failures.clear(this.execute.taskId);
      env.log.debug(fields, 'task suspended');
    } else {
      env.log.warn({ ...fields, end: error.end, err: error.cause }, 'task dropped');
    }
  }
}

/** Rejects when the run is over. */
function ended({ signal }: Lease): Promise<never> {
  return new Promise((_, reject) => {
    const over = (): void => reject(signal.reason as RunOver);
    if (signal.aborted) over();
    else signal.addEventListener('abort', over);
  });
}
