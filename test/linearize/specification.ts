/** The sequential specification: the model, less what no answer shows, in a form that two equal states share. */
import { respond, type Request } from '../model/operations.js';
import type { Response } from '../model/response.js';
import { EMPTY_STATE, type Machine, type State } from '../model/state.js';
import { onPromiseTimeout, onTaskLeaseTimeout } from '../model/timeouts.js';

export type { State };

export const INITIAL: State = EMPTY_STATE;

/** A transition that time causes and that clients can notice. A retry only sends again. */
export interface Firing {
  readonly kind: 'promise' | 'lease';
  readonly id: string;
  readonly dueAt: number;
}

export function run(
  state: State,
  operation: Request,
  now: number,
): { readonly state: State; readonly response: Response } {
  const machine: Machine = { state, sentAt: [] };
  const response = respond(machine, operation, now);
  return { response, state: machine.state === state ? state : essence(machine.state) };
}

/** What may fire at `now` or later: each at any moment after its instant, or not at all yet. */
export function due(state: State, now: number): readonly Firing[] {
  const fire = (kind: Firing['kind']) => (timer: { id: string; timeout: number }) =>
    timer.timeout <= now ? [{ kind, id: timer.id, dueAt: timer.timeout }] : [];
  return [...state.promiseTimeouts.flatMap(fire('promise')), ...state.taskTimeouts.flatMap(fire('lease'))];
}

/** Does nothing if it is not armed, or not due. */
export function fire(state: State, { kind, id }: Firing, now: number): State {
  const machine: Machine = { state, sentAt: [] };
  const fired = kind === 'promise' ? onPromiseTimeout(machine, id, now) : onTaskLeaseTimeout(machine, id, now);
  return fired === 0 ? state : essence(machine.state);
}

/** Without messages, listeners and retries; the order of lists means nothing. */
function essence({ promises, tasks, promiseTimeouts, taskTimeouts }: State): State {
  return {
    ...INITIAL,
    promises: byId(promises.map((promise) => ({ ...promise, callbacks: promise.callbacks.toSorted(), listeners: [] }))),
    tasks: byId(tasks.map((task) => ({ ...task, resumes: task.resumes.toSorted() }))),
    promiseTimeouts: byId(promiseTimeouts),
    taskTimeouts: byId(taskTimeouts.filter(({ kind }) => kind === 'lease')),
  };
}

function byId<T extends { readonly id: string }>(list: readonly T[]): readonly T[] {
  return list.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
