/** A writer on a memory store, with a clock and timers that a test holds in its hands. */
import { Clock } from '../../src/engine/clock.js';
import { Writer } from '../../src/engine/writer.js';
import { TARGET_TAG, type PromiseObject } from '../../src/protocol/objects.js';
import type { Operation, OperationName, OutcomeOf } from '../../src/protocol/operations.js';
import { isRefusal } from '../../src/protocol/outcome.js';
import { MemoryStore } from '../../src/store/memory.js';
import type { Committed, Store, StoreTx } from '../../src/store/store.js';
import { ManualTimers } from '../dispatch/harness.js';

/** Where the wall clock starts. */
export const START = 1_000_000;
/** A deadline that no test reaches. */
export const FAR = START + 1_000_000_000;
export const RETRY = 5_000;
export const RETENTION = 600_000;

/** A memory store that counts its transactions, and fails when told to. */
export class ProbedStore extends MemoryStore {
  transactions = 0;
  /** Thrown by the next commits, after their work has run. */
  commitFailure: Error | undefined;
  /** Ids whose promises cannot be read. */
  readonly broken = new Set<string>();

  override transact<T>(work: (tx: StoreTx) => T): Committed<T> {
    this.transactions++;
    return super.transact((tx) => {
      const guarded = new Proxy(tx, { get: (target, name) => this.#guard(target, name) });
      const result = work(guarded);
      if (this.commitFailure !== undefined) throw this.commitFailure;
      return result;
    });
  }

  #guard(tx: StoreTx, name: string | symbol): unknown {
    const member: unknown = Reflect.get(tx, name);
    if (typeof member !== 'function') return member;
    return (...args: unknown[]): unknown => {
      if (name === 'getPromise' && this.broken.has(args[0] as string)) throw new Error('a broken record');
      return Reflect.apply(member as (...args: unknown[]) => unknown, tx, args);
    };
  }
}

/** Lets the event loop turn until what has been submitted has run: a batch waits for one poll phase, timeouts for two. */
export async function batchRun(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export class EngineFixture {
  readonly store: ProbedStore;
  readonly timers = new ManualTimers();
  readonly clock: Clock;
  readonly writer: Writer;
  readonly fatal: Error[] = [];

  constructor(
    store: Store = new ProbedStore({ config: { retryTimeout: RETRY, nextCron: (_, after) => after + 1000 } }),
  ) {
    this.store = store as ProbedStore;
    const mark = this.store.transact((tx) => tx.getClockMark()).result;
    this.clock = new Clock({ mark, wall: () => START + this.timers.now, monotonic: () => this.timers.now });
    this.writer = new Writer({
      store: this.store,
      clock: this.clock,
      timers: this.timers,
      unblockRetention: RETENTION,
      onFatal: (error) => this.fatal.push(error),
    });
  }

  submit<N extends OperationName>(name: N, request: Operation<N>['request']): Promise<OutcomeOf<N>> {
    return this.writer.submit({ name, request });
  }

  create(id: string, timeoutAt = FAR, tags: Record<string, string> = {}): Promise<OutcomeOf<'promise.create'>> {
    return this.submit('promise.create', {
      id,
      timeoutAt,
      param: { headers: new Map() },
      tags: new Map(Object.entries(tags)),
    });
  }

  createTask(id: string, timeoutAt = FAR): Promise<OutcomeOf<'promise.create'>> {
    return this.create(id, timeoutAt, { [TARGET_TAG]: 'workers' });
  }

  async get(id: string): Promise<PromiseObject> {
    const outcome = await this.submit('promise.get', { id });
    if (isRefusal(outcome)) throw new Error(outcome.message);
    return outcome.promise;
  }

  /** As stored, not projected. */
  stored(id: string): PromiseObject | undefined {
    return this.store.read((tx) => tx.getPromise(id));
  }

  /** Lets the time pass, timers and batches run, in steps no longer than the engine's own tick. */
  async pass(ms: number): Promise<void> {
    const until = this.timers.now + ms;
    for (;;) {
      const fired = this.timers.turn(until);
      await batchRun();
      if (!fired && !this.timers.turn(until)) break;
    }
    this.timers.now = until;
  }
}
