/**
 * The demo: a server on a temporary directory, three worker processes, and a workflow that fans out to 100 children. A worker is
 * killed while it holds tasks, and later the server itself; the table at the end says what became of the work.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isSettled, ResonateClient, unwrap, type PromiseRecord } from '../../clients/typescript/index.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import type { Report } from './report.js';

const CHILDREN = 100;
const WORKERS = ['worker-1', 'worker-2', 'worker-3'];
const ROOT = 'sum-of-squares';
/** The whole demo must be over by then, in ms. */
const TIME_LIMIT = 55_000;

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
const numbers = Array.from({ length: CHILDREN }, (_, i) => i + 1);
const childIds = numbers.map((number) => `${ROOT}.${number}`);
const expectedSum = numbers.reduce((sum, number) => sum + number * number, 0);

/** Task id → the workers that started it, one entry a run. */
const runs = new Map<string, string[]>();
/** Every settled promise that an answer has shown: no later answer may say otherwise. */
const shown = new Map<string, PromiseRecord>();
const contradicted = new Set<string>();

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

function startWorker(address: string, pid: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--enable-source-maps', WORKER, address, pid], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${pid} ended with ${code}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const report = JSON.parse(line) as Report;
      if (report.kind === 'connected') resolve(child);
      else runs.set(report.taskId, [...(runs.get(report.taskId) ?? []), report.pid]);
    });
  });
}

/** Reads every promise, and holds what it shows against what was shown before. */
async function look(client: ResonateClient): Promise<PromiseRecord[]> {
  const reads = [ROOT, ...childIds].map((id) => client.promiseGet({ id }, { deadlineMs: 5_000 }));
  // Not created yet, or the server is down.
  const answers = (await Promise.allSettled(reads)).filter((answer) => answer.status === 'fulfilled');
  const found = answers.flatMap(({ value }) => value.promise ?? []);
  for (const record of found) {
    const before = shown.get(record.id);
    if (before !== undefined && !sameOutcome(before, record)) contradicted.add(record.id);
    if (before === undefined && isSettled(record)) shown.set(record.id, record);
  }
  return found;
}

function sameOutcome(a: PromiseRecord, b: PromiseRecord): boolean {
  const data = (record: PromiseRecord) => Buffer.from(record.value?.data ?? []).toString();
  return a.state === b.state && a.settledAtMs === b.settledAtMs && data(a) === data(b);
}

async function untilSettled(client: ResonateClient, least: number): Promise<void> {
  while ((await look(client)).filter(isSettled).length < least) await pause(50);
}

/** Waits until a worker holds several children at once, by the server's own records. */
async function holderOfWork(client: ResonateClient): Promise<string> {
  for (;;) {
    const answers = await Promise.allSettled(childIds.map((id) => client.taskGet({ id })));
    const holders = answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value.task?.pid ?? []) : []));
    const busy = WORKERS.find((pid) => holders.filter((holder) => holder === pid).length >= 3);
    if (busy !== undefined) return busy;
    await pause(10);
  }
}

async function main(): Promise<number> {
  const startedAt = Date.now();
  const first = await ServerProcess.start();
  say(`server on ${first.address}, records in ${first.data}`);
  const processes = new Map<string, ChildProcess>();
  for (const pid of WORKERS) processes.set(pid, await startWorker(first.address, pid));
  say(`${WORKERS.length} workers connected`);

  const client = new ResonateClient({ address: first.address });
  const outcome = client.invoke({ id: ROOT, target: 'any@demo', param: { numbers }, timeoutMs: 600_000 });
  say(`created ${ROOT}: it fans out to ${CHILDREN} children`);

  await untilSettled(client, 20);
  const victim = await holderOfWork(client);
  processes.get(victim)?.kill('SIGKILL');
  processes.delete(victim);
  const atWorkerKill = runsSoFar();
  say(`${shown.size} fulfilled; killed ${victim} while it held tasks`);

  await untilSettled(client, 50);
  await first.kill();
  say(`${shown.size} fulfilled; killed the server`);
  await pause(500);
  const second = await ServerProcess.start({ data: first.data, port: first.port });
  say('started the server again on the same records');

  const sum = unwrap(await outcome);
  const found = await look(client);
  const fulfilled = found.filter(isSettled).length;
  for (const child of processes.values()) child.kill('SIGTERM');
  client.close();
  await second.stop();
  removeDirectory(second.data);

  const executed = childIds.filter((id) => runs.has(id)).length + (runs.has(ROOT) ? 1 : 0);
  const reExecuted = childIds.filter((id) => (runs.get(id)?.length ?? 0) > 1).length;
  const lost = CHILDREN + 1 - fulfilled;
  const seconds = (Date.now() - startedAt) / 1000;
  const rows: [string, string | number][] = [
    ['created', found.length],
    ['executed', executed],
    ['re-executed after the kills', reExecuted],
    ['fulfilled', fulfilled],
    ['lost', lost],
    ['acknowledged answers contradicted', contradicted.size],
  ];
  say('');
  for (const [name, number] of rows) say(`  ${name.padEnd(36)}${String(number).padStart(6)}`);
  say('');
  say(`  sum of squares ${String(sum)}, expected ${expectedSum}; ${seconds.toFixed(1)} s`);

  const all = CHILDREN + 1;
  const right =
    sum === expectedSum &&
    found.length === all &&
    executed === all &&
    fulfilled === all &&
    lost === 0 &&
    contradicted.size === 0 &&
    // The killed worker held at least one task, which somebody else did again.
    reExecuted >= 1 &&
    runsSoFar() > atWorkerKill;
  say(right ? '  all of it is right' : '  THIS IS WRONG');
  return right ? 0 : 1;
}

function runsSoFar(): number {
  return [...runs.values()].reduce((sum, pids) => sum + pids.length, 0);
}

setTimeout(() => {
  say(`  not done after ${TIME_LIMIT / 1000} s`);
  process.exit(1);
}, TIME_LIMIT).unref();

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
