/** A dispatcher on a memory store, with timers and streams that a test holds in its hands. */
import { promiseTimeout, taskLease, taskRetry } from '../../src/protocol/actions/02-timeouts.js';
import { execute, type Operation, type OperationName, type OutcomeOf } from '../../src/protocol/operations.js';
import { EMPTY_VALUE, TARGET_TAG } from '../../src/protocol/objects.js';
import { Dispatcher, type SessionInfo } from '../../src/dispatch/dispatcher.js';
import type { DispatchConfig } from '../../src/dispatch/config.js';
import type { Session, SessionRequest } from '../../src/dispatch/session.js';
import type { EndReason, SessionEvent, SessionStream } from '../../src/dispatch/session-stream.js';
import type { Engine } from '../../src/engine/engine.js';
import type { Timer, Timers } from '../../src/engine/timers.js';
import { MemoryStore } from '../../src/store/memory.js';
import type { Change, Store, StoreTx } from '../../src/store/store.js';

export const RETRY_TIMEOUT = 5_000;
export const PING_INTERVAL = 15_000;
/** A deadline that no test reaches. */
export const FAR = 1e12;

/** Time stands still until it is advanced. */
export class ManualTimers implements Timers {
  now = 0;
  readonly #pending: { dueAt: number; callback: () => void }[] = [];

  after(ms: number, callback: () => void): Timer {
    const timer = { dueAt: this.now + ms, callback };
    this.#pending.push(timer);
    return { cancel: () => this.#remove(timer) };
  }

  get size(): number {
    return this.#pending.length;
  }

  /** Runs the earliest timer that is due by then, as one turn of the event loop. False if there is none. */
  turn(until: number): boolean {
    const next = this.#pending.reduce<{ dueAt: number; callback: () => void } | undefined>(
      (first, timer) => (timer.dueAt <= until && (first === undefined || timer.dueAt < first.dueAt) ? timer : first),
      undefined,
    );
    if (next === undefined) return false;
    this.#remove(next);
    this.now = Math.max(this.now, next.dueAt);
    next.callback();
    return true;
  }

  #remove(timer: { dueAt: number; callback: () => void }): void {
    const place = this.#pending.indexOf(timer);
    if (place >= 0) this.#pending.splice(place, 1);
  }
}

/** The handlers on a store, one transaction per operation, without any waiting. */
export class TestEngine implements Engine {
  readonly store: Store;
  readonly timers: ManualTimers;
  readonly #listeners: ((changes: readonly Change[]) => void)[] = [];
  /** What `retryTasks` was asked for. */
  readonly retried: string[] = [];
  /** Makes what the dispatcher asks for fail. */
  fault: Error | undefined;
  /** Holds retries back until it is resolved. */
  gate: Promise<void> = Promise.resolve();

  constructor(store: Store, timers: ManualTimers) {
    this.store = store;
    this.timers = timers;
  }

  run<N extends OperationName>(name: N, request: Operation<N>['request']): OutcomeOf<N> {
    return this.transact((tx) => execute(tx, { name, request }, this.now()));
  }

  transact<T>(work: (tx: StoreTx) => T): T {
    const { result, changes } = this.store.transact(work);
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
    return result;
  }

  submit<N extends OperationName>(operation: Operation<N>): Promise<OutcomeOf<N>> {
    return Promise.resolve(this.run(operation.name, operation.request));
  }

  async acknowledgeUnblocks(refs: readonly { promiseId: string; address: string }[]): Promise<void> {
    await Promise.resolve();
    if (this.fault !== undefined) throw this.fault;
    this.transact((tx) => refs.forEach(({ promiseId, address }) => tx.deleteUnblock(promiseId, address)));
  }

  async retryTasks(taskIds: readonly string[]): Promise<void> {
    this.retried.push(...taskIds);
    await this.gate;
    if (this.fault !== undefined) throw this.fault;
    this.transact((tx) => taskIds.forEach((id) => taskRetry(tx, id, this.now())));
  }

  /** Fires the due promise timeouts and leases, as the engine would by the clock. */
  fireDue(): void {
    for (const { id } of this.store.dueTimeouts('promise', this.now(), 1000))
      this.transact((tx) => promiseTimeout(tx, id, this.now()));
    for (const { id } of this.store.dueTimeouts('task', this.now(), 1000))
      this.transact((tx) => taskLease(tx, id, this.now()) || taskRetry(tx, id, this.now()));
  }

  onCommit(listener: (changes: readonly Change[]) => void): void {
    this.#listeners.push(listener);
  }

  now(): number {
    return this.timers.now;
  }
}

/** A client's side: it takes every frame at once unless it is told not to read. */
export class FakeStream implements SessionStream {
  readonly events: SessionEvent[] = [];
  /** How many events each frame had. */
  readonly frames: number[] = [];
  readonly timers: ManualTimers;
  reads = true;
  fails = false;
  ended: EndReason | undefined;
  #unsent: { bytes: number; written: (() => void) | undefined }[] = [];
  #isClosed = false;
  #onProgress: () => void = () => {};
  #onClose: () => void = () => {};

  constructor(timers: ManualTimers) {
    this.timers = timers;
  }

  get unsentFrames(): number {
    return this.#unsent.length;
  }

