/**
 * SPEC "What must always hold", on the state in the model's terms: what one state shows (1 to 5 and 9), what a step may change
 * (3, 4, 8, 9), and what all answers together show (6, 7). 10 is for the crash tests.
 */
import type { Request } from '../model/operations.js';
import type { Response } from '../model/response.js';
import type { PromiseObject, PromiseRecord, State, TaskObject } from '../model/state.js';
import { differences } from './differences.js';

/** What is wrong in a state, one line each, with the number of the invariant in front. Empty: nothing. */
export function violations(state: State): string[] {
  return [
    ...state.promises.flatMap((promise) => [...promiseViolations(state, promise)]),
    ...state.tasks.flatMap((task) => [...taskViolations(state, task)]),
    ...outboxViolations(state),
    ...strayTimeouts(state),
  ];
}

function promiseOf(state: State, id: string): PromiseObject | undefined {
  return state.promises.find((promise) => promise.id === id);
}

function taskOf(state: State, id: string): TaskObject | undefined {
  return state.tasks.find((task) => task.id === id);
}

/** When the armed timeouts of a promise are due. */
function armed({ promiseTimeouts }: State, id: string): readonly number[] {
  return promiseTimeouts.filter((timer) => timer.id === id).map(({ timeout }) => timeout);
}

function hasTarget({ tags }: PromiseObject): boolean {
  return tags.some(([name]) => name === 'resonate:target');
}

function* promiseViolations(state: State, promise: PromiseObject): Iterable<string> {
  const { id, callbacks, listeners } = promise;
  const name = `promise ${JSON.stringify(id)}`;
  const dues = armed(state, id);

  if (hasTarget(promise) && taskOf(state, id) === undefined) yield `1: ${name} has a target and no task`;
  if (new Set(callbacks).size < callbacks.length) yield `4: ${name} has a callback twice`;
  if (new Set(listeners).size < listeners.length) yield `4: ${name} has a listener twice`;

  if (promise.state === 'pending') {
    if (promise.settledAt !== undefined) yield `4: ${name} is pending and has a settledAt`;
    const isTimer = promise.tags.some(([tag, value]) => tag === 'resonate:timer' && value === 'true');
    const needsTimeout = hasTarget(promise) || isTimer || callbacks.length > 0 || listeners.length > 0;
    if (needsTimeout && dues.length === 0) yield `4: ${name} is pending and needs a timeout, which is not armed`;
    if (dues.length > 1 || (dues.length === 1 && dues[0] !== promise.timeoutAt)) {
      yield `4: ${name} has timeouts at ${dues.join()}, not at ${promise.timeoutAt}`;
    }
    for (const awaiter of callbacks) {
      if (promiseOf(state, awaiter)?.state !== 'pending') {
        yield `4: ${name} has a callback of ${awaiter}, which is not pending`;
      }
    }
  } else {
    if (promise.settledAt === undefined) yield `4: ${name} is settled and has no settledAt`;
    if (dues.length > 0) yield `4: ${name} is settled and has a timeout armed`;
    if (callbacks.length > 0) yield `4: ${name} is settled and has callbacks`;
    if (listeners.length > 0) yield `4: ${name} is settled and has listeners`;
  }
}

