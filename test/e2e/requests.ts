/** Requests of every RPC, good and bad, down to bytes that no generated stub sends. */
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import * as dispatch from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import * as promise from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import * as schedule from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import * as task from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type { Rpc } from './fixture.js';

/** Stands for a byte that is not UTF-8. */
export const NOT_UTF8 = '\udfff';

const utf8 = new TextEncoder();

/** UTF-8, except that `NOT_UTF8` becomes the byte 0xff. */
function encodeText(text: string): Uint8Array<ArrayBuffer> {
  const parts = text.split(NOT_UTF8).map((part) => Buffer.from(utf8.encode(part)));
  return Uint8Array.from(parts.reduce((bytes, part) => Buffer.concat([bytes, Buffer.from([0xff]), part])));
}

/** A request; its fields may hold anything that the wire can carry: numbers as BigInt, `NOT_UTF8` in text. */
export type Fields = Readonly<Record<string, unknown>>;

interface Codec {
  readonly fromPartial: (fields: Fields) => unknown;
  readonly encode: (message: unknown, writer: BinaryWriter) => BinaryWriter;
}

const CODECS = { ...promise, ...task, ...schedule, ...dispatch } as unknown as Record<string, Codec>;

/** The request as bytes. Absent fields have their defaults. */
export function encode(rpc: Rpc, fields: Fields): Uint8Array {
  const codec = CODECS[`${rpc.charAt(0).toUpperCase()}${rpc.slice(1)}Request`] as Codec;
  return codec.encode(codec.fromPartial(fields), new BinaryWriter(encodeText)).finish();
}

const SPEC = { id: 'p', timeoutAtMs: 9_000_000_000_000, tags: new Map([['k', 'v']]) };
const SETTLEMENT = { id: 'absent', state: promise.SettleState.SETTLE_STATE_RESOLVED };
const REF = { id: 'absent', version: 1 };
const SCHEDULE = { id: 's', cron: '* * * * *', promiseId: '{{.id}}.{{.timestamp}}', promiseTimeoutMs: 1 };

/** A request that the door lets in, for every RPC. None of them changes anything, but for the three creates. */
export const VALID: Readonly<Record<Rpc, Fields>> = {
  promiseGet: { id: 'absent' },
  promiseCreate: { promise: SPEC },
  promiseSettle: { settlement: SETTLEMENT },
  promiseRegisterCallback: { awaitedId: 'absent', awaiterId: 'absent too' },
  promiseRegisterListener: { awaitedId: 'absent', address: 'uni@group/pid' },
  promiseSearch: { state: 1, tags: new Map([['k', 'v']]), limit: 1, cursor: 'cursor' },
  promiseWait: { id: 'absent' },
  taskGet: { id: 'absent' },
  taskCreate: { pid: 'pid', ttlMs: 1, promise: SPEC },
  taskAcquire: { ...REF, pid: 'pid', ttlMs: 1 },
  taskFence: { ...REF, action: { $case: 'create', value: SPEC } },
  taskHeartbeat: { pid: 'pid', tasks: [REF, REF] },
  taskSuspend: { ...REF, awaitedIds: ['a', 'b'] },
  taskFulfill: { ...REF, state: promise.SettleState.SETTLE_STATE_RESOLVED },
  taskRelease: REF,
  taskHalt: { id: 'absent' },
  taskContinue: { id: 'absent' },
  taskSearch: { state: 1, limit: 1, cursor: 'cursor' },
  scheduleGet: { id: 'absent' },
  scheduleCreate: { schedule: SCHEDULE },
  scheduleDelete: { id: 'absent' },
  scheduleSearch: { limit: 1, cursor: 'cursor' },
  dispatchAcknowledge: { unblocks: [{ promiseId: 'absent', address: 'absent' }] },
  dispatchDrain: { sessionId: 'absent' },
  dispatch: { group: 'group', pid: 'pid', maxInFlight: 1 },
};

/** One field of one request: its name as the server must call it, and the request with another value there. */
export type Field = readonly [rpc: Rpc, field: string, build: (value: never) => Fields];

