import type { DebugSnapshotResponse } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { PromiseRecord, PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskState, type TaskRecord } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';

/** What clients have been told about one id. */
export interface Fact {
  promise?: PromiseRecord;
  task?: Pick<TaskRecord, 'state' | 'version'>;
  /** Whether an address listens to the promise, its unblock waits, or the unblock has been acknowledged. */
  listener?: 'registered' | 'waiting' | 'acknowledged';
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
    this.of(promise.id).promise = promise;
  }

  /** Where the data says otherwise than the answers did. */
  contradictions(snapshot: DebugSnapshotResponse): string[] {
    const promises = new Map(snapshot.promises.map((promise) => [promise.promise!.id, promise]));
    const tasks = new Map(snapshot.tasks.map(({ task }) => [task!.id, task!]));
    const unblocks = new Set(
      snapshot.outbox.flatMap(({ message }) => (message?.$case === 'unblockPromiseId' ? [message.value] : [])),
    );
    const found = [...this.#refusals];
    for (const [id, fact] of this.#facts) {
      const stored = promises.get(id);
      found.push(
        ...promiseContradictions(id, fact, stored?.promise),
        ...taskContradictions(id, fact, tasks.get(id)),
        ...listenerContradictions(id, fact, (stored?.listeners.length ?? 0) > 0, unblocks.has(id)),
      );
    }
    return found;
  }

  /** From now on this is what is known: what was in doubt is decided. */
  learn(snapshot: DebugSnapshotResponse): void {
    const unblocks = new Set(
      snapshot.outbox.flatMap(({ message }) => (message?.$case === 'unblockPromiseId' ? [message.value] : [])),
    );
    for (const { promise, listeners } of snapshot.promises) {
      const fact = this.of(promise!.id);
      fact.promise = promise!;
      if (listeners.length > 0) fact.listener = 'registered';
      else if (unblocks.has(promise!.id)) fact.listener = 'waiting';
      // Gone though nobody was told: the acknowledgement under way had arrived.
      else if (fact.listener !== undefined) fact.listener = 'acknowledged';
      fact.inDoubt = false;
    }
    for (const { task } of snapshot.tasks) this.of(task!.id).task = task!;
  }
}

function* promiseContradictions(id: string, { promise, inDoubt }: Fact, stored?: PromiseRecord): Iterable<string> {
  if (promise === undefined) return;
  if (stored === undefined) {
    yield `${id}: the promise is lost`;
    return;
  }
  // A settled one never changes; a pending one may have been settled by the call that was not answered.
  if (promise.state === PromiseState.PROMISE_STATE_PENDING && inDoubt) return;
  const [told, found] = [describe(promise), describe(stored)];
  if (told !== found) yield `${id}: the promise was ${told} and is ${found}`;
}

function* taskContradictions(id: string, { task, inDoubt }: Fact, stored?: TaskRecord): Iterable<string> {
  if (task === undefined) return;
  if (stored === undefined) {
    yield `${id}: the task is lost`;
    return;
  }
  const told = `${TaskState[task.state]} with version ${task.version}`;
  const found = `${TaskState[stored.state]} with version ${stored.version}`;
  const isFinal = task.state === TaskState.TASK_STATE_FULFILLED;
  if (stored.version < task.version) yield `${id}: the task was ${told} and is ${found}: it went back`;
  else if ((!inDoubt || isFinal) && told !== found) yield `${id}: the task was ${told} and is ${found}`;
}

function* listenerContradictions(id: string, fact: Fact, isListening: boolean, waits: boolean): Iterable<string> {
  if (fact.inDoubt) return;
  if (fact.listener === 'registered' && !isListening) yield `${id}: the listener is lost`;
  if (fact.listener === 'waiting' && !waits) yield `${id}: the unblock is lost`;
  if (fact.listener === 'acknowledged' && waits) yield `${id}: the unblock is back`;
}

/** The state for people, all the rest for comparison. */
function describe(record: PromiseRecord): string {
  return `${PromiseState[record.state]} (${Buffer.from(PromiseRecord.encode(record).finish()).toString('base64')})`;
}
