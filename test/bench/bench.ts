/** The rows: what is called, how it is measured, and what is printed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CALLS } from '../../clients/typescript/calls.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { load, percentile } from './load.js';
import { joinGroup, pipelineTransport, unaryTransport, type Request, type Transport } from './transports.js';
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
const PARAM = { headers: new Map([['content-type', 'application/json']]), data: Buffer.alloc(100, 'x') };
/** How long a cell runs before it counts, as a share of what is measured. */
const WARM_UP = 0.25;

/** Measures all cells: for each number in flight the floor, then every row over each transport. */
export async function bench(options: BenchOptions, onCell: (cell: Cell) => void): Promise<void> {
  const bare = await startBare();
  const server = await ServerProcess.start({ flags: ['--log-level', 'info'] });
  const transports = [unaryTransport(server.address), pipelineTransport(server.address)];
  const floor = unaryTransport(`127.0.0.1:${bare.port}`);
  try {
    for (const inFlight of options.inFlight) {
      const cell = { inFlight, seconds: options.seconds };
      const empty = (): Promise<void> => floor.call('/bare.Service/Empty', Buffer.alloc(0), undefined as never);
      onCell(await measure({ ...cell, row: 'empty call', transport: 'bare grpc-js', pid: bare.pid }, empty));
      for (const transport of transports) {
        await steps(transport, cell, server.pid, onCell);
        await lives(transport, cell, server, onCell);
      }
    }
  } finally {
    for (const transport of [floor, ...transports]) transport.close();
    bare.child.kill();
    await server.stop();
    removeDirectory(server.data);
  }
}

/** Creates targeted promises with random ids, reads them, acquires and fulfils their tasks. */
async function steps(
  transport: Transport,
  { inFlight, seconds }: { readonly inFlight: number; readonly seconds: number },
  pid: number,
  onCell: (cell: Cell) => void,
): Promise<void> {
  const created: string[] = [];
  const acquired: string[] = [];
  const fulfilled: string[] = [];
  const cell = { inFlight, seconds, transport: transport.name, pid };
  const tags = new Map([['resonate:target', 'any@bench']]);

  const create = (): Promise<void> => {
    const id = randomUUID();
    const promise = { id, timeoutAtMs: Date.now() + HOUR, param: PARAM, tags };
    return call(transport, { $case: 'promiseCreate', value: { promise } }).then(() => void created.push(id));
  };
  const get = (): Promise<void> => {
    const id = created[Math.floor(Math.random() * created.length)] as string;
    return call(transport, { $case: 'promiseGet', value: { id } });
  };
  const acquire = (): Promise<void> | undefined => {
    const id = created.pop();
    if (id === undefined) return undefined;
    const value = { id, version: 0, pid: 'bench', ttlMs: 3_600_000 };
    return call(transport, { $case: 'taskAcquire', value }).then(() => void acquired.push(id));
  };
  const fulfill = (): Promise<void> | undefined => {
    const id = acquired.pop();
    if (id === undefined) return undefined;
    const value = { id, version: 1, state: 1, value: PARAM };
    return call(transport, { $case: 'taskFulfill', value }).then(() => void fulfilled.push(id));
  };
  onCell(await measure({ ...cell, row: 'create' }, create));
  onCell(await measure({ ...cell, row: 'get' }, get));
  onCell(await measure({ ...cell, row: 'acquire' }, acquire));
  onCell(await measure({ ...cell, row: 'fulfil' }, fulfill));
}

/** From the creation of a task over its push to the end of its promise: three commits and a message on the worker's stream. */
async function lives(
  transport: Transport,
  { inFlight, seconds }: { readonly inFlight: number; readonly seconds: number },
  server: ServerProcess,
  onCell: (cell: Cell) => void,
): Promise<void> {
  const group = randomUUID();
  const tags = new Map([['resonate:target', `any@${group}`]]);
  const living = new Map<string, { readonly end: () => void; readonly fail: (error: unknown) => void }>();
  const work = async (id: string): Promise<void> => {
    await call(transport, { $case: 'taskAcquire', value: { id, version: 0, pid: 'bench', ttlMs: 3_600_000 } });
    await call(transport, { $case: 'taskFulfill', value: { id, version: 1, state: 1, value: PARAM } });
  };
  const worker = await joinGroup(server.address, group, (id) => {
    const life = living.get(id);
    living.delete(id);
    if (life !== undefined) work(id).then(life.end, life.fail);
  });
  const life = (): Promise<void> =>
    new Promise((end, fail) => {
      const id = randomUUID();
      living.set(id, { end, fail });
      const promise = { id, timeoutAtMs: Date.now() + HOUR, param: PARAM, tags };
      call(transport, { $case: 'promiseCreate', value: { promise } }).catch(fail);
    });
  try {
    const { name } = transport;
    onCell(await measure({ row: 'whole life', transport: name, inFlight, seconds, pid: server.pid }, life));
  } finally {
    worker.close();
  }
}

function call(transport: Transport, request: Request): Promise<void> {
  const { path, requestSerialize } = CALLS[request.$case];
  const message = transport.name === 'unary' ? requestSerialize(request.value as never) : EMPTY;
  return transport.call(path, message, request);
}

const EMPTY = Buffer.alloc(0);

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
