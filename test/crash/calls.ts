/** The calls of a load: each notes what its answer says. */
import { status, type ServiceError } from '@grpc/grpc-js';
import { DispatchServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import {
  PromiseServiceService as P,
  PromiseState,
  SettleState,
  type PromiseRecord,
  type PromiseSpec,
} from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import {
  ScheduleServiceService as S,
  type ScheduleSpec,
} from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import {
  TaskServiceService as T,
  TaskState,
  type TaskRef,
} from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type { Random } from '../support/random.js';
import { promiseSpec, type Stubs } from '../support/stubs.js';
import type { Acknowledged, Fact } from './acknowledged.js';

export const GROUP = 'crash';
export const ADDRESS = `any@${GROUP}`;
/** An hour: no lease is lost. */
const TTL = 3_600_000;
const { SETTLE_STATE_RESOLVED, SETTLE_STATE_REJECTED, SETTLE_STATE_REJECTED_CANCELED } = SettleState;
const OUTCOMES = [SETTLE_STATE_RESOLVED, SETTLE_STATE_REJECTED, SETTLE_STATE_REJECTED_CANCELED];

/** The server has died under a call, or is stopping. */
export class Interrupted extends Error {}

export class Calls {
  constructor(
    readonly stubs: Stubs,
    readonly acknowledged: Acknowledged,
  ) {}

  create(id: string, withTask: boolean): Promise<PromiseRecord> {
    return this.createAs(promiseSpec(id, withTask ? ADDRESS : undefined));
  }

  createAs(promise: PromiseSpec): Promise<PromiseRecord> {
    const { id, tags } = promise;
    return this.#do([id], this.stubs.call(P.promiseCreate, { promise }), (answer) =>
      this.#created(answer.promise!, tags.has('resonate:target')),
    );
  }

  /** T-02: created and acquired at once. */
  createAcquired(id: string): Promise<TaskRef> {
    const promise = promiseSpec(id, ADDRESS);
    return this.#do([id], this.stubs.call(T.taskCreate, { pid: id, ttlMs: TTL, promise }), (answer) => {
      this.#know(id, { promise: answer.promise!, task: answer.task! });
      return { id, version: answer.task!.version };
    });
  }

  acquire(id: string, version: number): Promise<TaskRef> {
    return this.#do([id], this.stubs.call(T.taskAcquire, { id, version, pid: id, ttlMs: TTL }), ({ task }) => {
      this.#know(id, { task: task!, resume: undefined });
      return { id, version: task!.version };
    });
  }

  release(task: TaskRef): Promise<void> {
    return this.#do([task.id], this.stubs.call(T.taskRelease, task), () =>
      this.#task(task.id, TaskState.TASK_STATE_PENDING),
    );
  }

  heartbeat(task: TaskRef): Promise<void> {
    return this.#do([task.id], this.stubs.call(T.taskHeartbeat, { pid: task.id, tasks: [task] }), () => {});
  }

  suspend(task: TaskRef, awaitedId: string): Promise<void> {
    const { id } = task;
    // Before the answer, which may not come.
    this.#know(id, { awaited: awaitedId });
    return this.#do([id], this.stubs.call(T.taskSuspend, { ...task, awaitedIds: [awaitedId] }), ({ outcome }) => {
      if (outcome?.$case === 'suspended') this.#task(id, TaskState.TASK_STATE_SUSPENDED);
    });
  }

  halt(id: string): Promise<void> {
    return this.#do([id], this.stubs.call(T.taskHalt, { id }), () => this.#task(id, TaskState.TASK_STATE_HALTED));
  }

  continue(id: string): Promise<void> {
    return this.#do([id], this.stubs.call(T.taskContinue, { id }), () => this.#task(id, TaskState.TASK_STATE_PENDING));
  }

  fulfill(task: TaskRef, random: Random): Promise<void> {
    const value = { headers: new Map<string, string>(), data: Buffer.from(`${task.id}@${task.version}`) };
    const request = { ...task, state: random.pick(OUTCOMES), value };
    return this.#do([task.id], this.stubs.call(T.taskFulfill, request), ({ promise }) => this.#settled(promise!));
  }

  fencedCreate(task: TaskRef, id: string): Promise<void> {
    const action = { $case: 'create', value: promiseSpec(id, ADDRESS) } as const;
    return this.#do([id], this.stubs.call(T.taskFence, { ...task, action }), ({ outcome }) => {
      if (outcome?.$case !== 'promise') throw new Error('a fence was refused inside');
      this.#created(outcome.value, true);
    });
  }

  fencedSettle(task: TaskRef, id: string, random: Random): Promise<void> {
    const action = { $case: 'settle', value: { id, state: random.pick(OUTCOMES), value: undefined } } as const;
    return this.#do([id], this.stubs.call(T.taskFence, { ...task, action }), ({ outcome }) => {
      if (outcome?.$case !== 'promise') throw new Error('a fence was refused inside');
      this.#settled(outcome.value);
    });
  }

  /** The settlement changes its awaiter too, if it has one: a suspended one wakes, any other remembers. */
  settle(id: string, random: Random, awaiterId?: string): Promise<void> {
    const settlement = { id, state: random.pick(OUTCOMES), value: undefined };
    const ids = awaiterId === undefined ? [id] : [id, awaiterId];
    return this.#do(ids, this.stubs.call(P.promiseSettle, { settlement }), ({ promise }) => {
      this.#settled(promise!);
      if (awaiterId === undefined) return;
      if (this.acknowledged.of(awaiterId).task!.state === TaskState.TASK_STATE_SUSPENDED) {
        this.#task(awaiterId, TaskState.TASK_STATE_PENDING);
      }
      this.#know(awaiterId, { awaited: undefined, resume: id });
    });
  }

  registerCallback(awaitedId: string, awaiterId: string): Promise<void> {
    const request = { awaitedId, awaiterId };
    return this.#do([awaitedId], this.stubs.call(P.promiseRegisterCallback, request), ({ promise }) => {
      if (isPending(promise!)) this.#know(awaitedId, { awaiter: awaiterId });
    });
  }

  registerListener(awaitedId: string): Promise<void> {
    const request = { awaitedId, address: ADDRESS };
    return this.#do([awaitedId], this.stubs.call(P.promiseRegisterListener, request), ({ promise }) => {
      if (isPending(promise!)) this.#know(awaitedId, { listener: 'registered' });
    });
  }

  acknowledgeUnblock(promiseId: string): Promise<void> {
    const unblocks = [{ promiseId, address: ADDRESS }];
    const acknowledge = this.stubs.call(DispatchServiceService.dispatchAcknowledge, { unblocks });
    return this.#do([promiseId], acknowledge, () => this.#know(promiseId, { listener: 'acknowledged' }));
  }

  createSchedule(schedule: ScheduleSpec): Promise<void> {
    const { id } = schedule;
    return this.#do([id], this.stubs.call(S.scheduleCreate, { schedule }), (answer) =>
      this.#know(id, { schedule: answer.schedule! }),
    );
  }

  deleteSchedule(id: string): Promise<void> {
    return this.#do([id], this.stubs.call(S.scheduleDelete, { id }), () => this.#know(id, { schedule: 'deleted' }));
  }

  /** Makes a call that changes these ids, and notes what its answer says. Throws `Interrupted` if the server has died. */
  async #do<Response, Result>(
    ids: readonly string[],
    call: Promise<Response>,
    learn: (response: Response) => Result,
  ): Promise<Result> {
    this.acknowledged.attempt(ids);
    let response: Response;
    try {
      response = await call;
    } catch (error) {
      if (isCutOff(error as ServiceError)) throw new Interrupted();
      throw error;
    }
    const result = learn(response);
    this.acknowledged.answered(ids);
    return result;
  }

  #created(promise: PromiseRecord, withTask: boolean): PromiseRecord {
    this.#know(promise.id, { promise });
    const state = isPending(promise) ? TaskState.TASK_STATE_PENDING : TaskState.TASK_STATE_FULFILLED;
    if (withTask) this.#know(promise.id, { task: { state, version: 0 } });
    return promise;
  }

  #settled(promise: PromiseRecord): void {
    const fact = this.acknowledged.of(promise.id);
    this.#know(promise.id, { promise, awaiter: undefined, resume: undefined });
    if (fact.listener === 'registered') fact.listener = 'waiting';
    if (fact.task !== undefined) this.#task(promise.id, TaskState.TASK_STATE_FULFILLED);
  }

  #know(id: string, known: Partial<Fact>): void {
    Object.assign(this.acknowledged.of(id), known);
  }

  #task(id: string, state: TaskState): void {
    const fact = this.acknowledged.of(id);
    fact.task = { state, version: fact.task!.version };
  }
}

/** What grpc-js says of a call whose connection has ended: mostly UNAVAILABLE, but INTERNAL if it sees the end of the call first. */
function isCutOff({ code, details }: ServiceError): boolean {
  return (
    code === status.UNAVAILABLE || (code === status.INTERNAL && details.startsWith('Received RST_STREAM with code 0'))
  );
}

function isPending({ state }: PromiseRecord): boolean {
  return state === PromiseState.PROMISE_STATE_PENDING;
}
