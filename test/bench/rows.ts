/** What is measured of the server: single operations, and what is made of several. */
import { randomUUID } from 'node:crypto';
import { SettleState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { load } from './load.js';
import { joinGroup, type Transport } from './transports.js';

/** Measures what `next` does, and reports it as the row of this name. */
export type MeasureRow = (name: string, next: () => Promise<void> | undefined) => Promise<void>;

/** How many tasks one heartbeat names. */
const HEARTBEAT_TASKS = 100;
const HOUR = 3_600_000;
const VALUE = { headers: new Map([['content-type', 'application/json']]), data: Buffer.alloc(100, 'x') };

/** Creates targeted promises with random ids, reads them, acquires and fulfils their tasks. */
export async function steps(transport: Transport, row: MeasureRow): Promise<void> {
  const created: string[] = [];
  const acquired: string[] = [];
  await row('create', () => {
    const id = randomUUID();
    return create(transport, id, 'bench').then(() => void created.push(id));
  });
  await row('get', () => {
    const id = created[Math.floor(Math.random() * created.length)];
    return id === undefined ? undefined : transport.call({ $case: 'promiseGet', value: { id } });
  });
  await row('acquire', () => {
    const id = created.pop();
    if (id === undefined) return undefined;
    return acquire(transport, { id, version: 0 }, 'bench').then(() => void acquired.push(id));
  });
  await row('fulfil', () => {
    const id = acquired.pop();
    return id === undefined ? undefined : fulfil(transport, id);
  });
}

/** Renews a hundred leases a call. */
export async function heartbeats(transport: Transport, row: MeasureRow): Promise<void> {
  const pid = randomUUID();
  const tasks = await hold(transport, HEARTBEAT_TASKS, pid);
  await row(`heartbeat of ${HEARTBEAT_TASKS}`, () => transport.call({ $case: 'taskHeartbeat', value: { pid, tasks } }));
}

/** A held task creates a promise, is suspended on it, resumed by its end, and acquired again: four calls. */
export async function suspensions(transport: Transport, inFlight: number, row: MeasureRow): Promise<void> {
  const held = await hold(transport, inFlight, 'bench');
  await row('suspend, resume', () => {
    const task = held.pop();
    return task && suspendAndResume(transport, task).then((resumed) => void held.push(resumed));
  });
}

/** From the creation of a task over its push to the end of its promise: three commits and a message on the worker's stream. */
export async function lives(transport: Transport, address: string, row: MeasureRow): Promise<void> {
  await withWorker(address, async (worker) => {
    await row('whole life', async () => {
      const id = randomUUID();
      await worker.pushed(id, () => create(transport, id, worker.group));
      await acquire(transport, { id, version: 0 }, worker.pid);
      await fulfil(transport, id);
    });
  });
}

/** From the call that creates a task to its push at a worker that has nothing else to do. In µs, ascending. */
export async function idlePushes(transport: Transport, address: string, seconds: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  await withWorker(address, async (worker) => {
    await load(1, seconds, async () => {
      const id = randomUUID();
      const startedAt = performance.now();
      await worker.pushed(id, () => create(transport, id, worker.group));
      latencies.push((performance.now() - startedAt) * 1_000);
      // Unmeasured: it is idle again.
      await acquire(transport, { id, version: 0 }, worker.pid);
      await fulfil(transport, id);
    });
  });
  return latencies.sort((a, b) => a - b);
}

interface BenchWorker {
  readonly group: string;
  readonly pid: string;
  /** Resolves once the task was pushed; rejects if `start` does, or if the stream breaks. */
  pushed(id: string, start: () => Promise<void>): Promise<void>;
}

/** Has a worker of a group of its own. Its pid is not that of the steps: what a process holds takes the room of what is pushed to it. */
async function withWorker(address: string, work: (worker: BenchWorker) => Promise<void>): Promise<void> {
  const group = randomUUID();
  const pid = randomUUID();
  const waiting = new Map<string, { readonly resolve: () => void; readonly reject: (error: unknown) => void }>();
  const stream = await joinGroup(
    address,
    { group, pid },
    {
      onExecute: (id) => {
        waiting.get(id)?.resolve();
        waiting.delete(id);
      },
      onBroken: (error) => {
        for (const { reject } of waiting.values()) reject(error);
      },
    },
  );
  const pushed = (id: string, start: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      start().catch(reject);
    });
  try {
    await work({ group, pid, pushed });
  } finally {
    stream.close();
  }
}

interface HeldTask {
  readonly id: string;
  readonly version: number;
}

/** Creates and acquires so many tasks. */
function hold(transport: Transport, count: number, pid: string): Promise<HeldTask[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const id = randomUUID();
      await create(transport, id, 'bench');
      await acquire(transport, { id, version: 0 }, pid);
      return { id, version: 1 };
    }),
  );
}

async function suspendAndResume(transport: Transport, { id, version }: HeldTask): Promise<HeldTask> {
  const awaited = randomUUID();
  const settlement = { id: awaited, state: SettleState.SETTLE_STATE_RESOLVED, value: VALUE };
  await create(transport, awaited);
  await transport.call({ $case: 'taskSuspend', value: { id, version, awaitedIds: [awaited] } });
  await transport.call({ $case: 'promiseSettle', value: { settlement } });
  await acquire(transport, { id, version }, 'bench');
  return { id, version: version + 1 };
}

/** With a group: its promise has a task. */
function create(transport: Transport, id: string, group?: string): Promise<void> {
  const tags = new Map(group === undefined ? [] : [['resonate:target', `any@${group}`]]);
  const promise = { id, timeoutAtMs: Date.now() + HOUR, param: VALUE, tags };
  return transport.call({ $case: 'promiseCreate', value: { promise } });
}

/** Under the version that it was pushed with. */
function acquire(transport: Transport, { id, version }: HeldTask, pid: string): Promise<void> {
  return transport.call({ $case: 'taskAcquire', value: { id, version, pid, ttlMs: HOUR } });
}

function fulfil(transport: Transport, id: string): Promise<void> {
  const state = SettleState.SETTLE_STATE_RESOLVED;
  return transport.call({ $case: 'taskFulfill', value: { id, version: 1, state, value: VALUE } });
}