function* taskViolations(state: State, task: TaskObject): Iterable<string> {
  const { id, version, ttl, pid, resumes } = task;
  const name = `task ${JSON.stringify(id)} is ${task.state} and`;
  const promise = promiseOf(state, id);
  const isHeld = task.state === 'acquired';
  const timers = state.taskTimeouts.filter((timer) => timer.id === id);
  const leases = timers.filter(({ kind }) => kind === 'lease').length;
  const retries = timers.length - leases;

  if (promise === undefined) {
    yield `1: ${name} has no promise`;
  } else if ((promise.state !== 'pending') !== (task.state === 'fulfilled')) {
    yield `1: ${name} its promise is ${promise.state}`;
  }

  if (retries !== (task.state === 'pending' ? 1 : 0)) yield `2: ${name} has ${retries} retries armed`;
  if (leases !== (isHeld ? 1 : 0)) yield `2: ${name} has ${leases} leases armed`;
  if ((pid !== undefined) !== isHeld || (ttl !== undefined) !== isHeld)
    yield `2: ${name} has pid ${pid} and ttl ${ttl}`;
  const forgetsResumes = task.state === 'suspended' || task.state === 'fulfilled';
  if (forgetsResumes && resumes.length > 0) yield `2: ${name} has resumes`;
  if (new Set(resumes).size < resumes.length) yield `2: ${name} has a resume twice`;

  if (isHeld && version < 1) yield `3: ${name} has version ${version}`;

  if (task.state === 'suspended') {
    const canWake = state.promises.some(
      (awaited) =>
        awaited.id !== id &&
        awaited.state === 'pending' &&
        awaited.callbacks.includes(id) &&
        armed(state, awaited.id).length === 1,
    );
    if (!canWake) yield `5: ${name} nothing can wake it`;
  }
}

function* outboxViolations(state: State): Iterable<string> {
  const seen = new Set<string>();
  for (const { address, message } of state.outbox) {
    const isExecute = message.kind === 'execute';
    const id = isExecute ? message.taskId : message.promise.id;
    const name = `the ${message.kind} of ${JSON.stringify(id)}`;
    if (isExecute) {
      const task = taskOf(state, id);
      if (task === undefined || task.version < message.version) {
        yield `9: ${name} has version ${message.version}, its task has not`;
      } else if (task.state !== 'pending') {
        yield `9: ${name} is queued and its task is not pending`;
      }
    } else if (promiseOf(state, id)?.state === 'pending' || promiseOf(state, id) === undefined) {
      yield `9: ${name} is queued and the promise is not settled`;
    }
    const key = JSON.stringify(isExecute ? [id] : [id, address]);
    if (seen.has(key)) yield `9: ${name} is queued twice`;
    seen.add(key);
  }
}

function* strayTimeouts(state: State): Iterable<string> {
  for (const { id } of state.promiseTimeouts)
    if (promiseOf(state, id) === undefined) yield `4: a timeout of no promise: ${id}`;
  for (const { id } of state.taskTimeouts) if (taskOf(state, id) === undefined) yield `2: a timeout of no task: ${id}`;
}

/** What happened between two states: a request with its response, or something else that time or an operator did. */
export interface Event {
  readonly now: number;
  readonly operation?: Request;
  readonly response?: Response;
}

/** What is wrong about a step from one state to the next. */
export function transitionViolations(before: State, after: State, event: Event): string[] {
  return [
    ...before.tasks.flatMap((task) => [...taskChangeViolations(task, taskOf(after, task.id), event)]),
    ...after.tasks.flatMap((task) => [...birthViolations(taskOf(before, task.id), task)]),
    ...before.promises.flatMap((promise) => [...promiseChangeViolations(promise, promiseOf(after, promise.id))]),
    ...refusalViolations(before, after, event),
  ];
}

function* birthViolations(before: TaskObject | undefined, task: TaskObject): Iterable<string> {
  const version = task.state === 'acquired' ? 1 : 0;
  if (before === undefined && task.version !== version) {
    yield `3: task ${JSON.stringify(task.id)} is born ${task.state} at version ${task.version}`;
  }
}

