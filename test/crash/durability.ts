/**
 * What clients see of writes, and when, against the instants at which these writes were on disk. Every write carries a mark,
 * which the shim finds in the pages, so that each is compared with its own commit.
 */
import { DispatchServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import {
  PromiseServiceService as P,
  PromiseState,
  SettleState,
} from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { ScheduleServiceService as S } from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import { TaskServiceService as T, TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { promiseSpec, Stubs } from '../support/stubs.js';
import type { ShimEvent } from './shim/shim.js';

/** A client has seen a write, for the first time in this way. */
export interface Sighting {
  readonly way: 'answer' | 'push' | 'read';
  readonly mark: string;
  /** In ns, by `process.hrtime.bigint()`. */
  readonly at: bigint;
}

const GROUP = 'g';
const TTL = 60_000;
/** So many promises of the schedule are waited for. */
const SCHEDULED = 1;

/** Makes marked writes, a few at one time, and watches them from other connections. */
export class Sightings {
  readonly all: Sighting[] = [];
  readonly #writer: Stubs;
  readonly #reader: Stubs;
  readonly #worker: DispatchRecorder;

  constructor(address: string) {
    this.#writer = new Stubs(address);
    this.#reader = new Stubs(address);
    this.#worker = DispatchRecorder.open(address, { group: GROUP, pid: 'worker' });
    this.#worker.follow((event) => {
      if (event.$case === 'execute' && event.value.version === 0) this.#see('push', event.value.taskId);
      if (event.$case === 'unblock') this.#see('push', textOf(event.value.promise!.value?.data));
    });
  }

  /** So many lives at one time, and a schedule that creates its promises. */
  async make(lives: number): Promise<void> {
    await this.#worker.hello();
    await Promise.all([this.#scheduled(), ...Array.from({ length: lives }, (_, i) => this.#live(`mark-${i}`))]);
  }

  close(): void {
    this.#worker.close();
    this.#writer.close();
    this.#reader.close();
  }

  async #live(id: string): Promise<void> {
    const [address, pid, data] = [`any@${GROUP}/${id}l`, `${id}p`, `${id}v`];
    const created = this.#untilRead(id, async () => {
      await this.#reader.call(P.promiseGet, { id });
      return true;
    });
    await this.#writer.call(P.promiseCreate, { promise: promiseSpec(id, `any@${GROUP}`) });
    this.#see('answer', id);
    await created;

    const waits = this.#reader.call(P.promiseWait, { id }).then(() => this.#see('read', data));
    await this.#writer.call(P.promiseRegisterListener, { awaitedId: id, address });
    this.#see('answer', address.slice(address.indexOf('mark')));

    const acquired = this.#untilRead(pid, async () => {
      const { task } = await this.#reader.call(T.taskGet, { id });
      return task!.state === TaskState.TASK_STATE_ACQUIRED;
    });
    const { task } = await this.#writer.call(T.taskAcquire, { id, version: 0, pid, ttlMs: TTL });
    this.#see('answer', pid);
    await acquired;

    const settled = this.#untilRead(data, async () => {
      const { promise } = await this.#reader.call(P.promiseGet, { id });
      return promise!.state === PromiseState.PROMISE_STATE_RESOLVED;
    });
    const value = { headers: new Map<string, string>(), data: Buffer.from(data) };
    const state = SettleState.SETTLE_STATE_RESOLVED;
    await this.#writer.call(T.taskFulfill, { id, version: task!.version, state, value });
    this.#see('answer', data);
    await Promise.all([settled, waits, this.#worker.until(() => this.#worker.unblocked.includes(id))]);
    const unblocks = [{ promiseId: id, address }];
    await this.#writer.call(DispatchServiceService.dispatchAcknowledge, { unblocks });
  }

  async #scheduled(): Promise<void> {
    const { tags: promiseTags } = promiseSpec('', `any@${GROUP}`);
    const schedule = { id: 's', cron: '* * * * * *', promiseId: 'mark-s{{.timestamp}}', promiseTimeoutMs: 3_600_000 };
    await this.#writer.call(S.scheduleCreate, { schedule: { ...schedule, promiseParam: undefined, promiseTags } });
    const pushed = () => this.#worker.pushed.filter((id) => id.startsWith('mark-s'));
    await this.#worker.until(() => pushed().length >= SCHEDULED);
  }

  /** Reads again and again until the write shows. */
  async #untilRead(mark: string, shows: () => Promise<boolean>): Promise<void> {
    while (!(await shows().catch(() => false)));
    this.#see('read', mark);
  }

  #see(way: Sighting['way'], mark: string): void {
    this.all.push({ way, mark, at: process.hrtime.bigint() });
  }
}

/** Those that came before their write was on disk. */
export function tooEarly(sightings: readonly Sighting[], events: readonly ShimEvent[]): Sighting[] {
  const durable = durableInstants(events);
  return sightings.filter(({ mark, at }) => {
    const since = durable.get(mark);
    return since === undefined || at < since;
  });
}

/** For each mark: when the pages that had it first were synced, and after that a header. */
function durableInstants(events: readonly ShimEvent[]): Map<string, bigint> {
  const durable = new Map<string, bigint>();
  const stages: ReadonlyMap<string, ShimEvent['name']> = new Map([
    ['written', 'sync-begin'],
    ['sync-begin', 'sync-end'],
    ['sync-end', 'header-begin'],
    ['header-begin', 'header-end'],
  ]);
  const stageOf = new Map<string, string>();
  for (const { name, detail, at } of events) {
    if (name === 'mark') {
      if (!stageOf.has(detail)) stageOf.set(detail, 'written');
      continue;
    }
    for (const [mark, stage] of stageOf) {
      if (stages.get(stage) !== name) continue;
      stageOf.set(mark, name);
      if (name === 'header-end') durable.set(mark, at);
    }
  }
  return durable;
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}