function field(rpc: Rpc, name: string, build: (value: never) => Fields): Field {
  return [rpc, name, (value) => ({ ...VALID[rpc], ...build(value) })];
}

const fence = {
  create: (fields: Fields): Fields => ({ action: { $case: 'create', value: { ...SPEC, ...fields } } }),
  settle: (fields: Fields): Fields => ({ action: { $case: 'settle', value: { ...SETTLEMENT, ...fields } } }),
};

/** Every id, pid, address, group, template and cron. */
export const TEXTS: readonly Field[] = [
  field('promiseGet', 'id', (id) => ({ id })),
  field('promiseCreate', 'promise.id', (id) => ({ promise: { ...SPEC, id } })),
  field('promiseSettle', 'settlement.id', (id) => ({ settlement: { ...SETTLEMENT, id } })),
  field('promiseRegisterCallback', 'awaited_id', (awaitedId) => ({ awaitedId })),
  field('promiseRegisterCallback', 'awaiter_id', (awaiterId) => ({ awaiterId })),
  field('promiseRegisterListener', 'awaited_id', (awaitedId) => ({ awaitedId })),
  field('promiseRegisterListener', 'address', (address) => ({ address })),
  field('promiseWait', 'id', (id) => ({ id })),
  field('taskGet', 'id', (id) => ({ id })),
  field('taskCreate', 'pid', (pid) => ({ pid })),
  field('taskCreate', 'promise.id', (id) => ({ promise: { ...SPEC, id } })),
  field('taskAcquire', 'id', (id) => ({ id })),
  field('taskAcquire', 'pid', (pid) => ({ pid })),
  field('taskFence', 'id', (id) => ({ id })),
  field('taskFence', 'create.id', (id) => fence.create({ id })),
  field('taskFence', 'settle.id', (id) => fence.settle({ id })),
  field('taskHeartbeat', 'pid', (pid) => ({ pid })),
  field('taskHeartbeat', 'tasks[1].id', (id) => ({ tasks: [REF, { ...REF, id }] })),
  field('taskSuspend', 'id', (id) => ({ id })),
  field('taskSuspend', 'awaited_ids[1]', (id) => ({ awaitedIds: ['a', id] })),
  field('taskFulfill', 'id', (id) => ({ id })),
  field('taskRelease', 'id', (id) => ({ id })),
  field('taskHalt', 'id', (id) => ({ id })),
  field('taskContinue', 'id', (id) => ({ id })),
  field('scheduleGet', 'id', (id) => ({ id })),
  field('scheduleCreate', 'schedule.id', (id) => ({ schedule: { ...SCHEDULE, id, promiseId: 'p' } })),
  field('scheduleCreate', 'schedule.promise_id', (promiseId) => ({ schedule: { ...SCHEDULE, promiseId } })),
  field('scheduleDelete', 'id', (id) => ({ id })),
  field('dispatchAcknowledge', 'unblocks[0].promise_id', (promiseId) => ({ unblocks: [{ promiseId, address: 'a' }] })),
  field('dispatchAcknowledge', 'unblocks[0].address', (address) => ({ unblocks: [{ promiseId: 'p', address }] })),
  field('dispatchDrain', 'session_id', (sessionId) => ({ sessionId })),
  field('dispatch', 'group', (group) => ({ group })),
  field('dispatch', 'pid', (pid) => ({ pid })),
];

/** The one text of this kind that has a grammar too. */
export const CRON: Field = field('scheduleCreate', 'schedule.cron', (cron) => ({ schedule: { ...SCHEDULE, cron } }));

/** Every instant, duration and version, but not the time to live. */
export const NATURALS: readonly Field[] = [
  field('promiseCreate', 'promise.timeout_at_ms', (timeoutAtMs) => ({ promise: { ...SPEC, timeoutAtMs } })),
  field('taskCreate', 'promise.timeout_at_ms', (timeoutAtMs) => ({ promise: { ...SPEC, timeoutAtMs } })),
  field('taskAcquire', 'version', (version) => ({ version })),
  field('taskFence', 'version', (version) => ({ version })),
  field('taskFence', 'create.timeout_at_ms', (timeoutAtMs) => fence.create({ timeoutAtMs })),
  field('taskHeartbeat', 'tasks[1].version', (version) => ({ tasks: [REF, { ...REF, version }] })),
  field('taskSuspend', 'version', (version) => ({ version })),
  field('taskFulfill', 'version', (version) => ({ version })),
  field('taskRelease', 'version', (version) => ({ version })),
  field('scheduleCreate', 'schedule.promise_timeout_ms', (promiseTimeoutMs) => ({
    schedule: { ...SCHEDULE, promiseTimeoutMs },
  })),
];

