/**
 * Lets a server find much that is due, timeouts of all kinds and a schedule to catch up on, and kills it at a chosen commit of
 * the slices in which it fires them. The next one must find every slice whole or absent, and finish the work.
 */
import {
  DebugTimeoutKind,
  type DebugSnapshotResponse,
} from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import { config } from '../store/samples.js';
import { inParallel } from '../support/in-parallel.js';
import { Random } from '../support/random.js';
import { removeDirectory, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { promiseSpec, Stubs } from '../support/stubs.js';
import { Acknowledged } from './acknowledged.js';
import { ADDRESS, Calls } from './calls.js';
import { Shim, type CrashPoint } from './shim/shim.js';
import { broken, snapshotOf, torn } from './whole.js';

/** Of each kind of work there is this much; a slice fires 100 of each. */
const AMOUNT = 250;
/** The server is away for so long, in ms: the schedule of every second has more to do than three slices. */
const AWAY = 400_000;
/** What falls due while it is away is due in so many ms: not before all of it has been created. */
const DUE_IN = 200_000;
/** A commit gets to each of these once. The first commit of a server takes over the data, the next ones are slices. */
const POINTS: readonly CrashPoint[] = ['sync begun', 'synced', 'committed'];
const LEAST_COMMITS = 2;
const MORE_COMMITS = 5;

export interface OverdueReport {
  readonly round: number;
  readonly deaths: Readonly<Record<string, number>>;
  /** How often the server died with some of the work done, and some not. */
  readonly halfway: number;
  readonly contradictions: readonly string[];
}

/** Runs the rounds, each on data of its own. Stops at the first that contradicts. */
export async function overdueRounds(options: { rounds: number; seed: number; from?: number }): Promise<OverdueReport> {
  const { rounds, seed, from = 1 } = options;
  const deaths: Record<string, number> = {};
  let halfway = 0;
  let round = from;
  let contradictions: string[] = [];
  for (; round < from + rounds && contradictions.length === 0; round++) {
    const random = new Random(seed * 1_000_003 + round);
    const point = random.pick(POINTS);
    const result = await overdueRound(point, LEAST_COMMITS + random.below(MORE_COMMITS), random);
    deaths[`overdue, ${point}`] = (deaths[`overdue, ${point}`] ?? 0) + 1;
    halfway += Number(result.done > 0 && result.done < AMOUNT);
    contradictions = result.contradictions;
  }
  return { round: round - 1, deaths, halfway, contradictions };
}

async function overdueRound(point: CrashPoint, count: number, random: Random) {
  const shim = new Shim();
  const data = temporaryDirectory();
  const start = () => ServerProcess.start({ data, flags: ['--debug'], env: shim.env });
  const acknowledged = new Acknowledged();
  let server: ServerProcess | undefined;
  try {
    server = await start();
    await createWork(server.address, acknowledged);
    await server.kill();

    shim.shiftWallClock(AWAY);
    shim.loseUnsynced(1 + random.below(2 ** 31));
    shim.crashAt(point, count);
    await start().then(
      (started) => started.ended(),
      () => {},
    );
    shim.crashNowhere();
    const done = await deadlinesMet(data);

    server = await start();
    const { address } = server;
    const found = await snapshotOf(address);
    const check = (snapshot: DebugSnapshotResponse) => [
      ...acknowledged.contradictions(snapshot),
      ...broken(snapshot),
      ...torn(snapshot),
    ];
    const contradictions = check(found);
    let last = found;
    while (left(last) > 0) last = await snapshotOf(address);
    contradictions.push(...check(last));
    return { done, contradictions };
  } finally {
    await server?.kill();
    shim.close();
    removeDirectory(data);
  }
}

/** Tasks that time out with a listener, tasks that sleep until a timer, delayed tasks, and a schedule. */
async function createWork(address: string, acknowledged: Acknowledged): Promise<void> {
  const calls = new Calls(new Stubs(address), acknowledged);
  const dueAt = Date.now() + DUE_IN;
  try {
    await inParallel(AMOUNT, 64, async (i) => {
      const deadline = `${i}-deadline`;
      await calls.createAs({ ...promiseSpec(deadline, ADDRESS), timeoutAtMs: dueAt });
      await calls.registerListener(deadline);

      const [sleeper, timer] = [`${i}-sleeper`, `${i}-timer`];
      await calls.create(sleeper, true);
      await calls.createAs({ ...promiseSpec(timer), timeoutAtMs: dueAt, tags: new Map([['resonate:timer', 'true']]) });
      await calls.suspend(await calls.acquire(sleeper, 0), timer);

      const delayed = promiseSpec(`${i}-delayed`, ADDRESS);
      delayed.tags.set('resonate:delay', String(dueAt));
      await calls.createAs(delayed);
    });
    const promise = { promiseId: '{{.id}}/{{.timestamp}}', promiseTimeoutMs: 3_600_000, promiseParam: undefined };
    const { tags: promiseTags } = promiseSpec('', ADDRESS);
    await calls.createSchedule({ id: 'schedule', cron: '* * * * * *', ...promise, promiseTags });
  } finally {
    calls.stubs.close();
  }
}

/** How many of the deadlines the dead server has dealt with. No server is asked: it would go on with them. */
async function deadlinesMet(data: string): Promise<number> {
  const store = openLmdbStore({ path: data, config });
  const { promises } = store.snapshot();
  await store.close();
  return promises.filter(({ promise }) => promise.id.endsWith('-deadline') && promise.state !== 'pending').length;
}

/** How much is due. Retries do not count: they fire for tasks that have been pushed, and here is nobody to push to. */
function left({ nowMs, timeouts, outbox }: DebugSnapshotResponse): number {
  const { DEBUG_TIMEOUT_KIND_PROMISE, DEBUG_TIMEOUT_KIND_SCHEDULE } = DebugTimeoutKind;
  const kinds = [DEBUG_TIMEOUT_KIND_PROMISE, DEBUG_TIMEOUT_KIND_SCHEDULE];
  const announced = outbox.filter(
    ({ message }) => message?.$case === 'execute' && message.value.id.endsWith('-delayed'),
  ).length;
  return timeouts.filter(({ kind, dueAtMs }) => kinds.includes(kind) && dueAtMs <= nowMs).length + AMOUNT - announced;
}
