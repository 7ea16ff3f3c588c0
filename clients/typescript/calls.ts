/** Every unary RPC: its name, its messages, and whether the proto says that a retry is always safe. */
import * as dispatch from './gen/resonate_grpc/v1/dispatch.js';
import * as promise from './gen/resonate_grpc/v1/promise.js';
import * as schedule from './gen/resonate_grpc/v1/schedule.js';
import * as task from './gen/resonate_grpc/v1/task.js';

/** One RPC. */
export interface Call<Request, Response> {
  readonly path: string;
  readonly requestSerialize: (request: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
  /** Completes what a caller gave. */
  readonly fromPartial: (partial: never) => Request;
  readonly retrySafe: boolean;
}

type Method<Request, Response> = Pick<Call<Request, Response>, 'path' | 'requestSerialize' | 'responseDeserialize'>;

function call<Request, Response>(
  { path, requestSerialize, responseDeserialize }: Method<Request, Response>,
  { fromPartial }: { readonly fromPartial: (partial: never) => Request },
  retrySafe: boolean,
): Call<Request, Response> {
  return { path, requestSerialize, responseDeserialize, fromPartial, retrySafe };
}

const promises = promise.PromiseServiceService;
const tasks = task.TaskServiceService;
const schedules = schedule.ScheduleServiceService;
const dispatches = dispatch.DispatchServiceService;
const SAFE = true;
const ONCE = false;

/** The table. */
export const CALLS = {
  promiseGet: call(promises.promiseGet, promise.PromiseGetRequest, SAFE),
  promiseCreate: call(promises.promiseCreate, promise.PromiseCreateRequest, SAFE),
  promiseSettle: call(promises.promiseSettle, promise.PromiseSettleRequest, SAFE),
  promiseRegisterCallback: call(promises.promiseRegisterCallback, promise.PromiseRegisterCallbackRequest, SAFE),
  promiseRegisterListener: call(promises.promiseRegisterListener, promise.PromiseRegisterListenerRequest, SAFE),
  promiseSearch: call(promises.promiseSearch, promise.PromiseSearchRequest, ONCE),
  promiseWait: call(promises.promiseWait, promise.PromiseWaitRequest, SAFE),
  taskGet: call(tasks.taskGet, task.TaskGetRequest, SAFE),
  taskCreate: call(tasks.taskCreate, task.TaskCreateRequest, ONCE),
  taskAcquire: call(tasks.taskAcquire, task.TaskAcquireRequest, ONCE),
  taskFence: call(tasks.taskFence, task.TaskFenceRequest, ONCE),
  taskHeartbeat: call(tasks.taskHeartbeat, task.TaskHeartbeatRequest, SAFE),
  taskSuspend: call(tasks.taskSuspend, task.TaskSuspendRequest, ONCE),
  taskFulfill: call(tasks.taskFulfill, task.TaskFulfillRequest, ONCE),
  taskRelease: call(tasks.taskRelease, task.TaskReleaseRequest, ONCE),
  taskHalt: call(tasks.taskHalt, task.TaskHaltRequest, SAFE),
  taskContinue: call(tasks.taskContinue, task.TaskContinueRequest, ONCE),
  taskSearch: call(tasks.taskSearch, task.TaskSearchRequest, ONCE),
  scheduleGet: call(schedules.scheduleGet, schedule.ScheduleGetRequest, SAFE),
  scheduleCreate: call(schedules.scheduleCreate, schedule.ScheduleCreateRequest, SAFE),
  scheduleDelete: call(schedules.scheduleDelete, schedule.ScheduleDeleteRequest, ONCE),
  scheduleSearch: call(schedules.scheduleSearch, schedule.ScheduleSearchRequest, ONCE),
  dispatchAcknowledge: call(dispatches.dispatchAcknowledge, dispatch.DispatchAcknowledgeRequest, SAFE),
  dispatchDrain: call(dispatches.dispatchDrain, dispatch.DispatchDrainRequest, SAFE),
};

/** The names of the unary RPCs. */
export type CallName = keyof typeof CALLS;
type RequestOf<Name extends CallName> = (typeof CALLS)[Name] extends Call<infer Request, infer _> ? Request : never;
type ResponseOf<Name extends CallName> = (typeof CALLS)[Name] extends Call<infer _, infer Response> ? Response : never;

/** For one call. */
export interface CallOptions {
  /** How long the call may take, its retries included, in ms. Over 24 days: for ever. Absent: the client's. */
  readonly deadlineMs?: number | undefined;
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Every unary RPC as a function: fields that are left out have their proto defaults. Throws a ResonateError. */
export type Calls = {
  [Name in CallName]: (
    request: promise.DeepPartial<RequestOf<Name>>,
    options?: CallOptions,
  ) => Promise<ResponseOf<Name>>;
};
