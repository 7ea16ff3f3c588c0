import type {
  DebugPromise,
  DebugSnapshotResponse,
  DebugTask,
} from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { PromiseRecord, PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import type { ScheduleRecord } from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import { TaskState, type TaskRecord } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';

/** What clients have been told about one id. */
export interface Fact {
  promise?: PromiseRecord;
  task?: Pick<TaskRecord, 'state' | 'version'>;
  /** Whether an address listens to the promise, its unblock waits, or the unblock has been acknowledged. */
  listener?: 'registered' | 'waiting' | 'acknowledged';
  /** The awaiter that is registered as a callback of the promise. */
  awaiter?: string | undefined;
  /** What the task waits for, if it is suspended. */
  awaited?: string | undefined;
  /** The settled promise that the task has not been given yet. */
  resume?: string | undefined;
  schedule?: ScheduleRecord | 'deleted';
  /** A call that may change this has not been answered: then only what never goes back can be compared. */
  inDoubt: boolean;
}

/** Every answer that clients got, in terms of what the server must still know. */
export class Acknowledged {
  readonly #facts = new Map<string, Fact>();
  readonly #refusals: string[] = [];
  #count = 0;
  #goal: { readonly count: number; readonly reached: () => void } | undefined;

  /** How many answers there were. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when there are so many answers. */
  reach(count: number): Promise<void> {
    return new Promise((reached) => (this.#goal = { count, reached }));
  }

  /** What is known about an id; nothing yet for a new one. */
  of(id: string): Fact {
    let fact = this.#facts.get(id);
    if (fact === undefined) this.#facts.set(id, (fact = { inDoubt: false }));
    return fact;
  }

  /** A call that may change these is about to be made. */
  attempt(ids: readonly string[]): void {
    for (const id of ids) this.of(id).inDoubt = true;
  }

  /** The call was answered; the facts have been changed to what the answer says. */
  answered(ids: readonly string[]): void {
    for (const id of ids) this.of(id).inDoubt = false;
    this.#count++;
    if (this.#goal !== undefined && this.#count >= this.#goal.count) this.#goal.reached();
  }

  /** A call was refused that no server may refuse which remembers what it has answered. */
  refused(ids: readonly string[], problem: string): void {
    this.#refusals.push(`${ids.join()}: refused: ${problem}`);
  }

  /** The server has pushed this task with this version: it must have had it on disk. */
  pushed(id: string, version: number): void {
    const fact = this.of(id);
    if (fact.task !== undefined && fact.task.version >= version) return;
    fact.task = { state: TaskState.TASK_STATE_PENDING, version };
    fact.inDoubt = true;
  }

  /** The server has reported this promise as settled: it must have had it on disk. */
  reported(promise: PromiseRecord): void {
    const fact = this.of(promise.id);
    fact.promise = promise;
    if (fact.listener === 'registered') fact.listener = 'waiting';
    if (fact.task !== undefined && !fact.inDoubt) fact.task = { ...fact.task, state: TaskState.TASK_STATE_FULFILLED };
  }

  /** Where the data says otherwise than the answers did. */
  contradictions(snapshot: DebugSnapshotResponse): string[] {
    const stored = index(snapshot);
    const found = [...this.#refusals];
    for (const [id, fact] of this.#facts) {
      found.push(
        ...promiseContradictions(id, fact, stored),
        ...taskContradictions(id, fact, stored),
        ...waitingContradictions(id, fact, stored),
        ...scheduleContradictions(id, fact, stored),
      );
    }
    return found;
  }

  /** From now on this is what is known: what was in doubt is decided. */
  learn(snapshot: DebugSnapshotResponse): void {
    const { unblocks, schedules } = index(snapshot);
    for (const { promise, callbacks, listeners } of snapshot.promises) {
      const fact = this.of(promise!.id);
      fact.promise = promise!;
      fact.awaiter = callbacks[0];
      if (listeners.length > 0) fact.listener = 'registered';
      else if (unblocks.has(promise!.id)) fact.listener = 'waiting';
      // Gone though nobody was told: the acknowledgement under way had arrived.
      else if (fact.listener !== undefined) fact.listener = 'acknowledged';
      fact.inDoubt = false;
    }
    for (const { task, resumes } of snapshot.tasks) {
      const fact = this.of(task!.id);
      fact.task = task!;
      fact.resume = resumes[0];
    }
    for (const [id, schedule] of schedules) this.of(id).schedule = schedule;
    for (const [id, fact] of this.#facts) {
      if (fact.schedule === undefined) continue;
      fact.inDoubt = false;
      if (!schedules.has(id)) fact.schedule = 'deleted';
    }
  }
}

/** A snapshot by ids. */
interface Stored {
  readonly now: number;
  readonly promises: ReadonlyMap<string, DebugPromise>;
  readonly tasks: ReadonlyMap<string, DebugTask>;
  readonly schedules: ReadonlyMap<string, ScheduleRecord>;
  readonly unblocks: ReadonlySet<string>;
}

function index({ nowMs, promises, tasks, schedules, outbox }: DebugSnapshotResponse): Stored {
  return {
    now: nowMs,
    promises: new Map(promises.map((promise) => [promise.promise!.id, promise])),
    tasks: new Map(tasks.map((task) => [task.task!.id, task])),
    schedules: new Map(schedules.map((schedule) => [schedule.id, schedule])),
    unblocks: new Set(outbox.flatMap(({ message }) => (message?.$case === 'unblockPromiseId' ? [message.value] : []))),
  };
}

/** Whether time alone may have settled the promise since. */
function mayHaveTimedOut(promise: PromiseRecord | undefined, { now }: Stored): boolean {
  return promise?.state === PromiseState.PROMISE_STATE_PENDING && promise.timeoutAtMs <= now;
}

function timedOut(promise: PromiseRecord): PromiseRecord {
  const isTimer = promise.tags.get('resonate:timer') === 'true';
  const state = isTimer ? PromiseState.PROMISE_STATE_RESOLVED : PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT;
  return { ...promise, state, settledAtMs: promise.timeoutAtMs };
}

function* promiseContradictions(id: string, { promise, inDoubt }: Fact, stored: Stored): Iterable<string> {
  if (promise === undefined) return;
  const record = stored.promises.get(id)?.promise;
  if (record === undefined) {
    yield `${id}: the promise is lost`;
    return;
  }
  // A settled one never changes; a pending one may have been settled by the call that was not answered.
  if (promise.state === PromiseState.PROMISE_STATE_PENDING && inDoubt) return;
  const [told, found] = [describe(promise), describe(record)];
  if (told === found || (mayHaveTimedOut(promise, stored) && describe(timedOut(promise)) === found)) return;
  yield `${id}: the promise was ${told} and is ${found}`;
}

function* taskContradictions(id: string, fact: Fact, stored: Stored): Iterable<string> {
  const { task, promise, awaited, resume, inDoubt } = fact;
  if (task === undefined) return;
  const found = stored.tasks.get(id);
  if (found === undefined) {
    yield `${id}: the task is lost`;
    return;
  }
  const { state, version } = found.task!;
  const was = `${id}: the task was ${nameOf(task)} and is ${nameOf(found.task!)}`;
  if (version < task.version) yield `${was}: it went back`;
  if (version < task.version || (inDoubt && task.state !== TaskState.TASK_STATE_FULFILLED)) return;
  if (state === TaskState.TASK_STATE_FULFILLED && mayHaveTimedOut(promise, stored)) return;

  const mayHaveWoken =
    awaited !== undefined && state === TaskState.TASK_STATE_PENDING && found.resumes.includes(awaited);
  const isSame = state === task.state && version === task.version;
  if (!isSame && !(mayHaveWoken && version === task.version && isSettled(awaited, stored))) yield was;
  if (resume !== undefined && !found.resumes.includes(resume)) yield `${id}: the wake-up by ${resume} is lost`;
}

function isSettled(id: string, { promises }: Stored): boolean {
  return promises.get(id)?.promise?.state !== PromiseState.PROMISE_STATE_PENDING;
}

function* waitingContradictions(id: string, fact: Fact, stored: Stored): Iterable<string> {
  const { promise, listener, awaiter, inDoubt } = fact;
  if (inDoubt) return;
  const waits = stored.unblocks.has(id);
  const { listeners = [], callbacks = [] } = stored.promises.get(id) ?? {};
  const mayBeOver = mayHaveTimedOut(promise, stored) && isSettled(id, stored);
  if (listener === 'registered' && (mayBeOver ? !waits : listeners.length === 0)) yield `${id}: the listener is lost`;
  if (listener === 'waiting' && !waits) yield `${id}: the unblock is lost`;
  if (listener === 'acknowledged' && waits) yield `${id}: the unblock is back`;
  if (awaiter !== undefined && !mayBeOver && !callbacks.includes(awaiter) && !isSettled(awaiter, stored)) {
    yield `${id}: the callback of ${awaiter} is lost`;
  }
}

function* scheduleContradictions(id: string, { schedule, inDoubt }: Fact, stored: Stored): Iterable<string> {
  if (schedule === undefined || inDoubt) return;
  const found = stored.schedules.get(id);
  if (schedule === 'deleted') {
    if (found !== undefined) yield `${id}: the schedule is back`;
  } else if (found === undefined) {
    yield `${id}: the schedule is lost`;
  } else if (found.createdAtMs !== schedule.createdAtMs || found.nextRunAtMs < schedule.nextRunAtMs) {
    yield `${id}: the schedule was ${JSON.stringify(schedule)} and is ${JSON.stringify(found)}`;
  }
}

function nameOf({ state, version }: Pick<TaskRecord, 'state' | 'version'>): string {
  return `${TaskState[state]} with version ${version}`;
}

/** The state for people, all the rest for comparison. */
function describe(record: PromiseRecord): string {
  return `${PromiseState[record.state]} (${Buffer.from(PromiseRecord.encode(record).finish()).toString('base64')})`;
}
