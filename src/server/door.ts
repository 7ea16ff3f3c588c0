/**
 * The door: SPEC "Requests that are not requests". Turns a request of the wire into one of the protocol, or throws a
 * `RequestError` with INVALID_ARGUMENT that names the field. It runs before anything else is looked at.
 */
import { isCron, nextCron } from '../engine/cron.js';
import { expandTemplate } from '../protocol/actions/02-timeouts.js';
import {
  DELAY_TAG,
  EMPTY_VALUE,
  MAX_SAFE,
  TARGET_TAG,
  type PromiseState,
  type SettleState,
  type Tags,
  type TaskState,
  type Value,
} from '../protocol/objects.js';
import type { RequestOf } from '../protocol/operations.js';
import type * as protocol from '../protocol/requests.js';
import type * as dispatchWire from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import type * as promiseWire from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import type * as scheduleWire from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import type * as taskWire from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type * as valueWire from '../../clients/typescript/gen/resonate_grpc/v1/value.js';
import { invalid } from './errors.js';
import { PROMISE_STATES, SETTLE_STATES, TASK_STATES } from './records.js';

/** The longest id, pid, address, group, cron and template, in bytes of UTF-8. */
export const MAX_ID_BYTES = 512;
/**
 * The most entries of a list or a map. Each costs a read or more, and nobody else is served meanwhile: a heartbeat of the 100,000
 * that fit into 1 MiB took 0.6 s.
 */
export const MAX_ENTRIES = 10_000;
/** The largest number that a 32-bit field can hold. */
const MAX_INT32 = 2 ** 31 - 1;

export function promiseGet({ id }: promiseWire.PromiseGetRequest): RequestOf<'promise.get'> {
  return { id: text('id', id) };
}

export function promiseCreate({ promise }: promiseWire.PromiseCreateRequest): RequestOf<'promise.create'> {
  return promiseSpec('promise', promise);
}

export function promiseSettle({ settlement }: promiseWire.PromiseSettleRequest): RequestOf<'promise.settle'> {
  return promiseSettlement('settlement', settlement);
}

export function promiseRegisterCallback(
  request: promiseWire.PromiseRegisterCallbackRequest,
): RequestOf<'promise.register_callback'> {
  return { awaitedId: text('awaited_id', request.awaitedId), awaiterId: text('awaiter_id', request.awaiterId) };
}

export function promiseRegisterListener(
  request: promiseWire.PromiseRegisterListenerRequest,
): RequestOf<'promise.register_listener'> {
  return { awaitedId: text('awaited_id', request.awaitedId), address: text('address', request.address) };
}

export function promiseSearch(request: promiseWire.PromiseSearchRequest): RequestOf<'promise.search'> {
  return {
    state: optional(request.state, (state) => known<PromiseState>('state', PROMISE_STATES, state)),
    tags: strings('tags', request.tags),
    ...page(request),
  };
}

export function promiseWait({ id }: promiseWire.PromiseWaitRequest): { readonly id: string } {
  return { id: text('id', id) };
}

export function taskGet({ id }: taskWire.TaskGetRequest): RequestOf<'task.get'> {
  return { id: text('id', id) };
}

export function taskCreate(request: taskWire.TaskCreateRequest): RequestOf<'task.create'> {
  return {
    pid: text('pid', request.pid),
    ttl: natural('ttl_ms', request.ttlMs, 1),
    promise: promiseSpec('promise', request.promise),
  };
}

export function taskAcquire(request: taskWire.TaskAcquireRequest): RequestOf<'task.acquire'> {
  return { ...taskRef('', request), pid: text('pid', request.pid), ttl: natural('ttl_ms', request.ttlMs, 1) };
}

export function taskFence(request: taskWire.TaskFenceRequest): RequestOf<'task.fence'> {
  const ref = taskRef('', request);
  const { action } = request;
  switch (action?.$case) {
    case 'create':
      return { ...ref, action: { kind: 'create', promise: promiseSpec('create', action.value) } };
    case 'settle':
      return { ...ref, action: { kind: 'settle', settlement: promiseSettlement('settle', action.value) } };
    case undefined:
      throw invalid('action', 'required: either create or settle');
  }
}

