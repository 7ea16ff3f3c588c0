/** What the machine answers: a status of the protocol, and a record or the reason of a refusal. */
import type { PromiseRecord, Schedule, TaskObject, TaskRecord } from './state.js';

export interface Response {
  /** Of the protocol. 400: refused at the door, before the machine. */
  readonly status: 200 | 300 | 400 | 404 | 409 | 422 | 501;
  /** Of a refusal: the name in `refusal.proto`. */
  readonly reason?: string;
  /** Of a refusal: the facts behind the reason, as `refusal.proto` lists them. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly promise?: PromiseRecord;
  readonly task?: TaskRecord;
  readonly schedule?: Schedule;
  /** T-04: what the inner action answered. */
  readonly inner?: Response;
}

export const OK: Response = { status: 200 };

export const NOT_IMPLEMENTED: Response = { status: 501, reason: 'NOT_IMPLEMENTED', metadata: {} };

export const REFUSED_AT_THE_DOOR: Response = { status: 400, reason: 'INVALID_REQUEST' };

export function refusal(status: 404 | 409 | 422, reason: string, id: string): Response {
  return { status, reason, metadata: { id } };
}

/** A 409 about a task tells where the task stands. */
export function conflict(reason: string, task: TaskObject): Response {
  return {
    status: 409,
    reason,
    metadata: {
      id: task.id,
      task_state: task.state,
      task_version: String(task.version),
      ...(task.pid === undefined ? {} : { task_pid: task.pid }),
    },
  };
}
