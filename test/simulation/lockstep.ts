/** The model and the stores run the same script, step by step, and must answer and hold the same. */
import { isRead, respond } from '../model/operations.js';
import { newMachine, removeUnblock, type Machine, type State } from '../model/state.js';
import {
  dropUnblocksSentBefore,
  onPromiseTimeout,
  onScheduleTimeout,
  onTaskLeaseTimeout,
  onTaskRetryTimeout,
  slice,
  sweep,
} from '../model/timeouts.js';
import { differences } from '../support/differences.js';
import { History, transitionViolations, violations, type Event } from '../support/invariants.js';
import { cellOf } from './coverage.js';
import { ordered } from './records.js';
import { START, type Step } from './script.js';
import type { Answer, Subject } from './subject.js';

/** Why a script failed. */
export interface Failure {
  readonly step: Step;
  /** The store that differs, or `invariants`. */
  readonly where: string;
  readonly lines: readonly string[];
}

export class Lockstep {
  readonly machine: Machine;
  readonly history: History;
  now: number;
  /** The cell that the last step reached. */
  cell = '';
  readonly #subjects: readonly Subject[];

  /** The subjects are empty; or they hold what `earlier` holds, from where this one goes on. */
  constructor(subjects: readonly Subject[], earlier?: Lockstep) {
    this.#subjects = subjects;
    this.machine = earlier === undefined ? newMachine() : { ...earlier.machine };
    this.history = new History(earlier?.history);
    this.now = earlier?.now ?? START;
  }

  /** Runs one step everywhere. */
  run(step: Step): Failure | undefined {
    const before = this.machine.state;
    if (step.do === 'clock') this.now = Math.max(this.now, step.to);
    const expected = this.#answerOfModel(step);
    const after = this.machine.state;
    this.cell = cellOf(before, this.now, step, expected);

    const broken = this.#invariants(before, after, step, expected);
    if (broken.length > 0) return { step, where: 'invariants', lines: broken };
    const expectedState = ordered(after);
    for (const subject of this.#subjects) {
      const lines = this.#compare(subject, step, expected, expectedState);
      if (lines.length > 0) return { step, where: subject.name, lines };
    }
    return undefined;
  }

  #compare(subject: Subject, step: Step, expected: Answer, expectedState: State): string[] {
    try {
      const answer = subject.run(step, this.now);
      return [...differences(expected, answer, 'answer'), ...differences(expectedState, subject.state(), 'state')];
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4) : [String(error)];
    }
  }

  #invariants(before: State, after: State, step: Step, answer: Answer): string[] {
    if (step.do !== 'request' || 'count' in answer) {
      return [...violations(after), ...transitionViolations(before, after, { now: this.now })];
    }
    const event: Event = { now: this.now, operation: step.operation, response: answer };
    const reads = isRead(step.operation.name) ? differences(before, after, 'a read changed ') : [];
    return [
      ...violations(after),
      ...transitionViolations(before, after, event),
      ...this.history.note(step.operation, answer, after),
      ...reads,
    ];
  }

  #answerOfModel(step: Step): Answer {
    const m = this.machine;
    switch (step.do) {
      case 'request':
        return respond(m, step.operation, this.now);
      case 'clock':
        return { count: 0 };
      case 'sweep':
        return { count: sweep(m, this.now) };
      case 'slice':
        return { count: slice(m, step.kind, this.now, step.limit) };
      case 'fire':
        return { count: this.#fire(step) };
      case 'acknowledge':
        return { count: Number(removeUnblock(m, step.promiseId, step.address)) };
      case 'drop unblocks':
        return { count: dropUnblocksSentBefore(m, step.before) };
    }
  }

  #fire({ kind, id, limit }: Extract<Step, { do: 'fire' }>): number {
    switch (kind) {
      case 'schedule':
        return onScheduleTimeout(this.machine, id, this.now, limit);
      case 'promise':
        return onPromiseTimeout(this.machine, id, this.now);
      case 'retry':
        return onTaskRetryTimeout(this.machine, id, this.now);
      case 'lease':
        return onTaskLeaseTimeout(this.machine, id, this.now);
    }
  }
}