/** Every time to live: 0 is refused. */
export const TTLS: readonly Field[] = [
  field('taskCreate', 'ttl_ms', (ttlMs) => ({ ttlMs })),
  field('taskAcquire', 'ttl_ms', (ttlMs) => ({ ttlMs })),
];

/** Every number of 32 bits. */
export const COUNTS: readonly Field[] = [
  field('promiseSearch', 'limit', (limit) => ({ limit })),
  field('taskSearch', 'limit', (limit) => ({ limit })),
  field('scheduleSearch', 'limit', (limit) => ({ limit })),
  field('dispatch', 'max_in_flight', (maxInFlight) => ({ maxInFlight })),
];

/** Every enum, with its number of values beside zero. */
export const ENUMS: readonly (readonly [...Field, number])[] = [
  [...field('promiseSettle', 'settlement.state', (state) => ({ settlement: { ...SETTLEMENT, state } })), 3],
  [...field('taskFence', 'settle.state', (state) => fence.settle({ state })), 3],
  [...field('taskFulfill', 'state', (state) => ({ state })), 3],
  [...field('promiseSearch', 'state', (state) => ({ state })), 5],
  [...field('taskSearch', 'state', (state) => ({ state })), 5],
];

/** Every message that must be there. */
export const REQUIRED: readonly Field[] = [
  field('promiseCreate', 'promise', () => ({ promise: undefined })),
  field('promiseSettle', 'settlement', () => ({ settlement: undefined })),
  field('taskCreate', 'promise', () => ({ promise: undefined })),
  field('taskFence', 'action', () => ({ action: undefined })),
  field('scheduleCreate', 'schedule', () => ({ schedule: undefined })),
];

/** Every map of tags that a promise is created with. */
export const TAGS: readonly Field[] = [
  field('promiseCreate', 'promise.tags', (tags) => ({ promise: { ...SPEC, tags } })),
  field('taskCreate', 'promise.tags', (tags) => ({ promise: { ...SPEC, tags } })),
  field('taskFence', 'create.tags', (tags) => fence.create({ tags })),
  field('scheduleCreate', 'schedule.promise_tags', (promiseTags) => ({ schedule: { ...SCHEDULE, promiseTags } })),
];

/** Every map, those included. */
export const MAPS: readonly Field[] = [
  ...TAGS,
  field('promiseSearch', 'tags', (tags) => ({ tags })),
  field('promiseCreate', 'promise.param.headers', (headers) => ({ promise: { ...SPEC, param: { headers } } })),
  field('taskCreate', 'promise.param.headers', (headers) => ({ promise: { ...SPEC, param: { headers } } })),
  field('taskFence', 'create.param.headers', (headers) => fence.create({ param: { headers } })),
  field('taskFence', 'settle.value.headers', (headers) => fence.settle({ value: { headers } })),
  field('promiseSettle', 'settlement.value.headers', (headers) => ({
    settlement: { ...SETTLEMENT, value: { headers } },
  })),
  field('taskFulfill', 'value.headers', (headers) => ({ value: { headers } })),
  field('scheduleCreate', 'schedule.promise_param.headers', (headers) => ({
    schedule: { ...SCHEDULE, promiseParam: { headers } },
  })),
];

/** Every text without a limit of its own. */
export const FREE_TEXTS: readonly Field[] = [
  field('promiseSearch', 'cursor', (cursor) => ({ cursor })),
  field('taskSearch', 'cursor', (cursor) => ({ cursor })),
  field('scheduleSearch', 'cursor', (cursor) => ({ cursor })),
];
