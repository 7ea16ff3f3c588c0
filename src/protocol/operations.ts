/** Every operation by its name: its handler, whether it writes, and the promises that its request names. */
import { dueTimeoutsFirst } from './actions/02-timeouts.js';
import { promiseGet } from './actions/P-01-promise.get.js';
import { promiseCreate } from './actions/P-02-promise.create.js';
import { promiseSettle } from './actions/P-03-promise.settle.js';
import { promiseRegisterCallback } from './actions/P-04-promise.register_callback.js';
import { promiseRegisterListener } from './actions/P-05-promise.register_listener.js';
import { promiseSearch } from './actions/P-06-promise.search.js';
import { scheduleGet } from './actions/S-01-schedule.get.js';
import { scheduleCreate } from './actions/S-02-schedule.create.js';
import { scheduleDelete } from './actions/S-03-schedule.delete.js';
import { scheduleSearch } from './actions/S-04-schedule.search.js';
import { taskGet } from './actions/T-01-task.get.js';
import { taskCreate } from './actions/T-02-task.create.js';
import { taskAcquire } from './actions/T-03-task.acquire.js';
import { taskFence } from './actions/T-04-task.fence.js';
import { taskHeartbeat } from './actions/T-05-task.heartbeat.js';
import { taskSuspend } from './actions/T-06-task.suspend.js';
import { taskFulfill } from './actions/T-07-task.fulfill.js';
import { taskRelease } from './actions/T-08-task.release.js';
import { taskHalt } from './actions/T-09-task.halt.js';
import { taskContinue } from './actions/T-10-task.continue.js';
import { taskSearch } from './actions/T-11-task.search.js';
import { isExpired } from './objects.js';
import type { TaskFenceRequest } from './requests.js';
import type { Tx } from './tx.js';

interface Definition<Request, Outcome> {
  readonly handler: (tx: Tx, request: Request, now: number) => Outcome;
  /** A read writes no record. */
  readonly writes: boolean;
  /** The promises that the request names (SPEC "Due timeouts first"); for a read, the one that it may project. */
  readonly names: (request: Request) => readonly string[];
}

function read<Request, Outcome>(
  handler: (tx: Tx, request: Request, now: number) => Outcome,
  names: (request: Request) => readonly string[],
): Definition<Request, Outcome> {
  return { handler, writes: false, names };
}

function write<Request, Outcome>(
  handler: (tx: Tx, request: Request, now: number) => Outcome,
  names: (request: Request) => readonly string[],
): Definition<Request, Outcome> {
  return { handler, writes: true, names };
}

const none = () => [];
const ownId = (request: { readonly id: string }) => [request.id];

export const operations = {
  'promise.get': read(promiseGet, ownId),
  'promise.create': write(promiseCreate, ownId),
  'promise.settle': write(promiseSettle, ownId),
  'promise.register_callback': write(promiseRegisterCallback, ({ awaitedId, awaiterId }) => [awaitedId, awaiterId]),
  'promise.register_listener': write(promiseRegisterListener, ({ awaitedId }) => [awaitedId]),
  'promise.search': read(promiseSearch, none),
  'task.get': read(taskGet, ownId),
  'task.create': write(taskCreate, ({ promise }) => [promise.id]),
  'task.acquire': write(taskAcquire, ownId),
  'task.fence': write(taskFence, ({ id, action }) => [id, innerId(action)]),
  'task.heartbeat': write(taskHeartbeat, ({ tasks }) => tasks.map(({ id }) => id)),
  'task.suspend': write(taskSuspend, ({ id, awaitedIds }) => [id, ...awaitedIds]),
  'task.fulfill': write(taskFulfill, ownId),
  'task.release': write(taskRelease, ownId),
  'task.halt': write(taskHalt, ownId),
  'task.continue': write(taskContinue, ownId),
  'task.search': read(taskSearch, none),
  'schedule.get': read(scheduleGet, none),
  'schedule.create': write(scheduleCreate, none),
  'schedule.delete': write(scheduleDelete, none),
  'schedule.search': read(scheduleSearch, none),
} as const;

function innerId(action: TaskFenceRequest['action']): string {
  return action.kind === 'create' ? action.promise.id : action.settlement.id;
}

export type OperationName = keyof typeof operations;
export type RequestOf<N extends OperationName> = Parameters<(typeof operations)[N]['handler']>[1];
export type OutcomeOf<N extends OperationName> = ReturnType<(typeof operations)[N]['handler']>;

/** One request, for the engine to run. */
export interface Operation<N extends OperationName = OperationName> {
  readonly name: N;
  readonly request: RequestOf<N>;
}

// TypeScript cannot see that a name and its request belong together once the name is a union.
function definitionOf<N extends OperationName>(name: N): Definition<RequestOf<N>, OutcomeOf<N>> {
  return operations[name] as unknown as Definition<RequestOf<N>, OutcomeOf<N>>;
}

/** Runs one operation at `now`; for a write, the due timeouts of the promises that it names fire first. */
export function execute<N extends OperationName>(tx: Tx, { name, request }: Operation<N>, now: number): OutcomeOf<N> {
  const { handler, writes, names } = definitionOf(name);
  if (writes) dueTimeoutsFirst(tx, names(request), now);
  return handler(tx, request, now);
}

export function isRead(name: OperationName): boolean {
  return !operations[name].writes;
}

/** Whether a read would show a promise as timed out that its snapshot holds as pending. */
export function wouldProject<N extends OperationName>(tx: Tx, { name, request }: Operation<N>, now: number): boolean {
  return definitionOf(name)
    .names(request)
    .some((id) => {
      const promise = tx.getPromise(id);
      return promise !== undefined && isExpired(promise, now);
    });
}