export function taskHeartbeat(request: taskWire.TaskHeartbeatRequest): RequestOf<'task.heartbeat'> {
  return {
    pid: text('pid', request.pid),
    tasks: list('tasks', request.tasks).map((task, i) => taskRef(`tasks[${i}].`, task)),
  };
}

export function taskSuspend(request: taskWire.TaskSuspendRequest): RequestOf<'task.suspend'> {
  const { id, version } = taskRef('', request);
  if (request.awaitedIds.length === 0) throw invalid('awaited_ids', 'empty; at least one promise must be awaited');
  const awaitedIds = list('awaited_ids', request.awaitedIds).map((awaitedId, i) => {
    const field = `awaited_ids[${i}]`;
    if (awaitedId === id) throw invalid(field, 'a task cannot await its own promise');
    return text(field, awaitedId);
  });
  return { id, version, awaitedIds };
}

export function taskFulfill(request: taskWire.TaskFulfillRequest): RequestOf<'task.fulfill'> {
  return {
    ...taskRef('', request),
    state: known<SettleState>('state', SETTLE_STATES, request.state),
    value: value('value', request.value),
  };
}

export function taskRelease(request: taskWire.TaskReleaseRequest): RequestOf<'task.release'> {
  return taskRef('', request);
}

export function taskHalt({ id }: taskWire.TaskHaltRequest): RequestOf<'task.halt'> {
  return { id: text('id', id) };
}

export function taskContinue({ id }: taskWire.TaskContinueRequest): RequestOf<'task.continue'> {
  return { id: text('id', id) };
}

export function taskSearch(request: taskWire.TaskSearchRequest): RequestOf<'task.search'> {
  return { state: optional(request.state, (state) => known<TaskState>('state', TASK_STATES, state)), ...page(request) };
}

export function scheduleGet({ id }: scheduleWire.ScheduleGetRequest): RequestOf<'schedule.get'> {
  return { id: text('id', id) };
}

export function scheduleCreate({ schedule }: scheduleWire.ScheduleCreateRequest): RequestOf<'schedule.create'> {
  if (schedule === undefined) throw invalid('schedule', 'required');
  const id = text('schedule.id', schedule.id);
  const promiseId = text('schedule.promise_id', schedule.promiseId);
  const expanded = Buffer.byteLength(expandTemplate(promiseId, id, MAX_SAFE));
  if (expanded > MAX_ID_BYTES) {
    throw invalid('schedule.promise_id', `expands to ids of ${expanded} bytes; the limit is ${MAX_ID_BYTES}`);
  }
  return {
    id,
    cron: cron('schedule.cron', schedule.cron),
    promiseId,
    promiseTimeout: natural('schedule.promise_timeout_ms', schedule.promiseTimeoutMs),
    promiseParam: value('schedule.promise_param', schedule.promiseParam),
    promiseTags: tags('schedule.promise_tags', schedule.promiseTags),
  };
}

export function scheduleDelete({ id }: scheduleWire.ScheduleDeleteRequest): RequestOf<'schedule.delete'> {
  return { id: text('id', id) };
}

export function scheduleSearch(request: scheduleWire.ScheduleSearchRequest): RequestOf<'schedule.search'> {
  return page(request);
}

export function dispatch(request: dispatchWire.DispatchRequest) {
  return {
    group: text('group', request.group),
    pid: text('pid', request.pid),
    maxInFlight: optional(request.maxInFlight, (n) => natural('max_in_flight', n, 0, MAX_INT32)),
    autoAcknowledge: request.autoAcknowledgeUnblocks,
  };
}

export function dispatchAcknowledge({ unblocks }: dispatchWire.DispatchAcknowledgeRequest) {
  return list('unblocks', unblocks).map(({ promiseId, address }, i) => ({
    promiseId: text(`unblocks[${i}].promise_id`, promiseId),
    address: text(`unblocks[${i}].address`, address),
  }));
}

export function dispatchDrain({ sessionId }: dispatchWire.DispatchDrainRequest): string {
  return text('session_id', sessionId);
}

/** An instant from 0 to 2^53 - 1. */
export function instant(field: string, number: number): number {
  return natural(field, number);
}

function promiseSpec(field: string, spec: promiseWire.PromiseSpec | undefined): protocol.PromiseSpec {
  if (spec === undefined) throw invalid(field, 'required');
  return {
    id: text(`${field}.id`, spec.id),
    timeoutAt: natural(`${field}.timeout_at_ms`, spec.timeoutAtMs),
    param: value(`${field}.param`, spec.param),
    tags: tags(`${field}.tags`, spec.tags),
  };
}

