/** The whole examination: is a recorded history explained, and are altered ones refuted? */
import { Random } from '../support/random.js';
import { ALTERATIONS } from './alterations.js';
import { bruteForce } from './brute-force.js';
import { check, type Step, type Verdict } from './checker.js';
import { clockFaults, components, isAnswered, place, type Call, type PlacedCall } from './history.js';

/** What became of one component. */
export interface Examined {
  readonly calls: readonly PlacedCall[];
  readonly verdict: Verdict;
}

export interface Examination {
  readonly components: readonly Examined[];
  /** Answers whose `now` is before that of one that had come already. None may be. */
  readonly clockFaults: readonly PlacedCall[];
}

export interface Refutations {
  readonly kind: string;
  /** Altered histories that brute force has found impossible, and how many of them the checker refuted: all must be. */
  readonly impossible: number;
  readonly refuted: number;
  /** Altered histories for which brute force has found an order, and how many of them the checker explained: all must be. */
  readonly possible: number;
  readonly explained: number;
  /** The largest window, in calls, all of whose orders had to be tried to find one impossible. */
  readonly largestWindow: number;
}

export function examine(history: readonly Call[]): Examination {
  const calls = place(history);
  const examined = components(calls).map((component) => ({ calls: component, verdict: check(component) }));
  return { components: examined, clockFaults: clockFaults(calls) };
}

export function isExplained({ components, clockFaults }: Examination): boolean {
  return clockFaults.length === 0 && components.every(({ verdict }) => verdict.kind === 'explained');
}

/** Alters explained components until brute force has confirmed so many impossible histories of each class. */
export function refute({ components }: Examination, seed: number, ofEach: number): readonly Refutations[] {
  return Object.entries(ALTERATIONS).map(([kind, alter], i) => {
    const random = new Random(seed + i);
    const counts = { impossible: 0, refuted: 0, possible: 0, explained: 0, largestWindow: 0 };
    for (let tries = 0; counts.impossible < ofEach && tries < 20 * ofEach; tries++) {
      const { calls, verdict } = random.pick(components);
      const altered = verdict.kind === 'explained' ? alter({ calls, order: verdict.order }, random) : undefined;
      const finding = altered && bruteForce(altered);
      if (altered === undefined || finding === undefined) continue;
      const { kind: judged } = check(altered);
      if (finding.possible) {
        counts.possible++;
        counts.explained += Number(judged === 'explained');
      } else {
        counts.impossible++;
        counts.refuted += Number(judged === 'refuted');
        counts.largestWindow = Math.max(counts.largestWindow, finding.window.length);
      }
    }
    return { kind, ...counts };
  });
}

/** The steps of an order, counted by what they are evidence of. */
export function countSteps(components: readonly Examined[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verdict } of components) {
    for (const step of verdict.order) counts.set(labelOf(step), (counts.get(labelOf(step)) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function labelOf(step: Step): string {
  if (step.kind === 'firing') return step.firing.kind === 'lease' ? 'a lease lost' : 'a deadline noticed by an awaiter';
  const { name } = step.call.operation;
  if (!isAnswered(step.call)) return `${name} lost, but ran`;
  const { status, reason, inner } = step.call.answer.response;
  return [name, status, reason, inner && `(${inner.status})`].filter(Boolean).join(' ');
}

/** A verdict that is no explanation, in lines: the last steps of the longest order, and what does not follow. */
export function describe({ calls, verdict }: Examined): string {
  if (verdict.kind === 'explained') return 'explained';
  const lines = [`${verdict.kind} after ${verdict.configurations} configurations, ${calls.length} calls`];
  for (const step of verdict.order.slice(-12)) lines.push(`  ${showStep(step)}`);
  lines.push('  and next one of');
  for (const { call, expected } of verdict.next) {
    lines.push(`  ${showStep({ kind: 'call', call, now: call.answer.now })}`);
    lines.push(`    the specification says ${JSON.stringify(expected)}`);
  }
  return lines.join('\n');
}

function showStep(step: Step): string {
  if (step.kind === 'firing') return `at ${step.now} the ${step.firing.kind} timeout of ${step.firing.id} fires`;
  const { client, operation, calledAt, answer } = step.call;
  const interval = `${calledAt.toFixed(3)} to ${answer?.returnedAt.toFixed(3) ?? 'never'}`;
  const request = `${operation.name} ${JSON.stringify(operation.request)}`;
  return `at ${step.now} client ${client} (${interval}) ${request}: ${JSON.stringify(answer?.response ?? 'lost')}`;
}
