import {
  DebugServiceService,
  DebugTimeoutKind,
  type DebugMessage,
  type DebugServiceServer,
  type DebugSnapshotResponse,
  type DebugTimeout,
} from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import type { PromiseWaits } from '../engine/promise-waits.js';
import type { Writer } from '../engine/writer.js';
import { compareIds } from '../protocol/objects.js';
import type { Snapshot, Store } from '../store/store.js';
import * as door from './door.js';
import { invalid } from './errors.js';
import type { Method, MethodsOf, ServiceContext } from './method.js';
import { promiseRecord, scheduleRecord, taskRecord } from './records.js';
import type { Service } from './server.js';

export interface DebugContext extends ServiceContext {
  readonly writer: Writer;
  readonly store: Store;
  readonly waits: PromiseWaits;
  /** Has the dispatcher forget all and read the store anew. */
  readonly rebuildDispatcher: () => void;
}

/** Time and state under a test's control. */
export function debugService(context: DebugContext): Service {
  const { writer, store, waits } = context;
  const setClock = (nowMs: number): void => {
    const now = writer.now();
    if (!writer.setClock(door.instant('now_ms', nowMs)))
      throw invalid('now_ms', `${nowMs} is before the present ${now}`);
    waits.recheck();
  };
  const methods: MethodsOf<DebugServiceServer> = {
    debugSetClock: method(({ nowMs }) => {
      setClock(nowMs);
      return Promise.resolve({});
    }),
    debugAdvance: method(async ({ nowMs }) => {
      setClock(nowMs);
      const fired = await writer.fireAllDue();
      waits.recheck();
      return { fired };
    }),
    debugSnapshot: method(() => Promise.resolve(snapshotResponse(store.snapshot(), writer.now()))),
    debugReset: method(async () => {
      await writer.clear();
      context.rebuildDispatcher();
      waits.recheck();
      return {};
    }),
  };
  return { name: 'resonate_grpc.debug.v1.DebugService', definition: DebugServiceService, methods };
}

/** None of them comes over a pipeline, so nobody asks which of them write. */
function method<Request, Response>(handle: (request: Request) => Promise<Response>): Method<Request, Response> {
  return { writes: true, handle };
}

function snapshotResponse(snapshot: Snapshot, nowMs: number): DebugSnapshotResponse {
  return {
    nowMs,
    promises: snapshot.promises.map(({ promise, callbacks, listeners }) => ({
      promise: promiseRecord(promise),
      callbacks: [...callbacks],
      listeners: [...listeners],
    })),
    tasks: snapshot.tasks.map(({ task, resumes }) => ({ task: taskRecord(task), resumes: [...resumes] })),
    schedules: snapshot.schedules.map(scheduleRecord),
    timeouts: timeouts(snapshot),
    outbox: outbox(snapshot),
  };
}

function timeouts({ promises, tasks, schedules }: Snapshot): DebugTimeout[] {
  const { DEBUG_TIMEOUT_KIND_SCHEDULE, DEBUG_TIMEOUT_KIND_PROMISE } = DebugTimeoutKind;
  const { DEBUG_TIMEOUT_KIND_RETRY, DEBUG_TIMEOUT_KIND_LEASE } = DebugTimeoutKind;
  const all: DebugTimeout[] = [];
  for (const { id, nextRunAt } of schedules) {
    all.push({ kind: DEBUG_TIMEOUT_KIND_SCHEDULE, id, dueAtMs: nextRunAt });
  }
  for (const { promise } of promises) {
    if (promise.timeoutArmed) {
      all.push({ kind: DEBUG_TIMEOUT_KIND_PROMISE, id: promise.id, dueAtMs: promise.timeoutAt });
    }
  }
  for (const { task } of tasks) {
    if (task.timeout === undefined) continue;
    const kind = task.timeout.kind === 'lease' ? DEBUG_TIMEOUT_KIND_LEASE : DEBUG_TIMEOUT_KIND_RETRY;
    all.push({ kind, id: task.id, dueAtMs: task.timeout.dueAt });
  }
  return all.sort((a, b) => a.dueAtMs - b.dueAtMs || a.kind - b.kind || compareIds(a.id, b.id));
}

function outbox({ executes, unblocks }: Snapshot): DebugMessage[] {
  const all = [
    ...executes.map(({ position, address, taskId, version }) => ({
      position,
      message: { address, message: { $case: 'execute', value: { id: taskId, version } } } as const,
    })),
    ...unblocks.map(({ position, address, promiseId }) => ({
      position,
      message: { address, message: { $case: 'unblockPromiseId', value: promiseId } } as const,
    })),
  ];
  return all.sort((a, b) => a.position - b.position).map(({ message }) => message);
}