function promiseSettlement(
  field: string,
  settlement: promiseWire.PromiseSettlement | undefined,
): protocol.PromiseSettlement {
  if (settlement === undefined) throw invalid(field, 'required');
  return {
    id: text(`${field}.id`, settlement.id),
    state: known<SettleState>(`${field}.state`, SETTLE_STATES, settlement.state),
    value: value(`${field}.value`, settlement.value),
  };
}

function taskRef(prefix: string, { id, version }: { id: string; version: number }): protocol.TaskRef {
  return { id: text(`${prefix}id`, id), version: natural(`${prefix}version`, version) };
}

function page(request: { limit?: number | undefined; cursor?: string | undefined }) {
  return {
    limit: optional(request.limit, (limit) => natural('limit', limit, 0, MAX_INT32)),
    cursor: optional(request.cursor, (cursor) => wellFormed('cursor', cursor)),
  };
}

/** An id, pid, address, group or cron: 1 to 512 bytes of UTF-8 without NUL. */
function text(field: string, string: string): string {
  if (string === '') throw invalid(field, `required; 1 to ${MAX_ID_BYTES} bytes of UTF-8`);
  return bounded(field, string);
}

function bounded(field: string, string: string): string {
  wellFormed(field, string);
  const bytes = Buffer.byteLength(string);
  if (bytes > MAX_ID_BYTES) throw invalid(field, `${bytes} bytes of UTF-8; the limit is ${MAX_ID_BYTES}`);
  if (string.includes('\0')) throw invalid(field, 'contains a NUL character');
  return string;
}

function wellFormed(field: string, string: string): string {
  if (!string.isWellFormed()) throw invalid(field, 'not valid UTF-8');
  return string;
}

function natural(field: string, number: number, least = 0, most = MAX_SAFE): number {
  if (!Number.isSafeInteger(number) || number < least || number > most) {
    const limit = most === MAX_SAFE ? `${least} to 2^53 - 1 (${MAX_SAFE})` : `${least} to ${most}`;
    throw invalid(field, `${Number.isNaN(number) ? 'out of range' : number}; the limit is ${limit}`);
  }
  return number;
}

function known<T>(field: string, states: ReadonlyMap<number, T>, state: number): T {
  const name = states.get(state);
  if (name === undefined) throw invalid(field, `${state} is not one of ${[...states.keys()].join(', ')}`);
  return name;
}

function list<T>(field: string, entries: readonly T[]): readonly T[] {
  atMost(field, entries.length);
  return entries;
}

function atMost(field: string, entries: number): void {
  if (entries > MAX_ENTRIES) throw invalid(field, `${entries} entries; the limit is ${MAX_ENTRIES}`);
}

function strings(field: string, map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  atMost(field, map.size);
  for (const [key, string] of map) {
    wellFormed(`a key of ${field}`, key);
    wellFormed(`${field}[${JSON.stringify(key.slice(0, 80))}]`, string);
  }
  return map;
}

function tags(field: string, map: Tags): Tags {
  strings(field, map);
  const target = map.get(TARGET_TAG);
  if (target !== undefined) bounded(`${field}["${TARGET_TAG}"]`, target);
  const delay = map.get(DELAY_TAG);
  if (delay !== undefined && !(/^[0-9]+$/.test(delay) && Number.isSafeInteger(Number(delay)))) {
    throw invalid(`${field}["${DELAY_TAG}"]`, `not a decimal instant in ms from 0 to 2^53 - 1 (${MAX_SAFE})`);
  }
  return map;
}

function value(field: string, message: valueWire.Value | undefined): Value {
  if (message === undefined) return EMPTY_VALUE;
  strings(`${field}.headers`, message.headers);
  return message;
}

function cron(field: string, expression: string): string {
  text(field, expression);
  if (!isCron(expression)) {
    throw invalid(field, 'not a cron expression of five fields, or six with leading seconds (see ScheduleSpec.cron)');
  }
  if (nextCron(expression, 0) === undefined) throw invalid(field, 'never fires');
  return expression;
}

function optional<T, U>(field: T | undefined, check: (field: T) => U): U | undefined {
  return field === undefined ? undefined : check(field);
}
