/** A world to run operations in: a memory store, a clock that stands still, and comparisons of the whole state. */
import { expect } from 'chai';
import { DELAY_TAG, TARGET_TAG, TIMER_TAG, type TaskTimeout, type Value } from '../../src/protocol/objects.js';
import { execute, isRead, type OperationName, type OutcomeOf, type RequestOf } from '../../src/protocol/operations.js';
import { isRefusal, type Reason } from '../../src/protocol/outcome.js';
import type { PromiseSpec } from '../../src/protocol/requests.js';
import type { Config } from '../../src/protocol/tx.js';
import { MemoryStore } from '../../src/store/memory.js';
import type { Change, StoreTx } from '../../src/store/store.js';
import { plain } from '../store/plain.js';

/** Where each world's clock starts. */
export const NOW = 1_000_000;
/** A deadline that no test reaches unless it wants to. */
export const FAR = NOW + 1_000_000;
export const RETRY = 5000;
export const MAX = Number.MAX_SAFE_INTEGER;
/** The group that tasks are sent to. */
export const WORKER = 'worker';

/** `every N`: the multiples of N. `once N`: only N. Real expressions are the business of whoever provides `nextCron`. */
const config: Config = {
  retryTimeout: RETRY,
  nextCron(cron, after) {
    const [word, number] = cron.split(' ');
    const n = Number(number);
    if (word === 'once') return n > after ? n : undefined;
    return (Math.floor(after / n) + 1) * n;
  },
};

export type Fields = Readonly<Record<string, unknown>>;

/** Everything in the store, keyed by id; `callbacks`, `listeners` and `resumes` stand in their objects. */
export interface State {
  readonly promises: Readonly<Record<string, Fields>>;
  readonly tasks: Readonly<Record<string, Fields>>;
  readonly schedules: Readonly<Record<string, Fields>>;
  /** `task version → address`, oldest first. */
  readonly executes: readonly string[];
  /** `promise → address`, oldest first. */
  readonly unblocks: readonly string[];
}

/** How the state after differs from the state before. What it does not name is unchanged. */
export interface Difference {
  /** Fields to set; one that is undefined is removed. */
  readonly promises?: Readonly<Record<string, Fields>>;
  readonly tasks?: Readonly<Record<string, Fields>>;
  /** Undefined: deleted. */
  readonly schedules?: Readonly<Record<string, Fields | undefined>>;
  readonly executes?: readonly string[];
  readonly unblocks?: readonly string[];
  /** The changes reported by the store. None unless given. */
  readonly changes?: readonly string[];
}

/** A refusal: its status, reason and metadata. */
export type Refused = readonly [status: number, reason: Reason, metadata: Readonly<Record<string, string>>];

export class World {
  readonly store = new MemoryStore({ config });
  now = NOW;
  #changes: readonly Change[] = [];

  /** Runs an operation as the engine does. */
  run<N extends OperationName>(name: N, request: RequestOf<N>): OutcomeOf<N> {
    const operation = { name, request };
    if (!isRead(name)) return this.transact((tx) => execute(tx, operation, this.now));
    this.#changes = [];
    return this.store.read((tx) => execute(tx, operation, this.now));
  }

  /** Runs anything else: a transition by time, or the arrangement of a state that no operation leads to. */
  transact<T>(work: (tx: StoreTx) => T): T {
    const { result, changes } = this.store.transact(work);
    this.#changes = changes;
    return result;
  }

  /** The operation is accepted, and changes the state by exactly this difference. Returns its answer. */
  accept<N extends OperationName>(
    name: N,
    request: RequestOf<N>,
    difference: Difference,
  ): Exclude<OutcomeOf<N>, { readonly status: 404 | 409 | 422 | 501 }> {
    const outcome = this.changes(() => this.run(name, request), difference);
    if (isRefusal(outcome)) expect.fail(`${name} was refused: ${outcome.reason}`);
    return outcome as Exclude<OutcomeOf<N>, { readonly status: 404 | 409 | 422 | 501 }>;
  }

  /** The operation is refused, and changes nothing; or only what due timeouts changed before. */
  refuse<N extends OperationName>(name: N, request: RequestOf<N>, refused: Refused, fired: Difference = {}): void {
    const outcome = this.changes(() => this.run(name, request), fired);
    if (!isRefusal(outcome)) return expect.fail(`${name} was accepted`);
    expect([outcome.status, outcome.reason, outcome.metadata]).to.deep.equal(refused);
    expect(outcome.message).to.not.equal('');
  }

  /** `work` changes the state by exactly this difference. */
  changes<T>(work: () => T, difference: Difference): T {
    const before = this.state();
    const result = work();
    const changes = this.#changes.map(describeChange);
    expect(this.state()).to.deep.equal(apply(before, difference));
    expect(changes, 'changes').to.deep.equal(difference.changes ?? []);
    return result;
  }

  state(): State {
    const { promises, tasks, schedules, executes, unblocks } = plain(this.store.snapshot());
    for (const { task, resumes } of tasks)
      expect(task.resumes, `count of resumes of ${task.id}`).to.equal(resumes.length);
    return {
      promises: Object.fromEntries(promises.map(({ promise, ...lists }) => [promise.id, { ...promise, ...lists }])),
      tasks: Object.fromEntries(tasks.map(({ task, resumes }) => [task.id, { ...task, resumes }])),
      schedules: Object.fromEntries(schedules.map((schedule) => [schedule.id, { ...schedule }])),
      executes: executes.map(({ taskId, version, address }) => `${taskId} ${version} → ${address}`),
      unblocks: unblocks.map(({ promiseId, address }) => `${promiseId} → ${address}`),
    };
  }

  // Arrangements, each through the operations that lead there.

