/** The records of the wire from the objects of the protocol. */
import {
  PromiseState,
  SettleState,
  type PromiseRecord,
} from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { Reason, type Refusal } from '../../clients/typescript/gen/resonate_grpc/v1/refusal.js';
import type { ScheduleRecord } from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import { TaskState, type TaskRecord } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type * as wire from '../../clients/typescript/gen/resonate_grpc/v1/value.js';
import type * as protocol from '../protocol/objects.js';
import type { RequestError } from './errors.js';

const PROMISE_STATE: Record<protocol.PromiseState, PromiseState> = {
  pending: PromiseState.PROMISE_STATE_PENDING,
  resolved: PromiseState.PROMISE_STATE_RESOLVED,
  rejected: PromiseState.PROMISE_STATE_REJECTED,
  rejected_canceled: PromiseState.PROMISE_STATE_REJECTED_CANCELED,
  rejected_timedout: PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT,
};

const SETTLE_STATE: Record<protocol.SettleState, SettleState> = {
  resolved: SettleState.SETTLE_STATE_RESOLVED,
  rejected: SettleState.SETTLE_STATE_REJECTED,
  rejected_canceled: SettleState.SETTLE_STATE_REJECTED_CANCELED,
};

const TASK_STATE: Record<protocol.TaskState, TaskState> = {
  pending: TaskState.TASK_STATE_PENDING,
  acquired: TaskState.TASK_STATE_ACQUIRED,
  suspended: TaskState.TASK_STATE_SUSPENDED,
  halted: TaskState.TASK_STATE_HALTED,
  fulfilled: TaskState.TASK_STATE_FULFILLED,
};

function inverse<T extends string>(states: Record<T, number>): ReadonlyMap<number, T> {
  return new Map((Object.entries(states) as [T, number][]).map(([name, number]) => [number, name]));
}

/** The states of the wire by number: unspecified and unknown ones are missing. */
export const PROMISE_STATES = inverse(PROMISE_STATE);
export const SETTLE_STATES = inverse(SETTLE_STATE);
export const TASK_STATES = inverse(TASK_STATE);

export function promiseRecord(promise: protocol.PromiseObject): PromiseRecord {
  return {
    id: promise.id,
    state: PROMISE_STATE[promise.state],
    param: toValue(promise.param),
    value: toValue(promise.value),
    tags: promise.tags as Map<string, string>,
    timeoutAtMs: promise.timeoutAt,
    createdAtMs: promise.createdAt,
    settledAtMs: promise.settledAt,
  };
}

export function taskRecord(task: protocol.TaskObject): TaskRecord {
  const { id, version, resumes, ttl, pid } = task;
  return { id, state: TASK_STATE[task.state], version, resumes, ttlMs: ttl, pid };
}

export function scheduleRecord(schedule: protocol.ScheduleObject): ScheduleRecord {
  return {
    id: schedule.id,
    cron: schedule.cron,
    promiseId: schedule.promiseId,
    promiseTimeoutMs: schedule.promiseTimeout,
    promiseParam: toValue(schedule.promiseParam),
    promiseTags: schedule.promiseTags as Map<string, string>,
    createdAtMs: schedule.createdAt,
    nextRunAtMs: schedule.nextRunAt,
    lastRunAtMs: schedule.lastRunAt,
  };
}

/** An error as a value. The protocol's number has a field of its own. */
export function refusalRecord({ reason, code, message, metadata }: RequestError): Refusal {
  const { status, ...facts } = metadata;
  return {
    reason: Reason[`REASON_${reason}`],
    protocolStatus: Number(status ?? 0),
    message,
    metadata: new Map(Object.entries(facts)),
    code,
  };
}

function toValue(value: protocol.Value): wire.Value {
  return { headers: value.headers as Map<string, string>, data: value.data };
}
