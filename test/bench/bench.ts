/** How the rows and their floors are measured. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { commitPath } from './commit-path.js';
import { load, percentile } from './load.js';
import { heartbeats, idlePushes, lives, steps, suspensions, type MeasureRow } from './rows.js';
import { echoStream, pipelineTransport, rawClient, unaryTransport, type Transport } from './transports.js';
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

/** What passes until an idle worker has a task, beside what must pass. Medians in µs. */
export interface IdlePush {
  readonly unary: number;
  readonly pipelined: number;
  /** A message on a stream of bare grpc-js that is open, and its echo. */
  readonly echo: number;
  /** The rows of a create, committed by LMDB alone. */
  readonly commit: number;
}

/** How many lives show what a transaction of one operation takes. */
const SINGLE_LIVES = 500;
const NOTHING = new Uint8Array();
/** How long a cell runs before it counts, as a share of what is measured. */
const WARM_UP = 0.25;

/** Measures all cells: for each number in flight the floors, then every row over each transport. */
export async function bench({ inFlight, seconds }: BenchOptions, onCell: (cell: Cell) => void): Promise<IdlePush> {
  const floors = [await startBare('bare grpc-js', 'bare-server'), await startBare('bare http2', 'bare-http2-server')];
  const server = await ServerProcess.start({ flags: ['--log-level', 'info'] });
  const transports = [unaryTransport(server.address), pipelineTransport(server.address)] as const;
  try {
    const idle = await idlePush(transports, server.address, floors[0]!.address, seconds);
    for (const calls of inFlight) {
      for (const { name, address, child } of floors) {
        const client = rawClient(address);
        const options = { row: 'empty call', transport: name, inFlight: calls, seconds, pid: child.pid as number };
        onCell(await measure(options, () => client.call('/bare.Service/Empty', NOTHING)));
        client.close();
      }
      for (const transport of transports) {
        const row: MeasureRow = async (name, next) => {
          const options = { row: name, transport: transport.name, inFlight: calls, seconds, pid: server.pid };
          onCell(await measure(options, next));
        };
        await steps(transport, row);
        await heartbeats(transport, row);
        await suspensions(transport, calls, row);
        await lives(transport, server.address, row);
      }
    }
    return idle;
  } finally {
    for (const opened of transports) opened.close();
    for (const { child } of floors) child.kill();
    await server.stop();
    removeDirectory(server.data);
  }
}

async function idlePush(
  [unary, pipelined]: readonly [Transport, Transport],
  address: string,
  bareAddress: string,
  seconds: number,
): Promise<IdlePush> {
  const stream = echoStream(bareAddress);
  try {
    await load(1, seconds * WARM_UP, () => stream.echo());
    const { latencies } = await load(1, seconds, () => stream.echo());
    const [create] = commitPath({ warmUp: SINGLE_LIVES / 5, lives: SINGLE_LIVES, batch: 1 });
    return {
      commit: create!.commitP50,
      unary: percentile(await idlePushes(unary, address, seconds), 0.5),
      pipelined: percentile(await idlePushes(pipelined, address, seconds), 0.5),
      echo: percentile(latencies, 0.5),
    };
  } finally {
    stream.close();
  }
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

/** A server that does nothing, as a process. */
interface BareServer {
  readonly name: string;
  readonly child: ChildProcess;
  readonly address: string;
}

async function startBare(name: string, file: string): Promise<BareServer> {
  const path = fileURLToPath(new URL(`./${file}.js`, import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { name, child, address: `127.0.0.1:${Number(line)}` };
}