  get unsentBytes(): number {
    return this.#unsent.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  send(events: readonly SessionEvent[], written?: () => void): void {
    if (this.#isClosed || this.ended !== undefined) return;
    if (this.fails) throw new Error('cannot be encoded');
    this.events.push(...events);
    this.frames.push(events.length);
    this.#unsent.push({ bytes: events.reduce((sum, event) => sum + sizeOf(event), 0), written });
    if (this.reads) this.timers.after(0, () => this.read());
  }

  /** The transport takes a frame. */
  read(): void {
    if (this.#isClosed) return;
    const frame = this.#unsent.shift();
    if (frame === undefined) return;
    frame.written?.();
    this.#onProgress();
  }

  onProgress(listener: () => void): void {
    this.#onProgress = listener;
  }

  onClose(listener: () => void): void {
    this.#onClose = listener;
    if (this.#isClosed) listener();
  }

  end(reason: EndReason): void {
    this.ended ??= reason;
  }

  /** The connection is gone. */
  cut(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
  }

  get hello(): SessionEvent & { kind: 'hello' } {
    const [first] = this.events;
    if (first?.kind !== 'hello') throw new Error('the first event is not hello');
    return first;
  }

  /** The tasks pushed so far, in order. */
  get pushed(): string[] {
    return this.events.flatMap((event) => (event.kind === 'execute' ? [event.taskId] : []));
  }

  /** The promises of the unblocks sent so far, in order. */
  get unblocked(): string[] {
    return this.events.flatMap((event) => (event.kind === 'unblock' ? [event.promise.id] : []));
  }

  /** How many events of a kind there were. */
  count(kind: SessionEvent['kind']): number {
    return this.events.filter((event) => event.kind === kind).length;
  }
}

function sizeOf(event: SessionEvent): number {
  return event.kind === 'unblock' ? 100 + (event.promise.value.data?.length ?? 0) : 100;
}

/** One open session as a test sees it. */
export interface Client {
  readonly session: Session;
  readonly stream: FakeStream;
  readonly pid: string;
}

/** The parts of a `resonate` server that delivery is made of. */
export class Harness {
  readonly timers = new ManualTimers();
  readonly store: Store;
  readonly engine: TestEngine;
  readonly logged: string[] = [];
  dispatcher: Dispatcher;
  readonly #config: Partial<DispatchConfig>;

  constructor(config: Partial<DispatchConfig> = {}, store?: Store) {
    this.#config = { retryTimeout: RETRY_TIMEOUT, pingInterval: PING_INTERVAL, ...config };
    this.store = store ?? new MemoryStore({ config: { retryTimeout: RETRY_TIMEOUT, nextCron: () => undefined } });
    this.engine = new TestEngine(this.store, this.timers);
    this.dispatcher = this.#start();
  }

  /** A new process on the same data: the old one's dispatcher is gone without a word. */
  restart(): void {
    this.dispatcher.close();
    this.dispatcher = this.#start();
  }

  #start(): Dispatcher {
    const note = (_: object, message: string) => void this.logged.push(message);
    return new Dispatcher({
      store: this.store,
      engine: this.engine,
      timers: this.timers,
      config: this.#config,
      log: { info: () => {}, warn: note, error: note },
      random: () => 0,
    });
  }

  /** Opens a session, in group `g` if nothing else is said. Nothing is delivered yet. */
  open(pid: string, request: Partial<SessionRequest> = {}, prepare: (stream: FakeStream) => void = () => {}): Client {
    const stream = new FakeStream(this.timers);
    prepare(stream);
    const session = this.dispatcher.open({ group: 'g', pid, autoAcknowledge: false, ...request }, stream);
    return { session, stream, pid };
  }

  /** Lets everything happen that needs no time to pass. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 2;) {
      quiet = this.timers.turn(this.timers.now) ? 0 : quiet + 1;
      await microtasks();
    }
  }

  /** Lets time pass, with everything that happens in it. */
  async advance(ms: number): Promise<void> {
    const until = this.timers.now + ms;
    for (let quiet = 0; quiet < 2;) {
      quiet = this.timers.turn(until) ? 0 : quiet + 1;
      await microtasks();
    }
    this.timers.now = until;
    await this.settle();
  }

  create(id: string, target = 'any@g', tags: Record<string, string> = {}): void {
    const all = new Map(Object.entries({ [TARGET_TAG]: target, ...tags }));
    this.engine.run('promise.create', { id, timeoutAt: FAR, param: EMPTY_VALUE, tags: all });
  }

  /** A promise without a task, that the address listens to. */
  listen(id: string, address = 'any@g'): void {
    this.engine.run('promise.create', { id, timeoutAt: FAR, param: EMPTY_VALUE, tags: new Map() });
    this.engine.run('promise.register_listener', { awaitedId: id, address });
  }

  resolve(id: string, bytes = 0): void {
    const value = { headers: new Map(), data: new Uint8Array(bytes) };
    this.engine.run('promise.settle', { id, state: 'resolved', value });
  }

  /** Acquires the task at the version that it has. Its status. */
  acquire(id: string, pid: string, ttl = 60_000): number {
    return this.engine.run('task.acquire', { id, version: this.task(id).version, pid, ttl }).status;
  }

  fulfill(id: string): number {
    const { version } = this.task(id);
    return this.engine.run('task.fulfill', { id, version, state: 'resolved', value: EMPTY_VALUE }).status;
  }

  release(id: string): number {
    return this.engine.run('task.release', { id, version: this.task(id).version }).status;
  }

  task(id: string) {
    const task = this.store.read((tx) => tx.getTask(id));
    if (task === undefined) throw new Error(`no task ${id}`);
    return task;
  }

  /** What the dispatcher says about a session. */
  info({ session }: Client): SessionInfo {
    const info = this.dispatcher.sessions().find(({ id }) => id === session.id);
    if (info === undefined) throw new Error(`no session of ${session.pid}`);
    return info;
  }
}

/** Lets promises that are resolved already have their say. */
async function microtasks(): Promise<void> {
  for (let i = 0; i < 8; i++) await Promise.resolve();
}
