/**
 * The same question as the checker's, answered without thought, for histories in which no write was lost, to judge the checker: walks
 * along the returns and keeps every state that some order of the calls so far can have led to. Before each return it tries
 * every order of the calls that are open, and every set of due timeouts before each of them.
 */
import { isDeepStrictEqual } from 'node:util';
import { isRead } from '../model/operations.js';
import { isAnswered, type AnsweredCall, type PlacedCall } from './history.js';
import { due, fire, INITIAL, run, type State } from './specification.js';

/** Where calls have led. */
interface Point {
  readonly state: State;
  readonly clock: number;
  /** The calls that have run without having returned. */
  readonly ran: ReadonlySet<AnsweredCall>;
}

export interface Finding {
  /** Whether some order explains every answer. */
  readonly possible: boolean;
  /** If not: the calls that were open at the first return that none explains, all of whose orders have been tried. */
  readonly window: readonly PlacedCall[];
}

/** How many points may be visited: with more, another history is altered instead. */
const MOST = 3_000;

/** Undefined if a write was lost, or if there is too much to try. */
export function bruteForce(calls: readonly PlacedCall[]): Finding | undefined {
  if (calls.some((call) => !isAnswered(call) && !isRead(call.operation.name))) return undefined;
  const answered = calls.filter(isAnswered);
  let points: readonly Point[] = [{ state: INITIAL, clock: 0, ran: new Set() }];
  let visited = 0;
  let returned = -Infinity;
  for (const call of answered.toSorted((a, b) => a.answer.returnedAt - b.answer.returnedAt)) {
    const { returnedAt } = call.answer;
    const open = answered.filter((each) => each.calledAt <= returnedAt && each.answer.returnedAt > returned);
    const reached: Point[] = [];
    const seen = new Set<string>();
    const queue = [...points];
    for (let point = queue.pop(); point !== undefined; point = queue.pop()) {
      const key = keyOf(point, open);
      if (seen.has(key)) continue;
      seen.add(key);
      if (++visited > MOST) return undefined;
      if (point.ran.has(call)) reached.push({ ...point, ran: new Set([...point.ran].filter((each) => each !== call)) });
      else for (const next of open) if (!point.ran.has(next)) queue.push(...outcomes(point, next));
    }
    if (reached.length === 0) return { possible: false, window: open };
    points = reached;
    returned = returnedAt;
  }
  return { possible: true, window: [] };
}

/** Where a point leads if this call runs next. */
function outcomes({ state, clock, ran }: Point, call: AnsweredCall): readonly Point[] {
  const { now, response } = call.answer;
  if (now < clock) return [];
  return firedSubsets(state, now)
    .map((before) => run(before, call.operation, now))
    .filter((after) => after.response.status === response.status)
    .filter((after) => isDeepStrictEqual(plain(after.response), plain(response)))
    .map((after) => ({ state: after.state, clock: now, ran: new Set([...ran, call]) }));
}

function firedSubsets(state: State, now: number): readonly State[] {
  return due(state, now).reduce<readonly State[]>(
    (states, firing) => [...states, ...states.map((each) => fire(each, firing, now))],
    [state],
  );
}

/** As it would be after a journey through JSON: a field that is undefined is none. */
function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

function keyOf({ state, clock, ran }: Point, open: readonly AnsweredCall[]): string {
  return JSON.stringify([state, clock, open.map((call) => ran.has(call))]);
}