function* taskChangeViolations(before: TaskObject, after: TaskObject | undefined, event: Event): Iterable<string> {
  const name = `task ${JSON.stringify(before.id)}`;
  if (after === undefined) {
    yield `1: ${name} is gone`;
    return;
  }
  const isAcquired = before.state === 'pending' && after.state === 'acquired';
  if (after.version !== before.version + (isAcquired ? 1 : 0)) {
    yield `3: ${name} went from ${before.state} ${before.version} to ${after.state} ${after.version}`;
  }
  if (before.state === 'fulfilled' && after.state !== 'fulfilled') yield `1: ${name} is no longer fulfilled`;

  const { operation, response } = event;
  const askedToSuspend = operation?.name === 'task.suspend' && operation.request.id === before.id;
  const isCleared =
    isAcquired ||
    after.state === 'suspended' ||
    after.state === 'fulfilled' ||
    (askedToSuspend && response?.status === 300);
  if (!isCleared && !before.resumes.every((id, i) => after.resumes[i] === id)) {
    yield `9: ${name} lost a wake-up: ${before.resumes.join()} became ${after.resumes.join()}`;
  }
}

function* promiseChangeViolations(before: PromiseObject, after: PromiseObject | undefined): Iterable<string> {
  const name = `promise ${JSON.stringify(before.id)}`;
  if (after === undefined) {
    yield `4: ${name} is gone`;
    return;
  }
  const settled = ({ callbacks: _, listeners: __, ...record }: PromiseObject): PromiseRecord => record;
  const given = ({ id, param, tags, timeoutAt, createdAt }: PromiseObject) => ({
    id,
    param,
    tags,
    timeoutAt,
    createdAt,
  });
  const changes =
    before.state === 'pending'
      ? differences(given(before), given(after))
      : differences(settled(before), settled(after));
  for (const change of changes) yield `4: ${name} changed ${change}`;
}

/** A refused request changes nothing, unless a due timeout fired before it: then some promise has timed out. */
function* refusalViolations(before: State, after: State, { now, response }: Event): Iterable<string> {
  if (response === undefined || response.status < 400) return;
  const fired = after.promises.filter(
    ({ id, state, settledAt, timeoutAt }) =>
      state !== 'pending' && promiseOf(before, id)?.state === 'pending' && settledAt === timeoutAt && timeoutAt <= now,
  );
  if (fired.length > 0 && response.status !== 400) return;
  for (const change of differences(before, after))
    yield `8: a request refused with ${response.status} changed ${change}`;
}

/** All answers so far. */
export class History {
  /** Who was given a task at a version. */
  readonly #given: Set<string>;
  readonly #shownSettled: Map<string, PromiseRecord>;

  /** Goes on from another history, which it leaves as it is. */
  constructor(earlier?: History) {
    this.#given = new Set(earlier === undefined ? [] : earlier.#given);
    this.#shownSettled = new Map(earlier === undefined ? [] : earlier.#shownSettled);
  }

  /** What is wrong about an answer, given those before it and the state that it leaves. */
  note({ name }: Request, response: Response, after: State): string[] {
    return [...this.#noteTask(name, response, after), ...this.#notePromises(response)];
  }

  *#noteTask(name: string, { task }: Response, after: State): Iterable<string> {
    if (task?.state === 'acquired' && (name === 'task.create' || name === 'task.acquire')) {
      const key = JSON.stringify([task.id, task.version]);
      if (this.#given.has(key)) yield `6: task ${JSON.stringify(task.id)} was given twice at version ${task.version}`;
      this.#given.add(key);
    }
    for (const { id, state, version } of after.tasks) {
      if (state === 'acquired' && !this.#given.has(JSON.stringify([id, version]))) {
        yield `6: task ${JSON.stringify(id)} is acquired at version ${version}, which nobody was given`;
      }
    }
  }

  *#notePromises({ promise, inner }: Response): Iterable<string> {
    for (const shown of [promise, inner?.promise]) {
      if (shown === undefined) continue;
      const earlier = this.#shownSettled.get(shown.id);
      for (const change of earlier === undefined ? [] : differences(earlier, shown)) {
        yield `7: promise ${JSON.stringify(shown.id)} was shown settled, and then otherwise: ${change}`;
      }
      if (shown.state !== 'pending') this.#shownSettled.set(shown.id, shown);
    }
  }
}
