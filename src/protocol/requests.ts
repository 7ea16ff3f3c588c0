/** The requests of the protocol, as they are once the door has let them in: every id, number and tag is within its limits. */
import type { PromiseState, SettleState, Tags, TaskState, Value } from './objects.js';

export interface PromiseGetRequest {
  readonly id: string;
}

/** What a promise is created from: promise.create, task.create, task.fence. */
export interface PromiseSpec {
  readonly id: string;
  readonly timeoutAt: number;
  readonly param: Value;
  readonly tags: Tags;
}

/** What a promise is settled with: promise.settle, task.fence. */
export interface PromiseSettlement {
  readonly id: string;
  readonly state: SettleState;
  readonly value: Value;
}

export interface PromiseRegisterCallbackRequest {
  readonly awaitedId: string;
  readonly awaiterId: string;
}

export interface PromiseRegisterListenerRequest {
  readonly awaitedId: string;
  readonly address: string;
}

export interface PromiseSearchRequest {
  readonly state?: PromiseState | undefined;
  readonly tags: Tags;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface TaskGetRequest {
  readonly id: string;
}

export interface TaskCreateRequest {
  readonly pid: string;
  readonly ttl: number;
  readonly promise: PromiseSpec;
}

/** A task and the version that the caller believes to be current. */
export interface TaskRef {
  readonly id: string;
  readonly version: number;
}

export interface TaskAcquireRequest extends TaskRef {
  readonly pid: string;
  readonly ttl: number;
}

export interface TaskFenceRequest extends TaskRef {
  readonly action:
    | { readonly kind: 'create'; readonly promise: PromiseSpec }
    | { readonly kind: 'settle'; readonly settlement: PromiseSettlement };
}

export interface TaskHeartbeatRequest {
  readonly pid: string;
  readonly tasks: readonly TaskRef[];
}

export interface TaskSuspendRequest extends TaskRef {
  readonly awaitedIds: readonly string[];
}

export interface TaskFulfillRequest extends TaskRef {
  readonly state: SettleState;
  readonly value: Value;
}

export type TaskReleaseRequest = TaskRef;

export interface TaskHaltRequest {
  readonly id: string;
}

export interface TaskContinueRequest {
  readonly id: string;
}

export interface TaskSearchRequest {
  readonly state?: TaskState | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ScheduleGetRequest {
  readonly id: string;
}

export interface ScheduleCreateRequest {
  readonly id: string;
  readonly cron: string;
  readonly promiseId: string;
  readonly promiseTimeout: number;
  readonly promiseParam: Value;
  readonly promiseTags: Tags;
}

export interface ScheduleDeleteRequest {
  readonly id: string;
}

export interface ScheduleSearchRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
