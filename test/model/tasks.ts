/** T-01 to T-11, from `T-*.lean` and SPEC "Tasks". */
import {
  addCallback,
  fulfilledTask,
  pendingPromise,
  promiseCreate,
  promiseSettle,
  settledPromise,
  type PromiseCreate,
  type PromiseSettle,
} from './promises.js';
import { conflict, NOT_IMPLEMENTED, OK, refusal, type Response } from './response.js';
import { settlePromise } from './settlement.js';
import {
  delTaskTimeout,
  getPromise,
  getTask,
  hasTag,
  isLive,
  plus,
  RETRY_TIMEOUT,
  sendExecute,
  setPromise,
  setPromiseTimeout,
  setTask,
  setTaskTimeout,
  toRecord,
  toTaskRecord,
  withdrawExecute,
  type Machine,
  type PromiseObject,
  type PromiseState,
  type TaskObject,
  type Value,
} from './state.js';

export interface TaskRef {
  readonly id: string;
  readonly version: number;
}

/** The acquired-task checks, in the spec's order. */
function acquiredTask(
  m: Machine,
  req: TaskRef,
  now: number,
): { readonly task: TaskObject; readonly promise: PromiseObject } | { readonly refused: Response } {
  const task = getTask(m, req.id);
  if (task === undefined) return { refused: refusal(404, 'TASK_NOT_FOUND', req.id) };
  const promise = getPromise(m, task.id);
  if (promise === undefined) return { refused: conflict('PROMISE_MISSING', task) };
  if (task.state !== 'acquired') return { refused: conflict('TASK_NOT_ACQUIRED', task) };
  if (!isLive(promise, now)) return { refused: conflict('PROMISE_NOT_LIVE', task) };
  if (task.version !== req.version) return { refused: conflict('TASK_VERSION_MISMATCH', task) };
  return { task, promise };
}

/** T-01 */
export function taskGet(m: Machine, req: { readonly id: string }, now: number): Response {
  const t = getTask(m, req.id);
  if (t === undefined) return refusal(404, 'TASK_NOT_FOUND', req.id);
  const p = getPromise(m, t.id);
  if (p === undefined) return refusal(404, 'PROMISE_NOT_FOUND', req.id);
  if (isLive(p, now)) return { status: 200, task: toTaskRecord(t) };
  return { status: 200, task: { id: t.id, state: 'fulfilled', version: t.version, resumes: 0 } };
}

/** T-02 */
export function taskCreate(
  m: Machine,
  req: { readonly pid: string; readonly ttl: number; readonly action: PromiseCreate },
  now: number,
): Response {
  const a = req.action;
  const existing = getPromise(m, a.id);
  if (existing === undefined) {
    if (a.timeoutAt > now) {
      const p = pendingPromise(a, now);
      setPromise(m, p);
      setPromiseTimeout(m, p.id, p.timeoutAt);
      const t: TaskObject = { id: p.id, state: 'acquired', version: 1, ttl: req.ttl, pid: req.pid, resumes: [] };
      setTask(m, t);
      setTaskTimeout(m, t.id, 'lease', plus(now, req.ttl));
      return { status: 200, task: toTaskRecord(t), promise: toRecord(p, now) };
    }
    const p = settledPromise(a);
    const t = fulfilledTask(a.id);
    setPromise(m, p);
    setTask(m, t);
    return { status: 200, task: toTaskRecord(t), promise: toRecord(p, now) };
  }

  if (!hasTag(existing.tags, 'resonate:target')) return refusal(422, 'PROMISE_WITHOUT_TARGET', a.id);
  const t = getTask(m, a.id);
  if (t === undefined) return refusal(409, 'TASK_MISSING', a.id);
  if (t.state === 'fulfilled') return { status: 200, task: toTaskRecord(t), promise: toRecord(existing, now) };
  if (t.state !== 'pending') return conflict('TASK_NOT_PENDING', t);
  const acquired = acquire(m, t, req.pid, req.ttl, now);
  return { status: 200, task: toTaskRecord(acquired), promise: toRecord(existing, now) };
}

function acquire(m: Machine, t: TaskObject, pid: string, ttl: number, now: number): TaskObject {
  const acquired: TaskObject = { id: t.id, state: 'acquired', version: t.version + 1, ttl, pid, resumes: [] };
  setTask(m, acquired);
  delTaskTimeout(m, t.id);
  setTaskTimeout(m, t.id, 'lease', plus(now, ttl));
  withdrawExecute(m, t.id);
  return acquired;
}

