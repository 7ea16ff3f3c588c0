/** Turns what clients really saw into what they would have seen of a server with a certain fault. */
import { refusal, type Response } from '../model/response.js';
import { getPromise, toRecord, type PromiseRecord, type State } from '../model/state.js';
import { differences } from '../support/differences.js';
import type { Random } from '../support/random.js';
import type { Step } from './checker.js';
import { isAnswered, type AnsweredCall, type PlacedCall } from './history.js';
import { fire, INITIAL, run } from './specification.js';

/** A history of one component and an order that explains it. */
export interface Explained {
  readonly calls: readonly PlacedCall[];
  readonly order: readonly Step[];
}

type Answered = PlacedCall & AnsweredCall;

/** One fault, somewhere. Undefined where there is no place for it. Nobody says that no order explains what comes out. */
export type Alteration = (explained: Explained, random: Random) => readonly PlacedCall[] | undefined;

/** By the class of the fault. */
export const ALTERATIONS: Readonly<Record<string, Alteration>> = {
  'stale read': staleRead,
  'version ± 1': versionOffByOne,
  'lost write': lostWrite,
  'flipped status': flippedStatus,
  'two holders': twoHolders,
};

/** A read answers what an earlier one of the same record did. */
function staleRead({ calls }: Explained, random: Random): readonly PlacedCall[] | undefined {
  const reads = calls.filter(isAnswered).filter(({ operation: { name } }) => name.endsWith('.get'));
  return alterOne(reads, calls, random, (read) => {
    const older = reads.filter(
      ({ operation, answer }) =>
        answer.now < read.answer.now &&
        differences(operation, read.operation).length === 0 &&
        differences(answer.response, read.answer.response).length > 0,
    );
    return older.length === 0 ? undefined : random.pick(older).answer.response;
  });
}

/** An answer tells of a task under the next or the previous version. */
function versionOffByOne({ calls }: Explained, random: Random): readonly PlacedCall[] | undefined {
  return alterOne(calls.filter(isAnswered), calls, random, ({ answer: { response } }) => {
    const { task, metadata } = response;
    const version = task?.version ?? Number(metadata?.task_version);
    const other = random.below(2) === 0 ? version + 1 : version - 1;
    if (!(other >= 0)) return undefined;
    if (task !== undefined) return { ...response, task: { ...task, version: other } };
    return { ...response, metadata: { ...metadata, task_version: String(other) } };
  });
}

/** A write is acknowledged, and all goes on as if it had never been. */
function lostWrite({ calls, order }: Explained, random: Random): readonly PlacedCall[] | undefined {
  const writes: PlacedCall[] = [];
  replay(order, (state, { call, now }) => {
    const after = run(state, call.operation, now);
    const acknowledged = isAnswered(call) && after.response.status === 200;
    if (acknowledged && differences(state, after.state).length > 0) writes.push(call);
    return after.state;
  });
  if (writes.length === 0) return undefined;
  const lost = random.pick(writes);
  const answers = new Map<PlacedCall, Response>();
  replay(order, (state, { call, now }) => {
    const after = run(state, call.operation, now);
    if (call === lost) return state;
    answers.set(call, after.response);
    return after.state;
  });
  return calls.map((call) => withResponse(call, answers.get(call)));
}

/** An answer says that what was done was not, or the other way round. */
function flippedStatus({ calls }: Explained, random: Random): readonly PlacedCall[] | undefined {
  return alterOne(calls.filter(isAnswered), calls, random, ({ operation, answer: { response, now } }) => {
    const { status, promise, task } = response;
    if (operation.name === 'task.suspend' && status < 400) return { status: status === 200 ? 300 : 200 };
    if (promise !== undefined) return { ...response, promise: flipped(promise, now) };
    if (task !== undefined) return refusal(404, 'TASK_NOT_FOUND', task.id);
    if (/^task\.(release|halt|continue|suspend)$/.test(operation.name) && 'id' in operation.request) {
      return status === 200 ? refusal(404, 'TASK_NOT_FOUND', operation.request.id) : { status: 200 };
    }
    return undefined;
  });
}

function flipped(promise: PromiseRecord, now: number): PromiseRecord {
  switch (promise.state) {
    case 'pending':
      return { ...promise, state: 'resolved', settledAt: now };
    case 'resolved':
      return { ...promise, state: 'rejected' };
    default:
      return { ...promise, state: 'resolved' };
  }
}

/** A task that somebody holds is given to another, under the same version or the next. */
function twoHolders({ calls, order }: Explained, random: Random): readonly PlacedCall[] | undefined {
  const states = new Map<PlacedCall, State>();
  replay(order, (state, { call, now }) => {
    states.set(call, state);
    return run(state, call.operation, now).state;
  });
  return alterOne(calls.filter(isAnswered), calls, random, (call) => {
    const { operation, answer } = call;
    const { reason, metadata } = answer.response;
    if (operation.name !== 'task.acquire' && operation.name !== 'task.create') return undefined;
    if (reason !== 'TASK_NOT_PENDING' || metadata?.task_state !== 'acquired') return undefined;
    const id = metadata.id!;
    const promise = getPromise({ state: states.get(call)!, sentAt: [] }, id)!;
    const { pid, ttl } = operation.request;
    const version = Number(metadata.task_version) + random.below(2);
    return {
      status: 200,
      promise: toRecord(promise, answer.now),
      task: { id, state: 'acquired', version, ttl, pid, resumes: 0 },
    };
  });
}

/** Replaces the answer of one of these calls, chosen at random among those that `alter` has another one for. */
function alterOne(
  candidates: readonly Answered[],
  calls: readonly PlacedCall[],
  random: Random,
  alter: (call: Answered) => Response | undefined,
): readonly PlacedCall[] | undefined {
  const left = [...candidates];
  while (left.length > 0) {
    const [call] = left.splice(random.below(left.length), 1) as [Answered];
    const response = alter(call);
    if (response !== undefined) return calls.map((each) => (each === call ? withResponse(call, response) : each));
  }
  return undefined;
}

function withResponse(call: PlacedCall, response: Response | undefined): PlacedCall {
  return response === undefined || call.answer === undefined ? call : { ...call, answer: { ...call.answer, response } };
}

/** Runs an order anew; `apply` says what each call leads to. */
function replay(order: readonly Step[], apply: (state: State, step: Step & { kind: 'call' }) => State): void {
  let state = INITIAL;
  for (const step of order) state = step.kind === 'call' ? apply(state, step) : fire(state, step.firing, step.now);
}
