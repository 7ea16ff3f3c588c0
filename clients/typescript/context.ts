import { SettleState, type PromiseRecord } from './gen/resonate_grpc/v1/promise.js';
import type { TaskRef } from './gen/resonate_grpc/v1/task.js';
import type { Holder } from './holder.js';
import { isSettled } from './records.js';
import { decodeJson, toValue } from './value.js';
import { toPromiseSpec, type WorkSpec } from './work.js';

/**
 * What a handler gets. Its writes are fenced: they happen only while this process holds the task. Every call throws `RunOver`
 * once the run is over (see there), a `ResonateError` when the server refuses it, and otherwise waits out troubles of the server
 * and the network for as long as the lease lasts.
 */
export class TaskContext {
  constructor(
    private readonly holder: Holder,
    /** The promise that the handler is to fulfil, as it was when the task was acquired. */
    readonly promise: PromiseRecord,
  ) {}

  /** The task, with the version that it is held under. */
  get task(): TaskRef {
    return this.holder.lease.task;
  }

  /** Aborts with a `RunOver` when the run is over: stop what you are doing. */
  get signal(): AbortSignal {
    return this.holder.lease.signal;
  }

  /** The promise's input, decoded from JSON. Throws a SyntaxError if it is not JSON: see `promise.param` then. */
  get param(): unknown {
    return decodeJson(this.promise.param);
  }

  /**
   * Creates a promise, and its task if the work has a target; or finds it under its id, as it stands. Without a deadline it gets
   * this task's own.
   */
  create(work: WorkSpec): Promise<PromiseRecord> {
    return this.holder.create(toPromiseSpec(work, this.promise.timeoutAtMs));
  }

  /**
   * Settles a promise, by default as resolved, and returns it with the outcome that stands, which may be an earlier one. Throws
   * NOT_FOUND for an unknown promise.
   */
  settle(settlement: { id: string; state?: SettleState; value?: unknown }): Promise<PromiseRecord> {
    const { id, state = SettleState.SETTLE_STATE_RESOLVED, value } = settlement;
    return this.holder.settle({ id, state, value: toValue(value) });
  }

  /** Reads a promise. Throws NOT_FOUND for an unknown one. */
  get(id: string): Promise<PromiseRecord> {
    return this.holder.get(id);
  }

  /**
   * The promises, settled, in order. If one is pending, the task is suspended and the run is over: the handler is called again
   * from its start, and then finds the outcomes that it waited for. Of records only those that are pending are read again.
   */
  async awaitAll(awaited: readonly (string | PromiseRecord)[]): Promise<PromiseRecord[]> {
    const take = (each: string | PromiseRecord) => (typeof each === 'string' ? this.get(each) : Promise.resolve(each));
    let records = await Promise.all(awaited.map(take));
    for (;;) {
      // The task waits for the first pending one only. All must settle, so none is missed; and being resumed for each of a hundred
      // children would run the handler a hundred times.
      const pending = records.find((record) => !isSettled(record));
      if (!pending) return records;
      await this.holder.suspend([pending.id]);
      records = await Promise.all(records.map((record) => take(isSettled(record) ? record : record.id)));
    }
  }

  /** Waits until an instant, in ms since the Unix epoch, on a timer promise with this id: the task is suspended meanwhile. */
  async sleep(id: string, untilMs: number): Promise<void> {
    await this.awaitAll([await this.create({ id, timeoutAtMs: untilMs, tags: { 'resonate:timer': 'true' } })]);
  }
}
