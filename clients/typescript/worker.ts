import { setMaxListeners } from 'node:events';
import { Acknowledger } from './acknowledger.js';
import { ATTEMPT_BACKOFF, type Backoff } from './backoff.js';
import { ResonateClient } from './client.js';
import { sleep } from './clock.js';
import type { ClientOptions } from './connection.js';
import { deferred } from './deferred.js';
import { DispatchStream } from './dispatch-stream.js';
import type { ResonateError } from './errors.js';
import { Failures } from './failures.js';
import type { DispatchExecute, DispatchHello, DispatchUnblock } from './gen/resonate_grpc/v1/dispatch.js';
import type { PromiseRecord } from './gen/resonate_grpc/v1/promise.js';
import { Heartbeats } from './heartbeats.js';
import { silentLog, type Log } from './log.js';
import { newPid } from './pid.js';
import { present } from './records.js';
import { Run, type Handler, type RunEnvironment } from './run.js';

/** A worker: whose tasks it does, how many, and how. */
export type WorkerOptions = ({ readonly client: ResonateClient } | ClientOptions) & {
  /** Whose tasks to do: the group of their targets. */
  readonly group: string;
  /** Unique among the processes, and the same for the life of this one. Absent: a new one. */
  readonly pid?: string;
  /** How many tasks to hold at one time, at least 1. Absent: 16. */
  readonly maxInFlight?: number;
  /** How long the server leaves a task with a worker that it does not hear from, in ms. Absent: 30,000. */
  readonly ttl?: number;
  readonly handler: Handler;
  /** How long to hold a task whose handler threw before giving it back. Absent: 1 s, doubled up to 60 s. */
  readonly attemptBackoff?: Backoff;
  /** Called for promises that settled and that an address of this worker listens to; acknowledged unless it throws. */
  readonly onUnblock?: (promise: PromiseRecord, address: string) => unknown;
  /** Absent: nothing is reported. */
  readonly log?: Log;
};

/** For `Worker.stop`. */
export interface StopOptions {
  /** How long the handlers that run may go on, in ms. Absent: 10,000. */
  readonly graceMs?: number;
}

const DEFAULT_MAX_IN_FLIGHT = 16;
const DEFAULT_TTL_MS = 30_000;
const DEFAULT_GRACE_MS = 10_000;
/** The server learns of a drain at once or not at all. */
const DRAIN_CALL_MS = 2_000;

