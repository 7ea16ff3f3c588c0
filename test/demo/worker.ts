/** A worker of the demo: adds up numbers by handing each to a child task, and tells its parent what it does. */
import { setTimeout as pause } from 'node:timers/promises';
import { unwrap, Worker, type TaskContext } from '../../clients/typescript/index.js';
import type { Report } from './report.js';

const [address, pid] = process.argv.slice(2) as [string, string];
const GROUP = 'demo';
/** How long a child pretends to work, in ms: long enough to be killed in the middle of it, and not all at the same time. */
const workMs = () => 200 + Math.random() * 300;

// The parent is gone: so is whoever would have wanted to know.
process.stdout.on('error', () => process.exit(1));

function tell(report: Report): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

async function addUp(ctx: TaskContext): Promise<number> {
  const { numbers } = ctx.param as { numbers: number[] };
  const children = await Promise.all(
    numbers.map((number) => ctx.create({ id: `${ctx.task.id}.${number}`, target: `any@${GROUP}`, param: { number } })),
  );
  const outcomes = await ctx.awaitAll(children);
  return outcomes.map((child) => unwrap(child) as number).reduce((sum, square) => sum + square, 0);
}

async function square(ctx: TaskContext): Promise<number> {
  await pause(workMs(), undefined, { signal: ctx.signal });
  const { number } = ctx.param as { number: number };
  return number * number;
}

const worker = new Worker({
  address,
  pid,
  group: GROUP,
  maxInFlight: 4,
  ttl: 2_000,
  handler: async (ctx) => {
    const isRoot = 'numbers' in (ctx.param as object);
    tell({ kind: 'started', pid, taskId: ctx.task.id, version: ctx.task.version });
    return isRoot ? addUp(ctx) : square(ctx);
  },
}).drainOnSignals();

await worker.start();
tell({ kind: 'connected', pid });
await worker.done;
