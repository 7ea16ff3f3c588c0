/** What a transaction writes together, a crash must not take apart. */
import { DebugTimeoutKind, DebugSnapshotResponse } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import type { PromiseRecord } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { stateOfSnapshot } from '../support/debug-state.js';
import { violations } from '../support/invariants.js';
import { Stubs } from '../support/stubs.js';

const SECOND = 1_000;

/** All state of a server with --debug. */
export async function snapshotOf(address: string): Promise<DebugSnapshotResponse> {
  const stubs = new Stubs(address);
  try {
    return await stubs.snapshot();
  } finally {
    stubs.close();
  }
}

/** What breaks an invariant of the protocol, one line each. Every life is looked at by itself: the whole would take a minute. */
export function broken(snapshot: DebugSnapshotResponse): string[] {
  return [...lives(snapshot).values()].flatMap((life) => violations(stateOfSnapshot(life)));
}

/** The parts of a snapshot that can have to do with each other: the ids of a life begin with the same name. */
function lives(snapshot: DebugSnapshotResponse): Map<string, DebugSnapshotResponse> {
  const parts = new Map<string, DebugSnapshotResponse>();
  const partOf = (id = ''): DebugSnapshotResponse => {
    const name = /^(r\d+-)?[a-z0-9]+/.exec(id)?.[0] ?? id;
    let part = parts.get(name);
    if (part === undefined) parts.set(name, (part = DebugSnapshotResponse.fromPartial({ nowMs: snapshot.nowMs })));
    return part;
  };
  for (const each of snapshot.promises) partOf(each.promise!.id).promises.push(each);
  for (const each of snapshot.tasks) partOf(each.task!.id).tasks.push(each);
  for (const each of snapshot.schedules) partOf(each.id).schedules.push(each);
  for (const each of snapshot.timeouts) partOf(each.id).timeouts.push(each);
  for (const each of snapshot.outbox) {
    partOf(each.message?.$case === 'execute' ? each.message.value.id : each.message?.value).outbox.push(each);
  }
  return parts;
}

/** What is torn in the data of a load, one line each. */
export function torn(snapshot: DebugSnapshotResponse): string[] {
  const promises = new Map(snapshot.promises.map(({ promise }) => [promise!.id, promise!]));
  return [...unsentExecutes(snapshot, promises), ...tornSchedules(snapshot, promises)];
}

/** A pending task has its execute in the outbox exactly while it does not wait out its delay. */
function* unsentExecutes(snapshot: DebugSnapshotResponse, promises: Map<string, PromiseRecord>): Iterable<string> {
  const executes = new Set(
    snapshot.outbox.flatMap(({ message }) => (message?.$case === 'execute' ? [message.value.id] : [])),
  );
  const retries = new Map(
    snapshot.timeouts
      .filter(({ kind }) => kind === DebugTimeoutKind.DEBUG_TIMEOUT_KIND_RETRY)
      .map(({ id, dueAtMs }) => [id, dueAtMs]),
  );
  for (const { task } of snapshot.tasks) {
    const { id, state } = task!;
    const { timeoutAtMs, tags } = promises.get(id)!;
    if (state !== TaskState.TASK_STATE_PENDING || timeoutAtMs <= snapshot.nowMs) continue;
    const isDelayed = retries.get(id) === Number(tags.get('resonate:delay'));
    if (executes.has(id) === isDelayed) yield `${id}: ${isDelayed ? 'its delay is not over' : 'nobody is told of it'}`;
  }
}

/** A schedule of every second has a promise for each one up to its last run, and for none behind it. */
function* tornSchedules(snapshot: DebugSnapshotResponse, promises: Map<string, PromiseRecord>): Iterable<string> {
  for (const { id, createdAtMs, lastRunAtMs, nextRunAtMs } of snapshot.schedules) {
    const first = (Math.floor(createdAtMs / SECOND) + 1) * SECOND;
    const next = lastRunAtMs === undefined ? first : lastRunAtMs + SECOND;
    if (nextRunAtMs !== next) yield `${id}: its next run is at ${nextRunAtMs}, not at ${next}`;
    for (let at = first; at < next; at += SECOND) {
      if (!promises.has(`${id}/${at}`)) yield `${id}: it has no promise of ${at}`;
    }
    if (promises.has(`${id}/${next}`)) yield `${id}: it has a promise of ${next}, which is still to come`;
  }
}
