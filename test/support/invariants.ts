/** SPEC "What must always hold", as far as one snapshot of all state can show it: 1 to 5 and 9. */
import {
  DebugTimeoutKind,
  type DebugPromise,
  type DebugSnapshotResponse,
  type DebugTask,
} from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';

const { PROMISE_STATE_PENDING } = PromiseState;
const { DEBUG_TIMEOUT_KIND_PROMISE, DEBUG_TIMEOUT_KIND_RETRY, DEBUG_TIMEOUT_KIND_LEASE } = DebugTimeoutKind;

/** What is wrong in a snapshot, one line each, with the number of the invariant in front. Empty: nothing. */
export function violations(snapshot: DebugSnapshotResponse): string[] {
  const index = new SnapshotIndex(snapshot);
  return [
    ...snapshot.promises.flatMap((promise) => [...promiseViolations(index, promise)]),
    ...snapshot.tasks.flatMap((task) => [...taskViolations(index, task)]),
    ...outboxViolations(index),
    ...strayTimeouts(index),
  ];
}

/** A snapshot by id. */
class SnapshotIndex {
  readonly promises: ReadonlyMap<string, DebugPromise>;
  readonly tasks: ReadonlyMap<string, DebugTask>;
  /** The pending promises that list a task as a callback. */
  readonly awaitedBy = new Map<string, DebugPromise[]>();
  readonly #timeouts = new Map<string, number[]>();

  constructor(readonly snapshot: DebugSnapshotResponse) {
    this.promises = new Map(snapshot.promises.map((promise) => [promise.promise!.id, promise]));
    this.tasks = new Map(snapshot.tasks.map((task) => [task.task!.id, task]));
    for (const { kind, id, dueAtMs } of snapshot.timeouts) {
      const key = `${kind} ${id}`;
      this.#timeouts.set(key, [...(this.#timeouts.get(key) ?? []), dueAtMs]);
    }
    for (const promise of snapshot.promises) {
      for (const awaiter of promise.callbacks) {
        this.awaitedBy.set(awaiter, [...(this.awaitedBy.get(awaiter) ?? []), promise]);
      }
    }
  }

  /** When the armed timeouts of this kind and id are due. */
  armed(kind: DebugTimeoutKind, id: string): readonly number[] {
    return this.#timeouts.get(`${kind} ${id}`) ?? [];
  }
}

function* promiseViolations(index: SnapshotIndex, stored: DebugPromise): Iterable<string> {
  const { callbacks, listeners } = stored;
  const promise = stored.promise!;
  const { id, tags } = promise;
  const name = `promise ${JSON.stringify(id)}`;
  const armed = index.armed(DEBUG_TIMEOUT_KIND_PROMISE, id);
  const hasTarget = tags.has('resonate:target');

  if (hasTarget && !index.tasks.has(id)) yield `1: ${name} has a target and no task`;
  if (new Set(callbacks).size < callbacks.length) yield `4: ${name} has a callback twice`;
  if (new Set(listeners).size < listeners.length) yield `4: ${name} has a listener twice`;

  if (promise.state === PROMISE_STATE_PENDING) {
    if (promise.settledAtMs !== undefined) yield `4: ${name} is pending and has a settledAt`;
    const isExternal = hasTarget || tags.get('resonate:timer') === 'true';
    const needsTimeout = isExternal || callbacks.length > 0 || listeners.length > 0;
    if (needsTimeout && armed.length === 0) yield `4: ${name} is pending and needs a timeout, which is not armed`;
    if (armed.length > 1 || (armed.length === 1 && armed[0] !== promise.timeoutAtMs)) {
      yield `4: ${name} has timeouts at ${armed.join()}, not at ${promise.timeoutAtMs}`;
    }
    for (const awaiter of callbacks) {
      const state = index.promises.get(awaiter)?.promise!.state;
      if (state !== PROMISE_STATE_PENDING) yield `4: ${name} has a callback of ${awaiter}, which is not pending`;
    }
  } else {
    if (promise.settledAtMs === undefined) yield `4: ${name} is settled and has no settledAt`;
    if (armed.length > 0) yield `4: ${name} is settled and has a timeout armed`;
    if (callbacks.length > 0) yield `4: ${name} is settled and has callbacks`;
    if (listeners.length > 0) yield `4: ${name} is settled and has listeners`;
  }
}

