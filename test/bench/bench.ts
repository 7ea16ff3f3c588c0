/** The rows: what is called, how it is measured, and what is printed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SettleState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { load, percentile } from './load.js';
import { joinGroup, pipelineTransport, rawClient, unaryTransport, type Transport } from './transports.js';
import { usageOf } from './usage.js';

export interface BenchOptions {
  readonly inFlight: readonly number[];
  /** How long each cell is measured, in seconds. */
  readonly seconds: number;
}

/** One cell: an operation, over a transport, with so many calls under way. */
export interface Cell {
  readonly row: string;
  readonly transport: string;
  readonly inFlight: number;
  readonly perSecond: number;
  /** In µs. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** User and system time of all threads of the server, in µs an operation; and of this process. */
  readonly serverCpu: number;
  readonly clientCpu: number;
  /** What the server had written to the disk, in bytes an operation. */
  readonly bytes: number;
}

const BARE = fileURLToPath(new URL('./bare-server.js', import.meta.url));
const HOUR = 3_600_000;
const NOTHING = new Uint8Array();
const VALUE = { headers: new Map([['content-type', 'application/json']]), data: Buffer.alloc(100, 'x') };
/** How long a cell runs before it counts, as a share of what is measured. */
const WARM_UP = 0.25;

/** Measures all cells: for each number in flight the floor, then every row over each transport. */
export async function bench({ inFlight, seconds }: BenchOptions, onCell: (cell: Cell) => void): Promise<void> {
  const bare = await startBare();
  const server = await ServerProcess.start({ flags: ['--log-level', 'info'] });
  const transports = [unaryTransport(server.address), pipelineTransport(server.address)];
  const floor = rawClient(`127.0.0.1:${bare.port}`);
  const empty = (): Promise<void> => floor.call('/bare.Service/Empty', NOTHING);
  try {
    for (const calls of inFlight) {
      const floorOptions = { row: 'empty call', transport: 'bare grpc-js', inFlight: calls, seconds, pid: bare.pid };
      onCell(await measure(floorOptions, empty));
      for (const transport of transports) {
        const row: MeasureRow = async (name, next) => {
          const options = { row: name, transport: transport.name, inFlight: calls, seconds, pid: server.pid };
          onCell(await measure(options, next));
        };
        await steps(transport, row);
        await lives(transport, server.address, row);
      }
    }
  } finally {
    for (const opened of [floor, ...transports]) opened.close();
    bare.child.kill();
    await server.stop();
    removeDirectory(server.data);
  }
}

/** Measures what `next` does, and reports it as the row of this name. */
type MeasureRow = (name: string, next: () => Promise<void> | undefined) => Promise<void>;

/** Creates targeted promises with random ids, reads them, acquires and fulfils their tasks. */
async function steps(transport: Transport, row: MeasureRow): Promise<void> {
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
    return id === undefined ? undefined : acquire(transport, id).then(() => void acquired.push(id));
  });
  await row('fulfil', () => {
    const id = acquired.pop();
    return id === undefined ? undefined : fulfil(transport, id);
  });
}

/** From the creation of a task over its push to the end of its promise: three commits and a message on the worker's stream. */
async function lives(transport: Transport, address: string, row: MeasureRow): Promise<void> {
  const group = randomUUID();
  const living = new Map<string, { readonly end: () => void; readonly fail: (error: unknown) => void }>();
  const worker = await joinGroup(address, group, {
    onExecute: (id) => {
      const life = living.get(id);
      living.delete(id);
      if (life === undefined) return;
      acquire(transport, id)
        .then(() => fulfil(transport, id))
        .then(life.end, life.fail);
    },
    onBroken: (error) => {
      for (const { fail } of living.values()) fail(error);
    },
  });
  const life = (): Promise<void> =>
    new Promise((end, fail) => {
      const id = randomUUID();
      living.set(id, { end, fail });
      create(transport, id, group).catch(fail);
    });
  try {
    await row('whole life', life);
  } finally {
    worker.close();
  }
}

function create(transport: Transport, id: string, group: string): Promise<void> {
  const tags = new Map([['resonate:target', `any@${group}`]]);
  const promise = { id, timeoutAtMs: Date.now() + HOUR, param: VALUE, tags };
  return transport.call({ $case: 'promiseCreate', value: { promise } });
}

function acquire(transport: Transport, id: string): Promise<void> {
  return transport.call({ $case: 'taskAcquire', value: { id, version: 0, pid: 'bench', ttlMs: HOUR } });
}

function fulfil(transport: Transport, id: string): Promise<void> {
  const state = SettleState.SETTLE_STATE_RESOLVED;
  return transport.call({ $case: 'taskFulfill', value: { id, version: 1, state, value: VALUE } });
}

interface CellOptions {
  readonly row: string;
  readonly transport: string;
  readonly inFlight: number;
  readonly seconds: number;
  /** The server. */
  readonly pid: number;
}

async function measure(options: CellOptions, next: () => Promise<void> | undefined): Promise<Cell> {
  const { row, transport, inFlight, seconds, pid } = options;
  await load(inFlight, seconds * WARM_UP, next);
  const before = { server: usageOf(pid), client: usageOf(process.pid) };
  const { calls, seconds: took, latencies } = await load(inFlight, seconds, next);
  const after = { server: usageOf(pid), client: usageOf(process.pid) };
  return {
    row,
    transport,
    inFlight,
    perSecond: calls / took,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    p999: percentile(latencies, 0.999),
    serverCpu: (after.server.cpuUs - before.server.cpuUs) / calls,
    clientCpu: (after.client.cpuUs - before.client.cpuUs) / calls,
    bytes: (after.server.writtenBytes - before.server.writtenBytes) / calls,
  };
}

async function startBare(): Promise<{ readonly child: ChildProcess; readonly pid: number; readonly port: number }> {
  const child = spawn(process.execPath, [BARE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, pid: child.pid as number, port: Number(line) };
}
