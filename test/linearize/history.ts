/** What concurrent clients saw. Plain data that JSON can hold. The clients share one monotonic clock, in ms. */
import { namedPromises, type Request } from '../model/operations.js';
import type { Response } from '../model/response.js';

export interface Answer {
  readonly returnedAt: number;
  /** The instant that the server's handler took for the present, in ms since the Unix epoch. */
  readonly now: number;
  readonly response: Response;
}

export interface Call {
  readonly client: number;
  readonly operation: Request;
  readonly calledAt: number;
  /** Absent when it was lost: then the call may run at any moment after `calledAt`, or never. */
  readonly answer?: Answer;
}

export type AnsweredCall = Call & { readonly answer: Answer };

/** A call with what the whole history says about it. */
export interface PlacedCall extends Call {
  /** The latest `now` among the answers that had come before this call was made: its own cannot be less. */
  readonly leastNow: number;
}

export function isAnswered<C extends Call>(call: C): call is C & AnsweredCall {
  return call.answer !== undefined;
}

/** Every id that an operation reads or writes. What its answer shows of others went through a call that named both. */
export function idsOf(operation: Request): readonly string[] {
  return namedPromises(operation);
}

/** Gives each call its `leastNow`. The result is in order of `calledAt`. */
export function place(history: readonly Call[]): readonly PlacedCall[] {
  const returns = history.filter(isAnswered).sort((a, b) => a.answer.returnedAt - b.answer.returnedAt);
  const calls = [...history].sort((a, b) => a.calledAt - b.calledAt);
  let returned = 0;
  let leastNow = 0;
  return calls.map((call) => {
    for (let next = returns[returned]; next !== undefined && next.answer.returnedAt < call.calledAt;) {
      leastNow = Math.max(leastNow, next.answer.now);
      next = returns[++returned];
    }
    return { ...call, leastNow };
  });
}

/** The calls whose `now` is before that of an answer which had come already: the server's clock went back. */
export function clockFaults(calls: readonly PlacedCall[]): readonly PlacedCall[] {
  return calls.filter(({ answer, leastNow }) => answer !== undefined && answer.now < leastNow);
}

/**
 * The calls of each connected component of the ids, where a call connects the ids that it names.
 *
 * Each component can be checked alone. The machine is the product of one machine per component: a transition of one reads and
 * writes nothing of another, since callbacks, and so resumes, arise only between ids that one call names. Linearizability
 * is local (Herlihy and Wing 1990), and with it the order of `now`: if no answer's `now` is before `leastNow` over the whole
 * history, then orders of the components, each in step with real time and with `now`, merge into one that is.
 */
export function components(calls: readonly PlacedCall[]): readonly (readonly PlacedCall[])[] {
  const parents = new Map<string, string>();
  const root = (id: string): string => {
    let at = id;
    for (let up = parents.get(at); up !== undefined; up = parents.get(at)) at = up;
    return at;
  };
  for (const { operation } of calls) {
    const [first = '', ...others] = idsOf(operation).map(root);
    for (const other of others) if (root(other) !== root(first)) parents.set(root(other), root(first));
  }
  const found = new Map<string, PlacedCall[]>();
  for (const call of calls) {
    const key = root(idsOf(call.operation)[0] ?? '');
    const component = found.get(key);
    if (component === undefined) found.set(key, [call]);
    else component.push(call);
  }
  return [...found.values()];
}
