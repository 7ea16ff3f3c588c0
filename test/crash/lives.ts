/** What happens to promises and tasks under a load, from their creation on. A life that has nothing more to do is left as it is. */
import type { Random } from '../support/random.js';
import { promiseSpec } from '../support/stubs.js';
import { ADDRESS, type Calls } from './calls.js';

type Life = (calls: Calls, id: string, random: Random) => Promise<void>;

/** Most timeouts and delays are due within this many ms, a round's time: at the kill some are, and some are not. */
const SOON = 2_000;

/** One life of an id that is new. Its other ids begin with this one. */
export function live(calls: Calls, id: string, random: Random): Promise<void> {
  return random.pick(LIVES)(calls, id, random);
}

const fulfilled: Life = async (calls, id, random) => {
  let version = 0;
  if (random.below(2) === 0) {
    await calls.create(id, true);
  } else {
    const task = await calls.createAcquired(id);
    await calls.release(task);
    version = task.version;
  }
  if (random.below(3) === 0) {
    const task = await calls.acquire(id, version);
    await calls.release(task);
    version = task.version;
  }
  await calls.fulfill(await calls.acquire(id, version), random);
};

const settled: Life = async (calls, id, random) => {
  await calls.create(id, random.below(2) === 0);
  await calls.settle(id, random);
};

const resumed: Life = async (calls, id, random) => {
  const child = `${id}-child`;
  await calls.create(id, true);
  await calls.create(child, false);
  const task = await calls.acquire(id, 0);
  await calls.suspend(task, child);
  await calls.settle(child, random, id);
  await calls.fulfill(await calls.acquire(id, task.version), random);
};

/** P-04: the awaiter is awake, and remembers. */
const remembered: Life = async (calls, id, random) => {
  const child = `${id}-child`;
  await calls.create(id, true);
  await calls.create(child, random.below(2) === 0);
  await calls.registerCallback(child, id);
  if (random.below(3) === 0) return;
  await calls.settle(child, random, id);
  if (random.below(2) === 0) await calls.fulfill(await calls.acquire(id, 0), random);
};

const halted: Life = async (calls, id, random) => {
  await calls.create(id, true);
  const { version } = random.below(2) === 0 ? await calls.acquire(id, 0) : { version: 0 };
  await calls.halt(id);
  if (random.below(2) === 0) return;
  await calls.continue(id);
  await calls.fulfill(await calls.acquire(id, version), random);
};

const fenced: Life = async (calls, id, random) => {
  const child = `${id}-child`;
  await calls.create(id, true);
  const task = await calls.acquire(id, 0);
  await calls.fencedCreate(task, child);
  await calls.heartbeat(task);
  await calls.fencedSettle(task, child, random);
  await calls.fulfill(task, random);
};

const listened: Life = async (calls, id, random) => {
  await calls.create(id, false);
  await calls.registerListener(id);
  await calls.settle(id, random);
  if (random.below(2) === 0) await calls.acknowledgeUnblock(id);
};

/** Times out soon, with or without a task and a listener; or is a timer, which resolves. */
const timedOut: Life = async (calls, id, random) => {
  const promise = promiseSpec(id, random.below(2) === 0 ? ADDRESS : undefined);
  if (random.below(2) === 0) promise.tags.set('resonate:timer', 'true');
  await calls.createAs({ ...promise, timeoutAtMs: Date.now() + random.below(SOON) });
  if (random.below(3) > 0) await calls.registerListener(id);
};

/** A task that is woken by a timeout. */
const slept: Life = async (calls, id, random) => {
  const timer = `${id}-timer`;
  await calls.create(id, true);
  const { timeoutAtMs: _, ...promise } = promiseSpec(timer);
  promise.tags.set('resonate:timer', 'true');
  await calls.createAs({ ...promise, timeoutAtMs: Date.now() + random.below(SOON) });
  await calls.suspend(await calls.acquire(id, 0), timer);
};

const delayed: Life = async (calls, id, random) => {
  const promise = promiseSpec(id, ADDRESS);
  promise.tags.set('resonate:delay', String(Date.now() + random.below(SOON)));
  await calls.createAs(promise);
  // T-03 may take it earlier.
  if (random.below(3) === 0) await calls.fulfill(await calls.acquire(id, 0), random);
};

const scheduled: Life = async (calls, id, random) => {
  const { tags: promiseTags } = promiseSpec(id, random.below(2) === 0 ? ADDRESS : undefined);
  const promise = { promiseId: '{{.id}}/{{.timestamp}}', promiseTimeoutMs: 3_600_000, promiseParam: undefined };
  await calls.createSchedule({ id, cron: '* * * * * *', ...promise, promiseTags });
  if (random.below(4) > 0) await calls.deleteSchedule(id);
};

const LIVES: readonly Life[] = [
  fulfilled,
  fulfilled,
  settled,
  resumed,
  remembered,
  halted,
  fenced,
  listened,
  timedOut,
  timedOut,
  slept,
  delayed,
  scheduled,
];
