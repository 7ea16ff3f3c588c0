import { status, type ServiceError } from '@grpc/grpc-js';
import { DispatchServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import { PromiseServiceService as P, SettleState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import {
  TaskServiceService as T,
  TaskState,
  type TaskRef,
} from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { Random } from '../support/random.js';
import { promiseSpec, Stubs } from '../support/stubs.js';
import type { Acknowledged, Fact } from './acknowledged.js';

const GROUP = 'crash';
const ADDRESS = `any@${GROUP}`;
/** An hour: no lease is lost. */
const TTL = 3_600_000;
const { SETTLE_STATE_RESOLVED, SETTLE_STATE_REJECTED, SETTLE_STATE_REJECTED_CANCELED } = SettleState;
const OUTCOMES = [SETTLE_STATE_RESOLVED, SETTLE_STATE_REJECTED, SETTLE_STATE_REJECTED_CANCELED];

/** The server has died under a call. */
class Interrupted extends Error {}

export interface LoadOptions {
  readonly address: string;
  /** Distinguishes the ids of this load. */
  readonly name: string;
  readonly seed: number;
  readonly acknowledged: Acknowledged;
  /** How many lives are lived at one time, each with one call under way. */
  readonly concurrency: number;
}

/** Lives of promises and tasks, many at a time, until the server dies. */
export class Load {
  readonly #options: LoadOptions;
  readonly #stubs: Stubs;
  #lives = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#stubs = new Stubs(options.address);
  }

  /** Resolves when the server has died, with the number of calls that were under way. */
  async run(): Promise<number> {
    const { address, acknowledged, concurrency, name } = this.#options;
    const watcher = DispatchRecorder.open(address, { group: GROUP, pid: `watcher-${name}`, maxInFlight: 10_000 });
    const interrupted = await Promise.all(Array.from({ length: concurrency }, () => this.#lane()));
    await watcher.ended;
    for (const { taskId, version } of watcher.executes) acknowledged.pushed(taskId, version);
    for (const { promise } of watcher.unblocks) acknowledged.reported(promise!);
    watcher.close();
    this.#stubs.close();
    return interrupted.filter(Boolean).length;
  }

  /** One life after the other. Says whether a call was under way at the end. */
  async #lane(): Promise<boolean> {
    for (;;) {
      const life = this.#lives++;
      const id = `${this.#options.name}-${life}`;
      try {
        await this.#live(id, new Random(this.#options.seed + life * 7919));
      } catch (error) {
        if (error instanceof Interrupted) return true;
        this.#options.acknowledged.refused([id], String(error));
        return false;
      }
    }
  }

  async #live(id: string, random: Random): Promise<void> {
    const lives = [
      this.#fulfilled,
      this.#fulfilled,
      this.#settled,
      this.#resumed,
      this.#halted,
      this.#fenced,
      this.#listened,
    ];
    await random.pick(lives).call(this, id, random);
  }

  async #fulfilled(id: string, random: Random): Promise<void> {
    let version = 0;
    if (random.below(2) === 0) {
      await this.#create(id, true);
    } else {
      const promise = promiseSpec(id, ADDRESS);
      version = await this.#do([id], this.#stubs.call(T.taskCreate, { pid: id, ttlMs: TTL, promise }), (answer) => {
        this.#know(id, { promise: answer.promise!, task: answer.task! });
        return answer.task!.version;
      });
      await this.#release({ id, version });
    }
    if (random.below(3) === 0) version = await this.#acquireAndRelease(id, version);
    await this.#fulfill(await this.#acquire(id, version), random);
  }

  async #acquireAndRelease(id: string, version: number): Promise<number> {
    const task = await this.#acquire(id, version);
    await this.#release(task);
    return task.version;
  }

  async #settled(id: string, random: Random): Promise<void> {
    await this.#create(id, random.below(2) === 0);
    await this.#settle(id, random);
  }

  async #resumed(id: string, random: Random): Promise<void> {
    const child = `${id}-child`;
    await this.#create(id, true);
    await this.#create(child, false);
    const task = await this.#acquire(id, 0);
    const suspend = this.#stubs.call(T.taskSuspend, { ...task, awaitedIds: [child] });
    await this.#do([id], suspend, () => this.#task(id, TaskState.TASK_STATE_SUSPENDED));
    await this.#settle(child, random, () => this.#task(id, TaskState.TASK_STATE_PENDING), [id]);
    await this.#fulfill(await this.#acquire(id, task.version), random);
  }

  async #halted(id: string, random: Random): Promise<void> {
    await this.#create(id, true);
    const { version } = random.below(2) === 0 ? await this.#acquire(id, 0) : { version: 0 };
    await this.#do([id], this.#stubs.call(T.taskHalt, { id }), () => this.#task(id, TaskState.TASK_STATE_HALTED));
    if (random.below(2) === 0) return;
    await this.#do([id], this.#stubs.call(T.taskContinue, { id }), () => this.#task(id, TaskState.TASK_STATE_PENDING));
    await this.#fulfill(await this.#acquire(id, version), random);
  }

  async #fenced(id: string, random: Random): Promise<void> {
    const child = `${id}-child`;
    await this.#create(id, true);
    const task = await this.#acquire(id, 0);
    const create = { $case: 'create', value: promiseSpec(child, ADDRESS) } as const;
    await this.#do([child], this.#stubs.call(T.taskFence, { ...task, action: create }), ({ outcome }) => {
      if (outcome?.$case !== 'promise') throw new Error('a fence was refused inside');
      this.#know(child, { promise: outcome.value, task: { state: TaskState.TASK_STATE_PENDING, version: 0 } });
    });
    await this.#do([id], this.#stubs.call(T.taskHeartbeat, { pid: id, tasks: [task] }), () => {});
    const settle = { $case: 'settle', value: { id: child, state: random.pick(OUTCOMES), value: undefined } } as const;
    await this.#do([child], this.#stubs.call(T.taskFence, { ...task, action: settle }), ({ outcome }) => {
      if (outcome?.$case !== 'promise') throw new Error('a fence was refused inside');
      this.#know(child, { promise: outcome.value });
      this.#task(child, TaskState.TASK_STATE_FULFILLED);
    });
    await this.#fulfill(task, random);
  }

  async #listened(id: string, random: Random): Promise<void> {
    const { acknowledged } = this.#options;
    await this.#create(id, false);
    const register = this.#stubs.call(P.promiseRegisterListener, { awaitedId: id, address: ADDRESS });
    await this.#do([id], register, () => (acknowledged.of(id).listener = 'registered'));
    await this.#settle(id, random, () => (acknowledged.of(id).listener = 'waiting'));
    if (random.below(2) === 0) return;
    const unblocks = [{ promiseId: id, address: ADDRESS }];
    const acknowledge = this.#stubs.call(DispatchServiceService.dispatchAcknowledge, { unblocks });
    await this.#do([id], acknowledge, () => (acknowledged.of(id).listener = 'acknowledged'));
  }

  #create(id: string, withTask: boolean): Promise<void> {
    const promise = promiseSpec(id, withTask ? ADDRESS : undefined);
    return this.#do([id], this.#stubs.call(P.promiseCreate, { promise }), (answer) => {
      this.#know(id, { promise: answer.promise! });
      if (withTask) this.#know(id, { task: { state: TaskState.TASK_STATE_PENDING, version: 0 } });
    });
  }

  #acquire(id: string, version: number): Promise<TaskRef> {
    return this.#do([id], this.#stubs.call(T.taskAcquire, { id, version, pid: id, ttlMs: TTL }), ({ task }) => {
      this.#know(id, { task: task! });
      return { id, version: task!.version };
    });
  }

  #release(task: TaskRef): Promise<void> {
    return this.#do([task.id], this.#stubs.call(T.taskRelease, task), () =>
      this.#task(task.id, TaskState.TASK_STATE_PENDING),
    );
  }

  #fulfill(task: TaskRef, random: Random): Promise<void> {
    const value = { headers: new Map<string, string>(), data: Buffer.from(`${task.id}@${task.version}`) };
    const request = { ...task, state: random.pick(OUTCOMES), value };
    return this.#do([task.id], this.#stubs.call(T.taskFulfill, request), ({ promise }) => {
      this.#know(task.id, { promise: promise! });
      this.#task(task.id, TaskState.TASK_STATE_FULFILLED);
    });
  }

  /** `also` are the ids of others that the settlement changes, and `then` how. */
  #settle(id: string, random: Random, then: () => void = () => {}, also: readonly string[] = []): Promise<void> {
    const settlement = { id, state: random.pick(OUTCOMES), value: undefined };
    return this.#do([id, ...also], this.#stubs.call(P.promiseSettle, { settlement }), ({ promise }) => {
      this.#know(id, { promise: promise! });
      if (this.#options.acknowledged.of(id).task !== undefined) this.#task(id, TaskState.TASK_STATE_FULFILLED);
      then();
    });
  }

  #know(id: string, known: Pick<Fact, 'promise' | 'task'>): void {
    Object.assign(this.#options.acknowledged.of(id), known);
  }

  #task(id: string, state: TaskState): void {
    const fact = this.#options.acknowledged.of(id);
    fact.task = { state, version: fact.task!.version };
  }

  /** Makes a call that changes these ids, and notes what its answer says. Throws `Interrupted` if the server has died. */
  async #do<Response, Result>(
    ids: readonly string[],
    call: Promise<Response>,
    learn: (response: Response) => Result,
  ): Promise<Result> {
    const { acknowledged } = this.#options;
    acknowledged.attempt(ids);
    let response: Response;
    try {
      response = await call;
    } catch (error) {
      if ((error as ServiceError).code === status.UNAVAILABLE) throw new Interrupted();
      throw error;
    }
    const result = learn(response);
    acknowledged.answered(ids);
    return result;
  }
}
