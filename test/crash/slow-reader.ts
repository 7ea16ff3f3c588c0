/**
 * A reader that stops reading, with 100,000 messages waiting for its group: the server's memory stays small, another gets all
 * of it, nothing is lost. `node dist/test/crash/slow-reader.js executes|unblocks [messages]` runs it by hand.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DispatchServiceService, type UnblockRef } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import { PromiseServiceService, SettleState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { inParallel } from '../support/in-parallel.js';
import { peakMegabytes } from '../support/memory.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { promiseSpec, Stubs } from '../support/stubs.js';

const READER = fileURLToPath(new URL('./stopped-reader.js', import.meta.url));
const GROUP = 'g';
/** So many calls are under way at one time. */
const CONCURRENCY = 512;
const TTL = 60_000;
/** One task in so many is acquired and fulfilled, the others by settling the promise: two calls each would try the client. */
const ACQUIRED_ONE_IN = 10;
/** One promise has so many listeners. */
const LISTENERS = 100;
/** The server sends so many unblocks to a stream that does not acknowledge them. */
const MOST_UNACKNOWLEDGED = 1_000;
const state = SettleState.SETTLE_STATE_RESOLVED;

/** What waits for the group: work, or news. */
export type MessageKind = 'executes' | 'unblocks';

export interface SlowReaderReport {
  readonly messages: number;
  /** How many another reader was given and could handle: tasks that are fulfilled, or unblocks that it acknowledged. */
  readonly handled: number;
  /** How many were still waiting for the group at the end. */
  readonly left: number;
  /** The most memory that the server held at any time, in MB. */
  readonly peakMegabytes: number;
  /** How long each part took, in s. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Both kinds: how to make so many messages wait, and what a reader does with them. */
interface Scenario {
  readonly create: (stubs: Stubs, messages: number) => Promise<void>;
  /** Adds to `handled` the name of each message that was handled. */
  readonly handle: (stubs: Stubs, worker: DispatchRecorder, handled: Set<string>, changed: () => void) => void;
}

const SCENARIOS: Readonly<Record<MessageKind, Scenario>> = {
  executes: {
    create: (stubs, messages) =>
      inParallel(messages, CONCURRENCY, (i) =>
        stubs.call(PromiseServiceService.promiseCreate, { promise: promiseSpec(`task-${i}`, `any@${GROUP}`) }),
      ),
    handle: (stubs, worker, handled, changed) => {
      let taken = 0;
      const work = async (id: string, version: number): Promise<void> => {
        if (taken++ % ACQUIRED_ONE_IN === 0) {
          const { task } = await stubs.call(TaskServiceService.taskAcquire, { id, version, pid: 'worker', ttlMs: TTL });
          await stubs.call(TaskServiceService.taskFulfill, { id, version: task!.version, state, value: undefined });
        } else {
          await stubs.call(PromiseServiceService.promiseSettle, { settlement: { id, state, value: undefined } });
        }
        handled.add(id);
        changed();
      };
      worker.follow((event) => {
        // A push that came twice is refused the second time.
        if (event.$case === 'execute') work(event.value.taskId, event.value.version).catch(() => {});
      });
    },
  },
  unblocks: {
    create: async (stubs, messages) => {
      const promises = messages / LISTENERS;
      const id = (i: number) => `promise-${i}`;
      await inParallel(promises, CONCURRENCY, (i) =>
        stubs.call(PromiseServiceService.promiseCreate, { promise: promiseSpec(id(i)) }),
      );
      await inParallel(messages, CONCURRENCY, (i) => {
        // The pid is nobody's: it makes the addresses differ.
        const request = { awaitedId: id(i % promises), address: `any@${GROUP}/${Math.floor(i / promises)}` };
        return stubs.call(PromiseServiceService.promiseRegisterListener, request);
      });
      await inParallel(promises, CONCURRENCY, (i) =>
        stubs.call(PromiseServiceService.promiseSettle, { settlement: { id: id(i), state, value: undefined } }),
      );
    },
    handle: (stubs, worker, handled, changed) => {
      let waiting: UnblockRef[] = [];
      const acknowledge = async (): Promise<void> => {
        const unblocks = waiting;
        waiting = [];
        await stubs.call(DispatchServiceService.dispatchAcknowledge, { unblocks });
        for (const { promiseId, address } of unblocks) handled.add(`${promiseId} ${address}`);
        changed();
      };
      worker.follow((event) => {
        if (event.$case !== 'unblock') return;
        waiting.push({ promiseId: event.value.promise!.id, address: event.value.address });
        if (waiting.length === 1) setImmediate(() => void acknowledge().catch(() => {}));
      });
    },
  },
};

/** Runs it once. The reader is stopped before the first message comes, and stays so until others have the rest. */
export async function slowReader(kind: MessageKind, messages: number): Promise<SlowReaderReport> {
  const { create, handle } = SCENARIOS[kind];
  const seconds: Record<string, number> = {};
  const timed = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await work();
    seconds[name] = Math.round((performance.now() - startedAt) / 100) / 10;
  };
  const server = await ServerProcess.start();
  const stubs = new Stubs(server.address);
  const connect = (pid: string) => DispatchRecorder.connect(server.address, { group: GROUP, pid, maxInFlight: 500 });
  let reader: ChildProcess | undefined;
  try {
    const stopped = (reader = await stoppedReader(server.address));
    await timed('create', () => create(stubs, messages));
    const worker = await connect('worker');
    const handled = new Set<string>();
    await timed('handle', async () => {
      await new Promise<void>((done) => {
        handle(stubs, worker, handled, () => {
          if (handled.size === messages) done();
          // What it was sent and has not acknowledged stays with it for as long as it seems to be there.
          else if (kind === 'unblocks' && handled.size >= messages - MOST_UNACKNOWLEDGED) stopped.kill('SIGKILL');
        });
      });
    });
    const peak = peakMegabytes(server.pid);
    worker.close();
    const left = await leftFor(await connect('late'), stubs);
    return { messages, handled: handled.size, left, peakMegabytes: peak, seconds };
  } finally {
    reader?.kill('SIGKILL');
    stubs.close();
    await server.kill();
    removeDirectory(server.data);
  }
}

/** A process with an open stream that is stopped: it neither reads nor answers, and its connection stays. */
async function stoppedReader(address: string): Promise<ChildProcess> {
  // It asks for more than the server gives anybody, so that only the server's bounds hold it back.
  const reader = spawn(process.execPath, [READER, address, GROUP, 'stopped', '1000000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(reader.stdout, 'data');
  reader.kill('SIGSTOP');
  return reader;
}

/** What comes before a task that is created now. */
async function leftFor(late: DispatchRecorder, stubs: Stubs): Promise<number> {
  await stubs.call(PromiseServiceService.promiseCreate, { promise: promiseSpec('last', `uni@${GROUP}/late`) });
  await late.execute('last');
  late.close();
  return late.kinds.filter((kind) => kind === 'execute' || kind === 'unblock').length - 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [kind = 'executes', messages = '100000'] = process.argv.slice(2);
  console.log(JSON.stringify(await slowReader(kind as MessageKind, Number(messages)), null, 2));
}