/** Does the tasks of a group as the server pushes them. */
export class Worker {
  readonly group: string;
  readonly pid: string;
  /** Resolves when the worker has stopped. Rejects if it had to: another process has its pid, or its options are refused. */
  readonly done: Promise<void>;
  readonly #client: ResonateClient;
  readonly #ownsClient: boolean;
  readonly #maxInFlight: number;
  readonly #log: Log;
  readonly #stream: DispatchStream;
  readonly #acknowledger: Acknowledger;
  readonly #onUnblock: WorkerOptions['onUnblock'];
  readonly #env: RunEnvironment;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, { readonly run: Run; readonly over: Promise<void> }>();
  /** What was pushed and waits for a free place, or for the end of an earlier run of the same task: task id to version. */
  readonly #offers = new Map<string, number>();
  readonly #started = deferred();
  readonly #done = deferred();
  #sessionId: string | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    const { group, maxInFlight = DEFAULT_MAX_IN_FLIGHT, ttl = DEFAULT_TTL_MS, log = silentLog } = options;
    if (!Number.isInteger(maxInFlight) || maxInFlight < 1) throw new RangeError('maxInFlight must be at least 1');
    if (!Number.isInteger(ttl) || ttl < 1) throw new RangeError('ttl must be at least 1 ms, and whole');
    setMaxListeners(0, this.#stopping.signal);
    this.group = group;
    this.pid = options.pid ?? newPid();
    this.done = this.#done.promise;
    this.#maxInFlight = maxInFlight;
    this.#log = log;
    this.#ownsClient = !('client' in options);
    const client = 'client' in options ? options.client : new ResonateClient(options);
    this.#client = client;
    this.#env = {
      client,
      pid: this.pid,
      ttlMs: ttl,
      handler: options.handler,
      attemptBackoff: options.attemptBackoff ?? ATTEMPT_BACKOFF,
      heartbeats: new Heartbeats(client, this.pid, ttl, log),
      failures: new Failures(),
      log,
      stopping: this.#stopping.signal,
    };
    this.#onUnblock = options.onUnblock;
    this.#acknowledger = new Acknowledger(client, log);
    const listener = {
      hello: (hello: DispatchHello) => this.#hello(hello),
      execute: (execute: DispatchExecute) => this.#offer(execute),
      unblock: (unblock: DispatchUnblock) => void this.#unblock(unblock),
      lapsed: () => this.#lapsed(),
      failed: (error: ResonateError) => this.#fail(error),
    };
    this.#stream = new DispatchStream(client, { group, pid: this.pid, maxInFlight }, listener, log);
  }

  /** Opens the stream. Resolves once the server has said hello, however long that takes; rejects if the worker had to stop. */
  start(): Promise<void> {
    this.#stream.start();
    return this.#started.promise;
  }

  /**
   * Drains: takes nothing new, lets the handlers that run go on for the grace period, gives back what is left, and closes. Safe to
   * call twice.
   */
  stop({ graceMs = DEFAULT_GRACE_MS }: StopOptions = {}): Promise<void> {
    this.#stopped ??= this.#drain(graceMs).then(() => {
      this.#started.resolve();
      this.#done.resolve();
    });
    return this.#stopped;
  }

  /** Drains on the first of these signals; a second one ends the process as it would without this. */
  drainOnSignals(signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'], options: StopOptions = {}): this {
    const drain = (signal: NodeJS.Signals): void => {
      for (const each of signals) process.off(each, drain);
      this.#log.info({ signal }, 'draining');
      void this.stop(options);
    };
    for (const signal of signals) process.on(signal, drain);
    void this.done.catch(() => {}).finally(() => signals.forEach((signal) => process.off(signal, drain)));
    return this;
  }

  #hello({ sessionId }: DispatchHello): void {
    this.#sessionId = sessionId;
    this.#log.info({ group: this.group, pid: this.pid, sessionId }, 'worker connected');
    this.#started.resolve();
    if (this.#stopping.signal.aborted) void this.#announceDrain();
    // The server may have been away for most of a lease.
    void this.#env.heartbeats.beat();
  }

  #offer({ taskId, version }: DispatchExecute): void {
    if (this.#stopping.signal.aborted) return;
    const running = this.#running.get(taskId)?.run;
    if (running && version < running.version) return; // The push that this run came from, once more.
    running?.offeredAgain();
    this.#offers.set(taskId, version);
    this.#next();
  }

  /** Begins what there is room for, oldest first. */
  #next(): void {
    for (const [taskId, version] of this.#offers) {
      if (this.#running.size >= this.#maxInFlight) return;
      if (this.#running.has(taskId)) continue;
      this.#offers.delete(taskId);
      this.#begin({ taskId, version });
    }
  }

  #begin(execute: DispatchExecute): void {
    const run = new Run(this.#env, execute);
    const over = run.perform().then(() => {
      this.#running.delete(execute.taskId);
      this.#next();
    });
    this.#running.set(execute.taskId, { run, over });
  }

  #lapsed(): void {
    this.#sessionId = undefined;
    this.#offers.clear();
  }

  async #unblock({ promise, address }: DispatchUnblock): Promise<void> {
    const record = present(promise);
    try {
      await this.#onUnblock?.(record, address);
    } catch (error) {
      // Not acknowledged: the server sends it again on the next stream.
      return this.#log.warn({ promiseId: record.id, err: error }, 'unblock was not handled');
    }
    this.#acknowledger.acknowledge({ promiseId: record.id, address });
  }

  async #drain(graceMs: number): Promise<void> {
    this.#stopping.abort();
    this.#offers.clear();
    await this.#announceDrain();
    const running = [...this.#running.values()];
    const finished = new AbortController();
    const over = Promise.all(running.map((each) => each.over)).then(() => finished.abort());
    await sleep(this.#client.clock, graceMs, finished.signal);
    for (const { run } of running) run.stop();
    await over;
    await this.#acknowledger.finish();
    this.#stream.stop();
    if (this.#ownsClient) this.#client.close();
    this.#log.info({ group: this.group, pid: this.pid }, 'worker stopped');
  }

  async #announceDrain(): Promise<void> {
    const sessionId = this.#sessionId;
    if (sessionId === undefined) return;
    try {
      await this.#client.dispatchDrain({ sessionId }, { deadlineMs: DRAIN_CALL_MS });
    } catch (error) {
      this.#log.warn({ err: error }, 'drain was not announced');
    }
  }

  #fail(error: ResonateError): void {
    // Whoever awaits start() learns it there; later it is done that rejects, and nobody listening is an unhandled rejection.
    if (this.#started.reject(error)) this.done.catch(() => {});
    this.#stopped ??= this.#drain(0).then(() => void this.#done.reject(error));
  }
}
