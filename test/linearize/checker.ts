/**
 * Is there an order of the calls that fits their intervals and explains every answer? The search of Wing and Gong (1993) with
 * the memory of Lowe (2017), over the model.
 *
 * The order must also be one of `now`, which the server promises never goes back: so the next call is always one of those with the
 * least `now` that is left. What remains open is the order of calls with the same `now`, when a due timeout fires, and
 * when, if ever, a call ran whose answer was lost.
 */
import { isRead } from '../model/operations.js';
import type { Response } from '../model/response.js';
import { differences } from '../support/differences.js';
import { idsOf, isAnswered, type AnsweredCall, type PlacedCall } from './history.js';
import { due, fire, INITIAL, run, type Firing, type State } from './specification.js';

/** One step of an order: a call that ran, or a timeout that fired. */
export type Step =
  | { readonly kind: 'call'; readonly call: PlacedCall; readonly now: number }
  | { readonly kind: 'firing'; readonly firing: Firing; readonly now: number };

type Answered = PlacedCall & AnsweredCall;

export type Verdict =
  | { readonly kind: 'explained'; readonly order: readonly Step[]; readonly configurations: number }
  | {
      readonly kind: 'refuted' | 'undecided';
      readonly configurations: number;
      /** The longest order that was found. */
      readonly order: readonly Step[];
      /** The calls that could have come next, and what they would have been answered. */
      readonly next: readonly { readonly call: Answered; readonly expected: Response }[];
    };

/** How many configurations are visited before the search gives up as undecided. */
export const BUDGET = 1_000_000;

/** A point of the search. */
interface Configuration {
  readonly state: State;
  /** The least `now` of what comes next. */
  readonly clock: number;
  /** A bit for each call that has run. */
  readonly done: bigint;
  /** How many of them are answered ones. */
  readonly answered: number;
  /** The place of the first answered call, in the order of `now`, that has not run. */
  readonly from: number;
  readonly step?: Step;
  readonly before?: Configuration;
}

/** Checks calls that share nothing with others (`components`). A search that runs out of its budget is undecided, which is no pass. */
export function check(calls: readonly PlacedCall[], budget = BUDGET): Verdict {
  return new Search(calls).run(budget);
}

class Search {
  /** In the order of `now`. */
  readonly #answered: readonly Answered[];
  readonly #lost: readonly PlacedCall[];
  readonly #bits = new Map<PlacedCall, bigint>();
  /** The earliest return among the answered calls from here on. */
  readonly #earliestReturn: readonly number[];
  readonly #instants: readonly number[];