  /** A pending promise without meaning, unless the options give it one. */
  create(id: string, options: SpecOptions = {}): void {
    expect(this.run('promise.create', spec(id, options)).status).to.equal(200);
  }

  /** A promise with a target: its task is pending, version 0, its execute in the outbox. */
  pending(id: string, options: SpecOptions = {}): void {
    this.create(id, { target: WORKER, ...options });
  }

  /** Its task acquired, version 1, by `pid` for 100 ms. */
  acquired(id: string, options: SpecOptions = {}): void {
    this.pending(id, options);
    this.acquire(id, 0);
  }

  acquire(id: string, version: number): void {
    expect(this.run('task.acquire', { id, version, pid: 'pid', ttl: 100 }).status).to.equal(200);
  }

  /** Its task suspended, version 1, on promises that exist. */
  suspended(id: string, awaitedIds: readonly string[], options: SpecOptions = {}): void {
    this.acquired(id, options);
    expect(this.run('task.suspend', { id, version: 1, awaitedIds }).status).to.equal(200);
  }

  /** Its task halted while pending, version 0. */
  halted(id: string, options: SpecOptions = {}): void {
    this.pending(id, options);
    expect(this.run('task.halt', { id }).status).to.equal(200);
  }

  settle(id: string): void {
    const request = { id, state: 'resolved', value: value(`of ${id}`) } as const;
    expect(this.run('promise.settle', request).status).to.equal(200);
  }

  await(awaitedId: string, awaiterId: string): void {
    expect(this.run('promise.register_callback', { awaitedId, awaiterId }).status).to.equal(200);
  }

  listen(awaitedId: string, address: string): void {
    expect(this.run('promise.register_listener', { awaitedId, address }).status).to.equal(200);
  }

  /** A task whose promise is missing: no operation leads there. */
  orphan(id: string, state: 'pending' | 'acquired' | 'suspended' | 'halted'): void {
    this.transact((tx) => tx.setTask({ id, state, version: 5, resumes: 0 }));
  }

  /** A promise whose deadline has passed without a timeout armed, beside a task that does not know: only a fault leads there. */
  disarmAndExpire(id: string): void {
    this.transact((tx) => {
      const promise = tx.getPromise(id);
      if (promise !== undefined) tx.setPromise({ ...promise, timeoutArmed: false, timeoutAt: this.now });
    });
  }

  /** A settled promise beside a task that does not know: only a fault leads there. */
  settleBehindTask(id: string): void {
    this.transact((tx) => {
      const promise = tx.getPromise(id);
      if (promise !== undefined)
        tx.setPromise({ ...promise, state: 'resolved', settledAt: this.now, timeoutArmed: false });
    });
  }
}

export interface SpecOptions {
  readonly target?: string;
  readonly timer?: boolean;
  readonly delay?: number;
  readonly timeoutAt?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

/** What a promise is created from. */
export function spec(id: string, { target, timer, delay, timeoutAt = FAR, tags = {} }: SpecOptions = {}): PromiseSpec {
  const all = new Map(Object.entries(tags));
  if (target !== undefined) all.set(TARGET_TAG, target);
  if (timer) all.set(TIMER_TAG, 'true');
  if (delay !== undefined) all.set(DELAY_TAG, String(delay));
  return { id, timeoutAt, param: value(`for ${id}`), tags: all };
}

export function value(text: string): Value {
  return { headers: new Map([['h', text]]), data: new TextEncoder().encode(text) };
}

export function lease(dueAt: number): TaskTimeout {
  return { kind: 'lease', dueAt };
}

export function retry(dueAt: number): TaskTimeout {
  return { kind: 'retry', dueAt };
}

/** Every field of a promise that has just been stored, to be changed by `fields`. */
export function storedPromise({ id, timeoutAt, param, tags }: PromiseSpec, fields: Fields = {}): Fields {
  return {
    id,
    state: 'pending',
    param,
    value: { headers: new Map() },
    tags,
    timeoutAt,
    createdAt: NOW,
    timeoutArmed: false,
    callbacks: [],
    listeners: [],
    ...fields,
  };
}

/** Every field of a task that has just been stored, to be changed by `fields`. */
export function storedTask(id: string, fields: Fields = {}): Fields {
  return { id, state: 'pending', version: 0, resumes: [], ...fields };
}

/** The fields that a task loses when nobody holds it any more. */
export const UNHELD = { pid: undefined, ttl: undefined, timeout: undefined };

/** A task fulfilled by the settlement of its promise. */
export const FULFILLED = { ...UNHELD, state: 'fulfilled', resumes: [] };

function apply(before: State, difference: Difference): State {
  return {
    promises: merge(before.promises, difference.promises),
    tasks: merge(before.tasks, difference.tasks),
    schedules: merge(before.schedules, difference.schedules),
    executes: difference.executes ?? before.executes,
    unblocks: difference.unblocks ?? before.unblocks,
  };
}

function merge(
  before: Readonly<Record<string, Fields>>,
  difference: Readonly<Record<string, Fields | undefined>> = {},
): Readonly<Record<string, Fields>> {
  const after: Record<string, Fields | undefined> = { ...before };
  for (const [id, fields] of Object.entries(difference))
    after[id] = fields === undefined ? undefined : { ...before[id], ...fields };
  return plain(after) as Record<string, Fields>;
}

function describeChange(change: Change): string {
  switch (change.kind) {
    case 'promise.settled':
      return `settled ${change.promise.id} ${change.promise.state}`;
    case 'task':
      return `task ${change.task.id} ${change.task.state} ${change.task.version}`;
    case 'execute':
      return `execute ${change.row.taskId} ${change.row.version} → ${change.row.address}`;
    case 'unblock':
      return `unblock ${change.row.promiseId} → ${change.row.address}`;
  }
}
