/**
 * Kills the server in the middle of concurrent work, starts it again on the same data, and compares: every answer that a client
 * got must still be true, and what nobody was told is there whole, or not at all.
 */
import type { DebugSnapshotResponse } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { Random } from '../support/random.js';
import { removeDirectory, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { Acknowledged } from './acknowledged.js';
import { Load } from './load.js';
import { CRASH_POINTS, Shim, type CrashPoint } from './shim/shim.js';
import { broken, snapshotOf, torn } from './whole.js';

export interface KillOptions {
  /** How often the server is killed under load. */
  readonly rounds: number;
  /** The same seed chooses the same calls, the same deaths, and the same losses of what was not synced. */
  readonly seed: number;
  /** The first round; default 1. To run one again: the same seed, and this. */
  readonly from?: number | undefined;
  /** More environment for the server. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface CrashReport {
  /** How often the server died, and where. */
  readonly deaths: Readonly<Record<string, number>>;
  /** Answers that clients got. */
  readonly acknowledged: number;
  /** Calls that were under way when the server died. */
  readonly interrupted: number;
  /** What the data after a restart contradicts: none may be. */
  readonly contradictions: readonly string[];
  /** The first round over the data that contradicts. */
  readonly round: number;
}

/** So many rounds go over the same data. */
const ROUNDS_PER_DIRECTORY = 4;
/** So many calls are under way at one time: many for a kill in the crowd, fewer where one commit is aimed at. */
const CONCURRENCY: Readonly<Record<Death, number>> = { kill: 1_000, crash: 200, stop: 200 };
/** The end comes after so many answers of the round at the least, and this many more at the most. */
const LEAST_ANSWERS = 100;
const MORE_ANSWERS = 500;
/** A crash point is reached so many times before the server dies, at the most: by clients' writes, and by commits. */
const MOST_REPLIES = 200;
const MOST_COMMITS = 5;
/** A server that has given so many answers more will not get there. */
const ENOUGH_ANSWERS = 5_000;
/** A start commits once or twice, and a stop has little more to say. */
const MOST_AT_ENDS = 3;

/** How a round ends: from outside, at a point of the server's own, or at such a point while it stops. */
type Death = 'kill' | 'crash' | 'stop';

/** The rounds take turns. A stop may come to its end before it gets to the point. */
const ENDS: readonly { readonly death: Death; readonly point: CrashPoint }[] = [
  { death: 'kill', point: 'committed' },
  { death: 'crash', point: 'committed' },
  { death: 'crash', point: 'replied' },
  { death: 'stop', point: 'replying' },
  { death: 'crash', point: 'pages written' },
  { death: 'crash', point: 'sync begun' },
  { death: 'crash', point: 'synced' },
  { death: 'crash', point: 'replying' },
  { death: 'stop', point: 'committed' },
];

/** Runs the rounds. Stops at the first that contradicts. */
export async function killRounds({ rounds, seed, from = 1, env = {} }: KillOptions): Promise<CrashReport> {
  const report = {
    deaths: {} as Record<string, number>,
    acknowledged: 0,
    interrupted: 0,
    contradictions: [] as string[],
  };
  let round = from;
  for (; round < from + rounds; round += ROUNDS_PER_DIRECTORY) {
    const directory = new Directory(env, report);
    try {
      const last = Math.min(round + ROUNDS_PER_DIRECTORY, from + rounds) - 1;
      for (let each = round; each <= last; each++) {
        await directory.round(each, new Random(seed * 1_000_003 + each));
        if (report.contradictions.length > 0) return { ...report, round };
      }
    } finally {
      await directory.close();
    }
  }
  return { ...report, round };
}

/** Rounds over the same data. */
class Directory {
  readonly #shim = new Shim();
  readonly #data = temporaryDirectory();
  readonly #acknowledged = new Acknowledged();
  #server: ServerProcess | undefined;

  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly report: {
      readonly deaths: Record<string, number>;
      acknowledged: number;
      interrupted: number;
      readonly contradictions: string[];
    },
  ) {}

  async round(number: number, random: Random): Promise<void> {
    const { report } = this;
    this.#shim.loseUnsynced(1 + random.below(2 ** 31));
    this.#server ??= await this.#start();
    const before = this.#acknowledged.count;
    const end = ENDS[(number - 1) % ENDS.length]!;
    const load = new Load({
      address: this.#server.address,
      name: `r${number}`,
      seed: random.below(2 ** 31),
      acknowledged: this.#acknowledged,
      concurrency: CONCURRENCY[end.death],
    });
    const running = load.run();
    const goal = before + LEAST_ANSWERS + random.below(MORE_ANSWERS);
    await Promise.race([this.#acknowledged.reach(goal), running]);
    this.#died(await this.#end(this.#server, end, random));
    report.interrupted += await running;
    report.acknowledged += this.#acknowledged.count - before;

    let snapshot: DebugSnapshotResponse;
    try {
      snapshot = await this.#reopen(random);
    } catch (error) {
      report.contradictions.push(`the data cannot be opened any more: ${String(error)}`);
      return;
    }
    report.contradictions.push(...this.#acknowledged.contradictions(snapshot), ...broken(snapshot), ...torn(snapshot));
    this.#acknowledged.learn(snapshot);
  }

  async close(): Promise<void> {
    await this.#server?.kill();
    this.#shim.close();
    removeDirectory(this.#data);
  }

  /** Ends the server, and says how it died. */
  async #end(server: ServerProcess, { death, point }: (typeof ENDS)[number], random: Random): Promise<string> {
    if (death === 'kill') {
      await server.kill();
      return 'killed';
    }
    const isReply = CRASH_POINTS[point] >= CRASH_POINTS.replying;
    const most = death === 'stop' ? MOST_AT_ENDS : isReply ? MOST_REPLIES : MOST_COMMITS;
    this.#shim.crashAt(point, 1 + random.below(most));
    if (death === 'stop') server.child.kill('SIGTERM');
    // A store that does not sync never gets to some of the points.
    else
      void this.#acknowledged.reach(this.#acknowledged.count + ENOUGH_ANSWERS).then(() => server.child.kill('SIGTERM'));
    const code = await server.ended();
    this.#shim.crashNowhere();
    const where = code === null ? point : 'not at all';
    return death === 'crash' ? where : `stopping, ${where}`;
  }

  /** Starts the server again, and has its state. Every other time it dies once more, while it starts. */
  async #reopen(random: Random): Promise<DebugSnapshotResponse> {
    if (random.below(2) === 0) {
      const { crashes } = this.#shim;
      const point = random.pick(['pages written', 'sync begun', 'synced', 'committed'] satisfies CrashPoint[]);
      this.#shim.crashAt(point, 1 + random.below(MOST_AT_ENDS));
      try {
        return await this.#open();
      } catch (error) {
        if (this.#shim.crashes === crashes) throw error;
        this.#died(`starting, ${point}`);
      } finally {
        this.#shim.crashNowhere();
      }
    }
    return this.#open();
  }

  async #open(): Promise<DebugSnapshotResponse> {
    this.#server = await this.#start();
    return snapshotOf(this.#server.address);
  }

  #start(): Promise<ServerProcess> {
    return ServerProcess.start({ data: this.#data, flags: ['--debug'], env: { ...this.#shim.env, ...this.env } });
  }

  #died(where: string): void {
    const { deaths } = this.report;
    deaths[where] = (deaths[where] ?? 0) + 1;
  }
}