  constructor(calls: readonly PlacedCall[]) {
    this.#answered = calls
      .filter(isAnswered)
      .sort((a, b) => a.answer.now - b.answer.now || a.answer.returnedAt - b.answer.returnedAt);
    this.#lost = calls.filter((call) => !isAnswered(call) && !isRead(call.operation.name));
    [...this.#answered, ...this.#lost].forEach((call, i) => this.#bits.set(call, 1n << BigInt(i)));
    const earliest: number[] = [];
    this.#answered.toReversed().reduce((least, { answer }) => {
      earliest.unshift(Math.min(least, answer.returnedAt));
      return earliest[0]!;
    }, Infinity);
    this.#earliestReturn = earliest;
    this.#instants = instantsOf(calls);
  }

  run(budget: number): Verdict {
    const start: Configuration = { state: INITIAL, clock: 0, done: 0n, answered: 0, from: 0 };
    const seen = new Set([keyOf(start)]);
    const stack = [this.#successors(start)];
    let longest = start;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (longest.answered === this.#answered.length) {
        return { kind: 'explained', order: orderOf(longest), configurations: seen.size };
      }
      const { value: next } = top.next();
      if (next === undefined) {
        stack.pop();
        continue;
      }
      const key = keyOf(next);
      if (seen.has(key)) continue;
      if (seen.size >= budget) return this.#unexplained('undecided', longest, seen.size);
      seen.add(key);
      stack.push(this.#successors(next));
      if (next.answered > longest.answered) longest = next;
    }
    return this.#unexplained('refuted', longest, seen.size);
  }

  #unexplained(kind: 'refuted' | 'undecided', longest: Configuration, configurations: number): Verdict {
    const next = this.#frontier(longest).candidates.map((call) => ({
      call,
      expected: run(longest.state, call.operation, call.answer.now).response,
    }));
    return { kind, configurations, order: orderOf(longest), next };
  }

  *#successors(at: Configuration): Generator<Configuration, undefined> {
    const { candidates, limit } = this.#frontier(at);
    const [first] = candidates;
    if (first === undefined) return;
    const { now } = first.answer;
    for (const call of candidates) {
      const { state, response } = run(at.state, call.operation, now);
      if (differences(call.answer.response, response).length === 0) {
        yield this.#after(at, { kind: 'call', call, now }, state);
      }
    }
    const lost = this.#lost.filter((call) => !this.#isDone(at.done, call) && call.calledAt <= limit);
    yield* this.#firings(at, now, [...candidates, ...lost]);
    for (const call of lost) yield* this.#lateRuns(at, call, now);
  }

  /**
   * The answered calls that may run next: of those left with the least `now`, the ones that were not made after another's return.
   * `limit` is the earliest return of all that are left: what was made later runs later.
   */
  #frontier({ done, from }: Configuration): { readonly candidates: readonly Answered[]; readonly limit: number } {
    const least = this.#answered[from]?.answer.now;
    const left: Answered[] = [];
    let end = from;
    for (; end < this.#answered.length && this.#answered[end]!.answer.now === least; end++) {
      const call = this.#answered[end]!;
      if (!this.#isDone(done, call)) left.push(call);
    }
    const later = this.#earliestReturn[end] ?? Infinity;
    const limit = Math.min(later, ...left.map(({ answer }) => answer.returnedAt));
    return { candidates: left.filter(({ calledAt }) => calledAt <= limit), limit };
  }

  /**
   * A firing matters only to a call that can notice it, and so is tried only just before one: the loss of a lease to a call that
   * names the task; the timeout of a promise to one that names a task which it resumes (a write that names the promise itself fires it
   * anyway, and a read shows it as if it had fired).
   */
  *#firings(at: Configuration, now: number, calls: readonly PlacedCall[]): Generator<Configuration, undefined> {
    const named = new Set(calls.flatMap(({ operation }) => idsOf(operation)));
    for (const firing of due(at.state, now)) {
      const { kind, id, dueAt } = firing;
      const resumed = at.state.promises.find((promise) => promise.id === id)?.callbacks ?? [];
      if (!(kind === 'lease' ? [id] : resumed).some((noticed) => named.has(noticed))) continue;
      const firedAt = Math.max(at.clock, dueAt);
      yield this.#after(at, { kind: 'firing', firing, now: firedAt }, fire(at.state, firing, firedAt));
    }
  }

  /**
   * A call whose answer was lost runs now, at some instant up to `now`. Instants differ only in what they are on the wrong side of (a
   * deadline) and in where they show (createdAt, settledAt); among the rest the earliest allows all that the others do. A call that
   * changes nothing may as well never have run.
   */
  *#lateRuns(at: Configuration, call: PlacedCall, now: number): Generator<Configuration, undefined> {
    const from = Math.max(at.clock, call.leastNow);
    if (from > now) return;
    for (const instant of [from, ...this.#instants.filter((each) => each > from && each <= now)]) {
      const { state } = run(at.state, call.operation, instant);
      if (differences(at.state, state).length === 0) continue;
      yield this.#after(at, { kind: 'call', call, now: instant }, state);
    }
  }

  #after(before: Configuration, step: Step, state: State): Configuration {
    let { done, answered, from } = before;
    if (step.kind === 'call') {
      done |= this.#bits.get(step.call)!;
      answered += Number(isAnswered(step.call));
      while (from < this.#answered.length && this.#isDone(done, this.#answered[from]!)) from++;
    }
    return { state, clock: step.now, done, answered, from, step, before };
  }

  #isDone(done: bigint, call: PlacedCall): boolean {
    return (done & this.#bits.get(call)!) !== 0n;
  }
}

/** Two points with the same key have the same future. An overdue lease is overdue, no matter since when. */
function keyOf({ state, clock, done }: Configuration): string {
  const { promises, tasks, promiseTimeouts, taskTimeouts } = state;
  const leases = taskTimeouts.map(({ id, timeout }) => [id, Math.max(timeout, clock)]);
  return JSON.stringify([done.toString(36), clock, promises, tasks, promiseTimeouts, leases]);
}

function orderOf(last: Configuration): readonly Step[] {
  const steps: Step[] = [];
  for (let at: Configuration | undefined = last; at !== undefined; at = at.before) if (at.step) steps.push(at.step);
  return steps.reverse();
}

/** Every instant that a request or an answer names, in order. */
function instantsOf(calls: readonly PlacedCall[]): readonly number[] {
  const instants = new Set<number>();
  const note = (name: string, value: unknown): unknown => {
    if (/^(timeoutAt|createdAt|settledAt)$/.test(name)) instants.add(value as number);
    return value;
  };
  JSON.stringify(
    calls.map(({ operation, answer }) => [operation, answer?.response]),
    note,
  );
  return [...instants].sort((a, b) => a - b);
}
