/** What the scripts have reached: cells of (step, status, reason, state class before). */
import type { Request } from '../model/operations.js';
import type { State } from '../model/state.js';
import type { Step } from './script.js';
import type { Answer } from './subject.js';

/** How often each cell was reached. */
export class Coverage {
  readonly #cells = new Map<string, number>();

  /** True if the cell is new. */
  note(cell: string): boolean {
    const count = this.#cells.get(cell) ?? 0;
    this.#cells.set(cell, count + 1);
    return count === 0;
  }

  get size(): number {
    return this.#cells.size;
  }

  missing(wanted: Iterable<string>): readonly string[] {
    return [...wanted].filter((cell) => !this.#cells.has(cell));
  }

  /** The cells in order, each with its count. */
  entries(): readonly (readonly [cell: string, count: number])[] {
    return [...this.#cells].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** The cell of a step: what it asked, how it was answered, and what its ids stood at before. */
export function cellOf(before: State, now: number, step: Step, answer: Answer): string {
  if (step.do !== 'request') {
    const fired = 'count' in answer && answer.count > 0 ? 'fires' : 'idle';
    return `${step.do}${on(before, now, step)}: ${fired}`;
  }
  const { operation } = step;
  if ('status' in answer && answer.status === 400) return `${operation.name}: refused at the door`;
  const isRefused = 'status' in answer && answer.status >= 400;
  return `${operation.name}${asked(operation)} on ${subjects(before, now, operation, isRefused)}: ${shown(answer)}`;
}

function on(state: State, now: number, step: Step): string {
  if (step.do === 'slice') return ` ${step.kind}`;
  if (step.do !== 'fire') return '';
  return ` ${step.kind} on ${step.kind === 'schedule' ? scheduleClass(state, step.id) : classOf(state, now, step.id)}`;
}

function asked({ name, request }: Request): string {
  return name === 'task.fence' ? ` ${request.action.kind}` : '';
}

function shown(answer: Answer): string {
  if ('count' in answer) return String(answer.count);
  const inner = answer.inner === undefined ? '' : ` (${shown(answer.inner)})`;
  return `${answer.status}${answer.reason === undefined ? '' : ` ${answer.reason}`}${inner}`;
}

/** The second id only where the answer depends on its class. */
function subjects(state: State, now: number, { name, request }: Request, isRefused: boolean): string {
  const of = (id: string) => classOf(state, now, id);
  switch (name) {
    case 'promise.register_callback': {
      const { awaited, awaiter } = request;
      return awaited === awaiter ? `itself ${of(awaited)}` : `${promiseClass(state, now, awaited)} for ${of(awaiter)}`;
    }
    case 'promise.register_listener':
      return of(request.awaited);
    case 'task.create':
      return of(request.action.id);
    case 'task.fence': {
      const inner = request.action.promise.id;
      if (isRefused) return of(request.id);
      return `${of(request.id)} for ${inner === request.id ? 'itself' : promiseClass(state, now, inner)}`;
    }
    case 'task.suspend':
      if (isRefused) return of(request.id);
      return `${of(request.id)} for ${classes(request.awaited.map((id) => promiseClass(state, now, id)))}`;
    case 'task.heartbeat':
      return classes(request.tasks.map(({ id }) => of(id)));
    case 'promise.search':
    case 'task.search':
    case 'schedule.search':
      return 'any';
    case 'schedule.get':
    case 'schedule.create':
    case 'schedule.delete':
      return scheduleClass(state, request.id);
    default:
      return of(request.id);
  }
}

function scheduleClass({ schedules }: State, id: string): string {
  return schedules.some((schedule) => schedule.id === id) ? 'present' : 'absent';
}

/** Each class once: order and number are not told apart. */
function classes(all: readonly string[]): string {
  return [...new Set(all)].sort().join(' and ') || 'nothing';
}

/** Where a task and its promise stand. */
export function classOf(state: State, now: number, id: string): string {
  return `${state.tasks.find((task) => task.id === id)?.state ?? 'none'}/${promiseClass(state, now, id)}`;
}

function promiseClass({ promises }: State, now: number, id: string): string {
  const promise = promises.find((each) => each.id === id);
  if (promise === undefined) return 'absent';
  if (promise.state !== 'pending') return 'settled';
  return promise.timeoutAt > now ? 'live' : 'expired';
}