/** T-03 */
export function taskAcquire(
  m: Machine,
  req: TaskRef & { readonly pid: string; readonly ttl: number },
  now: number,
): Response {
  const t = getTask(m, req.id);
  if (t === undefined) return refusal(404, 'TASK_NOT_FOUND', req.id);
  const p = getPromise(m, t.id);
  if (p === undefined) return conflict('PROMISE_MISSING', t);
  if (t.state !== 'pending') return conflict('TASK_NOT_PENDING', t);
  if (!isLive(p, now)) return conflict('PROMISE_NOT_LIVE', t);
  if (t.version !== req.version) return conflict('TASK_VERSION_MISMATCH', t);
  const acquired = acquire(m, t, req.pid, req.ttl, now);
  return { status: 200, task: toTaskRecord(acquired), promise: toRecord(p, now) };
}

export type FenceAction =
  | { readonly kind: 'create'; readonly promise: PromiseCreate }
  | { readonly kind: 'settle'; readonly promise: PromiseSettle };

/** T-04 */
export function taskFence(m: Machine, req: TaskRef & { readonly action: FenceAction }, now: number): Response {
  const held = acquiredTask(m, req, now);
  if ('refused' in held) return held.refused;
  const { action } = req;
  const inner =
    action.kind === 'create' ? promiseCreate(m, action.promise, now) : promiseSettle(m, action.promise, now);
  return { status: 200, inner };
}

/** T-05 */
export function taskHeartbeat(
  m: Machine,
  req: { readonly pid: string; readonly tasks: readonly TaskRef[] },
  now: number,
): Response {
  for (const ref of req.tasks) {
    const t = getTask(m, ref.id);
    if (t === undefined) continue;
    if (t.state !== 'acquired' || t.version !== ref.version || t.pid !== req.pid) continue;
    const p = getPromise(m, t.id);
    if (p === undefined || !isLive(p, now)) continue;
    delTaskTimeout(m, t.id);
    setTaskTimeout(m, t.id, 'lease', plus(now, t.ttl ?? 0));
  }
  return OK;
}

/** T-06 */
export function taskSuspend(m: Machine, req: TaskRef & { readonly awaited: readonly string[] }, now: number): Response {
  const held = acquiredTask(m, req, now);
  if ('refused' in held) return held.refused;
  const t = held.task;
  let settled = false;
  for (const id of req.awaited) {
    const awaited = getPromise(m, id);
    if (awaited === undefined) return refusal(422, 'AWAITED_NOT_FOUND', id);
    if (!isLive(awaited, now)) settled = true;
  }
  if (settled) {
    setTask(m, { ...t, resumes: [] });
    return { status: 300 };
  }
  for (const id of req.awaited) {
    const awaited = getPromise(m, id);
    if (awaited !== undefined) addCallback(m, awaited, req.id);
  }
  setTask(m, { id: t.id, state: 'suspended', version: t.version, resumes: [] });
  delTaskTimeout(m, t.id);
  return OK;
}

/** T-07 */
export function taskFulfill(
  m: Machine,
  req: TaskRef & { readonly state: PromiseState; readonly value: Value },
  now: number,
): Response {
  const held = acquiredTask(m, req, now);
  if ('refused' in held) return held.refused;
  const settled = settlePromise(m, held.promise, req.state, req.value, now, now);
  return { status: 200, promise: toRecord(settled, now) };
}

/** T-08 */
export function taskRelease(m: Machine, req: TaskRef, now: number): Response {
  const held = acquiredTask(m, req, now);
  if ('refused' in held) return held.refused;
  backToPending(m, held.task, held.promise, now);
  return OK;
}

/** What release, lease loss and continue share. Without a promise (the model has that case) nothing is sent. */
export function backToPending(m: Machine, t: TaskObject, p: PromiseObject | undefined, now: number): void {
  setTask(m, { id: t.id, state: 'pending', version: t.version, resumes: t.resumes });
  delTaskTimeout(m, t.id);
  setTaskTimeout(m, t.id, 'retry', plus(now, RETRY_TIMEOUT));
  if (p !== undefined) sendExecute(m, t, p, now);
}

/** T-09 */
export function taskHalt(m: Machine, req: { readonly id: string }, _now: number): Response {
  const t = getTask(m, req.id);
  if (t === undefined) return refusal(404, 'TASK_NOT_FOUND', req.id);
  if (t.state === 'fulfilled') return conflict('TASK_FULFILLED', t);
  if (t.state === 'halted') return OK;
  setTask(m, { id: t.id, state: 'halted', version: t.version, resumes: t.resumes });
  delTaskTimeout(m, t.id);
  withdrawExecute(m, t.id);
  return OK;
}

/** T-10 */
export function taskContinue(m: Machine, req: { readonly id: string }, now: number): Response {
  const t = getTask(m, req.id);
  if (t === undefined) return refusal(404, 'TASK_NOT_FOUND', req.id);
  if (t.state !== 'halted') return conflict('TASK_NOT_HALTED', t);
  const p = getPromise(m, t.id);
  if (p === undefined) return refusal(404, 'PROMISE_NOT_FOUND', req.id);
  backToPending(m, t, p, now);
  return OK;
}

/** T-11 */
export function taskSearch(_m: Machine, _req: object, _now: number): Response {
  return NOT_IMPLEMENTED;
}
