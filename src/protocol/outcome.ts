/** What a handler answers. A refusal is a value like any other: handlers do not throw. */
import type { PromiseObject, ScheduleObject, TaskObject } from './objects.js';

/** Why a request was refused. The names are those of the enum `Reason` in `refusal.proto`. */
export type Reason =
  | 'PROMISE_NOT_FOUND'
  | 'TASK_NOT_FOUND'
  | 'SCHEDULE_NOT_FOUND'
  | 'TASK_MISSING'
  | 'PROMISE_MISSING'
  | 'TASK_NOT_ACQUIRED'
  | 'TASK_NOT_PENDING'
  | 'PROMISE_NOT_LIVE'
  | 'TASK_VERSION_MISMATCH'
  | 'TASK_FULFILLED'
  | 'TASK_NOT_HALTED'
  | 'AWAITER_NOT_FOUND'
  | 'AWAITER_WITHOUT_TARGET'
  | 'AWAITED_NOT_FOUND'
  | 'PROMISE_WITHOUT_TARGET'
  | 'NOT_IMPLEMENTED';

/** A refusal: nothing was written beyond the due timeouts that fired first. */
export interface Refusal {
  readonly status: 404 | 409 | 422 | 501;
  readonly reason: Reason;
  readonly message: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** 200 with whatever the operation answers, or a refusal. */
export type Outcome<Answer = object> = ({ readonly status: 200 } & Answer) | Refusal;

export type PromiseOutcome = Outcome<{ readonly promise: PromiseObject }>;
export type TaskOutcome = Outcome<{ readonly task: TaskObject }>;
export type TaskAndPromiseOutcome = Outcome<{ readonly task: TaskObject; readonly promise: PromiseObject }>;
export type ScheduleOutcome = Outcome<{ readonly schedule: ScheduleObject }>;
export type FenceOutcome = Outcome<{ readonly outcome: PromiseOutcome }>;
/** 300: an awaited promise is settled already, the task stays acquired. */
export type SuspendOutcome = Outcome | { readonly status: 300 };

export function isRefusal(outcome: { readonly status: number }): outcome is Refusal {
  return outcome.status >= 400;
}

export const OK = { status: 200 } as const;

export function promiseNotFound(id: string): Refusal {
  return { status: 404, reason: 'PROMISE_NOT_FOUND', message: `no promise ${quote(id)}`, metadata: { id } };
}

export function taskNotFound(id: string): Refusal {
  return { status: 404, reason: 'TASK_NOT_FOUND', message: `no task ${quote(id)}`, metadata: { id } };
}

export function scheduleNotFound(id: string): Refusal {
  return { status: 404, reason: 'SCHEDULE_NOT_FOUND', message: `no schedule ${quote(id)}`, metadata: { id } };
}

export function taskMissing(id: string): Refusal {
  return { status: 409, reason: 'TASK_MISSING', message: `promise ${quote(id)} has no task`, metadata: { id } };
}

export function promiseMissing(task: TaskObject): Refusal {
  return conflict('PROMISE_MISSING', task, 'has no promise');
}

export function taskNotAcquired(task: TaskObject): Refusal {
  return conflict('TASK_NOT_ACQUIRED', task, `is ${task.state}, not acquired`);
}

export function taskNotPending(task: TaskObject): Refusal {
  return conflict('TASK_NOT_PENDING', task, `is ${task.state}, not pending`);
}

export function promiseNotLive(task: TaskObject): Refusal {
  return conflict('PROMISE_NOT_LIVE', task, 'has a promise that is settled or past its deadline');
}

export function taskVersionMismatch(task: TaskObject, version: number): Refusal {
  return conflict('TASK_VERSION_MISMATCH', task, `is at version ${task.version}, not ${version}`);
}

export function taskFulfilled(task: TaskObject): Refusal {
  return conflict('TASK_FULFILLED', task, 'is fulfilled and cannot be halted');
}

export function taskNotHalted(task: TaskObject): Refusal {
  return conflict('TASK_NOT_HALTED', task, `is ${task.state}, not halted`);
}

export function awaiterNotFound(id: string): Refusal {
  return { status: 422, reason: 'AWAITER_NOT_FOUND', message: `no awaiting promise ${quote(id)}`, metadata: { id } };
}

export function awaiterWithoutTarget(id: string): Refusal {
  return {
    status: 422,
    reason: 'AWAITER_WITHOUT_TARGET',
    message: `the awaiting promise ${quote(id)} has no resonate:target`,
    metadata: { id },
  };
}

export function awaitedNotFound(id: string): Refusal {
  return { status: 422, reason: 'AWAITED_NOT_FOUND', message: `no awaited promise ${quote(id)}`, metadata: { id } };
}

export function promiseWithoutTarget(id: string): Refusal {
  return {
    status: 422,
    reason: 'PROMISE_WITHOUT_TARGET',
    message: `promise ${quote(id)} exists and has no resonate:target, so it has no task to take`,
    metadata: { id },
  };
}

export function notImplemented(operation: string): Refusal {
  return {
    status: 501,
    reason: 'NOT_IMPLEMENTED',
    message: `${operation} is not specified by the protocol yet`,
    metadata: {},
  };
}

/** A 409 about a task carries where the task stands, so that a holder whose answer was lost can recognise itself. */
function conflict(reason: Reason, task: TaskObject, problem: string): Refusal {
  return {
    status: 409,
    reason,
    message: `task ${quote(task.id)} ${problem}`,
    metadata: {
      id: task.id,
      task_state: task.state,
      task_version: String(task.version),
      ...(task.pid === undefined ? {} : { task_pid: task.pid }),
    },
  };
}

/** Whole ids are in the metadata; a message stays short, since a large trailer hides the real error from clients. */
function quote(id: string): string {
  return JSON.stringify(id.length <= 80 ? id : `${id.slice(0, 80)}…`);
}