function* taskViolations(index: SnapshotIndex, stored: DebugTask): Iterable<string> {
  const { id, state, version, ttlMs, pid } = stored.task!;
  const name = `task ${JSON.stringify(id)}`;
  const promise = index.promises.get(id)?.promise;
  const isHeld = state === TaskState.TASK_STATE_ACQUIRED;
  const retries = index.armed(DEBUG_TIMEOUT_KIND_RETRY, id).length;
  const leases = index.armed(DEBUG_TIMEOUT_KIND_LEASE, id).length;

  if (promise === undefined) {
    yield `1: ${name} has no promise`;
  } else if ((promise.state !== PROMISE_STATE_PENDING) !== (state === TaskState.TASK_STATE_FULFILLED)) {
    yield `1: ${name} is ${TaskState[state]} and its promise ${PromiseState[promise.state]}`;
  }

  if (retries !== (state === TaskState.TASK_STATE_PENDING ? 1 : 0)) {
    yield `2: ${name} is ${TaskState[state]} and has ${retries} retries armed`;
  }
  if (leases !== (isHeld ? 1 : 0)) yield `2: ${name} is ${TaskState[state]} and has ${leases} leases armed`;
  if ((pid !== undefined) !== isHeld || (ttlMs !== undefined) !== isHeld) {
    yield `2: ${name} is ${TaskState[state]} and has pid ${pid} and ttl ${ttlMs}`;
  }
  const forgetsResumes = state === TaskState.TASK_STATE_SUSPENDED || state === TaskState.TASK_STATE_FULFILLED;
  if (forgetsResumes && stored.resumes.length > 0) yield `2: ${name} is ${TaskState[state]} and has resumes`;
  if (stored.resumes.length !== stored.task!.resumes) yield `2: ${name} shows a wrong number of resumes`;
  if (new Set(stored.resumes).size < stored.resumes.length) yield `2: ${name} has a resume twice`;

  if (isHeld && version < 1) yield `3: ${name} is acquired with version ${version}`;

  if (state === TaskState.TASK_STATE_SUSPENDED) {
    const wakers = (index.awaitedBy.get(id) ?? []).filter(
      ({ promise: awaited }) =>
        awaited!.id !== id &&
        awaited!.state === PROMISE_STATE_PENDING &&
        index.armed(DEBUG_TIMEOUT_KIND_PROMISE, awaited!.id).length === 1,
    );
    if (wakers.length === 0) yield `5: ${name} is suspended and nothing can wake it`;
  }
}

function* outboxViolations({ snapshot, tasks, promises }: SnapshotIndex): Iterable<string> {
  const seen = new Set<string>();
  for (const { address, message } of snapshot.outbox) {
    if (message?.$case === 'execute') {
      const { id, version } = message.value;
      const task = tasks.get(id)?.task;
      const name = `the execute of ${JSON.stringify(id)}`;
      if (task === undefined || task.version < version) yield `9: ${name} has version ${version}, its task has not`;
      // DESIGN: a task has a row in the outbox only while it is pending.
      else if (task.state !== TaskState.TASK_STATE_PENDING) yield `9: ${name} is queued and its task is not pending`;
      if (seen.has(`execute ${id}`)) yield `9: ${name} is queued twice`;
      seen.add(`execute ${id}`);
    } else if (message !== undefined) {
      const id = message.value;
      const state = promises.get(id)?.promise!.state;
      if (state === undefined || state === PROMISE_STATE_PENDING) {
        yield `9: an unblock of ${JSON.stringify(id)} is queued and the promise is not settled`;
      }
      const key = `unblock ${JSON.stringify([id, address])}`;
      if (seen.has(key)) yield `9: ${key} is queued twice`;
      seen.add(key);
    }
  }
}

function* strayTimeouts({ snapshot, tasks, promises }: SnapshotIndex): Iterable<string> {
  for (const { kind, id } of snapshot.timeouts) {
    if (kind === DEBUG_TIMEOUT_KIND_PROMISE && !promises.has(id)) yield `4: a timeout of no promise: ${id}`;
    const isTask = kind === DEBUG_TIMEOUT_KIND_RETRY || kind === DEBUG_TIMEOUT_KIND_LEASE;
    if (isTask && !tasks.has(id)) yield `2: a timeout of no task: ${id}`;
  }
}
