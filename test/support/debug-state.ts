/** The state of a server, as the debug service dumps it, in the terms of the model. */
import {
  DebugTimeoutKind,
  type DebugMessage,
  type DebugSnapshotResponse,
} from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { PromiseState, type PromiseRecord } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import type { ScheduleRecord } from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import { TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type { Value } from '../../clients/typescript/gen/resonate_grpc/v1/value.js';
import type * as model from '../model/state.js';

export function stateOfSnapshot(snapshot: DebugSnapshotResponse): model.State {
  const timeouts = (...kinds: readonly DebugTimeoutKind[]) =>
    snapshot.timeouts
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ kind, id, dueAtMs }) => ({ kind, id, timeout: dueAtMs }));
  const { DEBUG_TIMEOUT_KIND_RETRY, DEBUG_TIMEOUT_KIND_LEASE } = DebugTimeoutKind;
  return {
    promises: snapshot.promises.map(({ promise, callbacks, listeners }) => ({
      ...promiseOf(promise!),
      callbacks,
      listeners,
    })),
    tasks: snapshot.tasks.map(({ task, resumes }) => {
      const { id, state, version, ttlMs, pid } = task!;
      const holder = { ...(ttlMs === undefined ? {} : { ttl: ttlMs }), ...(pid === undefined ? {} : { pid }) };
      return { id, state: nameOf(TaskState[state]) as model.TaskState, version, resumes, ...holder };
    }),
    schedules: snapshot.schedules.map(scheduleOf),
    promiseTimeouts: timeouts(DebugTimeoutKind.DEBUG_TIMEOUT_KIND_PROMISE),
    taskTimeouts: timeouts(DEBUG_TIMEOUT_KIND_RETRY, DEBUG_TIMEOUT_KIND_LEASE).map(({ kind, ...timeout }) => ({
      ...timeout,
      kind: kind === DEBUG_TIMEOUT_KIND_LEASE ? 'lease' : 'retry',
    })),
    scheduleTimeouts: timeouts(DebugTimeoutKind.DEBUG_TIMEOUT_KIND_SCHEDULE),
    outbox: snapshot.outbox.map((message) => messageOf(snapshot, message)),
  };
}

export function promiseOf(record: PromiseRecord): model.PromiseRecord {
  const { id, state, param, value, tags, timeoutAtMs, createdAtMs, settledAtMs } = record;
  return {
    id,
    state: nameOf(PromiseState[state]) as model.PromiseState,
    param: valueOf(param),
    value: valueOf(value),
    tags: [...tags],
    timeoutAt: timeoutAtMs,
    createdAt: createdAtMs,
    ...(settledAtMs === undefined ? {} : { settledAt: settledAtMs }),
  };
}

function scheduleOf(record: ScheduleRecord): model.Schedule {
  const { id, cron, promiseId, promiseTimeoutMs, promiseParam, promiseTags } = record;
  return {
    id,
    cron,
    promiseId,
    promiseTimeout: promiseTimeoutMs,
    promiseParam: valueOf(promiseParam),
    promiseTags: [...promiseTags],
    createdAt: record.createdAtMs,
    nextRunAt: record.nextRunAtMs,
    ...(record.lastRunAtMs === undefined ? {} : { lastRunAt: record.lastRunAtMs }),
  };
}

/** The snapshot has only the id of an unblock's promise. A promise that is missing is shown as an empty pending one. */
function messageOf({ promises }: DebugSnapshotResponse, { address, message }: DebugMessage): model.OutboxEntry {
  if (message?.$case === 'execute') {
    return { address, message: { kind: 'execute', taskId: message.value.id, version: message.value.version } };
  }
  const id = message?.value ?? '';
  const promise = promises.find((stored) => stored.promise!.id === id)?.promise;
  return { address, message: { kind: 'unblock', promise: promiseOf(promise ?? missing(id)) } };
}

function missing(id: string): PromiseRecord {
  return {
    id,
    state: PromiseState.PROMISE_STATE_PENDING,
    param: undefined,
    value: undefined,
    tags: new Map(),
    timeoutAtMs: 0,
    createdAtMs: 0,
  };
}

function valueOf(value: Value | undefined): model.Value {
  return {
    headers: [...(value?.headers ?? [])],
    ...(value?.data === undefined ? {} : { data: new TextDecoder().decode(value.data) }),
  };
}

/** `TASK_STATE_PENDING` → `pending` */
export function nameOf(enumName = ''): string {
  return enumName.replace(/^[A-Z]+_STATE_/, '').toLowerCase();
}
