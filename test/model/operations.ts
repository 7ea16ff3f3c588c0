/** One request through the machine, as the server runs it: the door, due timeouts first, the handler. */
import { isLetIn } from './door.js';
import {
  promiseCreate,
  promiseGet,
  promiseRegisterCallback,
  promiseRegisterListener,
  promiseSearch,
  promiseSettle,
} from './promises.js';
import { REFUSED_AT_THE_DOOR, type Response } from './response.js';
import { scheduleCreate, scheduleDelete, scheduleGet, scheduleSearch } from './schedules.js';
import type { Machine } from './state.js';
import {
  taskAcquire,
  taskContinue,
  taskCreate,
  taskFence,
  taskFulfill,
  taskGet,
  taskHalt,
  taskHeartbeat,
  taskRelease,
  taskSearch,
  taskSuspend,
} from './tasks.js';
import { dueTimeoutsFirst } from './timeouts.js';

const HANDLERS = {
  'promise.get': promiseGet,
  'promise.create': promiseCreate,
  'promise.settle': promiseSettle,
  'promise.register_callback': promiseRegisterCallback,
  'promise.register_listener': promiseRegisterListener,
  'promise.search': promiseSearch,
  'task.get': taskGet,
  'task.create': taskCreate,
  'task.acquire': taskAcquire,
  'task.fence': taskFence,
  'task.heartbeat': taskHeartbeat,
  'task.suspend': taskSuspend,
  'task.fulfill': taskFulfill,
  'task.release': taskRelease,
  'task.halt': taskHalt,
  'task.continue': taskContinue,
  'task.search': taskSearch,
  'schedule.get': scheduleGet,
  'schedule.create': scheduleCreate,
  'schedule.delete': scheduleDelete,
  'schedule.search': scheduleSearch,
} as const;

export type OperationName = keyof typeof HANDLERS;

/** A request by its operation's name. */
export type Request = {
  readonly [N in OperationName]: { readonly name: N; readonly request: Parameters<(typeof HANDLERS)[N]>[1] };
}[OperationName];

/** Runs a request at `now`. */
export function respond(m: Machine, operation: Request, now: number): Response {
  if (!isLetIn(operation)) return REFUSED_AT_THE_DOOR;
  if (!isRead(operation.name)) dueTimeoutsFirst(m, namedPromises(operation), now);
  const handler = HANDLERS[operation.name] as (m: Machine, request: unknown, now: number) => Response;
  return handler(m, operation.request, now);
}

/** A read writes nothing, not even what is due. */
export function isRead(name: OperationName): boolean {
  return /\.(get|search)$/.test(name);
}

/** SPEC "Due timeouts first": the promises that a request names. */
export function namedPromises({ name, request }: Request): readonly string[] {
  switch (name) {
    case 'promise.register_callback':
      return [request.awaited, request.awaiter];
    case 'promise.register_listener':
      return [request.awaited];
    case 'task.create':
      return [request.action.id];
    case 'task.fence':
      return [request.id, request.action.promise.id];
    case 'task.heartbeat':
      return request.tasks.map(({ id }) => id);
    case 'task.suspend':
      return [request.id, ...request.awaited];
    case 'promise.search':
    case 'task.search':
    case 'schedule.search':
    case 'schedule.get':
    case 'schedule.create':
    case 'schedule.delete':
      return [];
    default:
      return [request.id];
  }
}
