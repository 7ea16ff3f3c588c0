/**
 * Kills the server with SIGKILL in the middle of concurrent work, starts it again on the same data, and compares: every
 * answer that a client got must still be true. `node dist/test/crash/kill.js [rounds] [seed]` runs it by hand.
 */
import { pathToFileURL } from 'node:url';
import type { DebugSnapshotResponse } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { stateOfSnapshot } from '../support/debug-state.js';
import { violations } from '../support/invariants.js';
import { Random } from '../support/random.js';
import { removeDirectory, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { Stubs } from '../support/stubs.js';
import { Acknowledged } from './acknowledged.js';
import { Load } from './load.js';

export interface KillOptions {
  /** How often the server is killed. */
  readonly rounds: number;
  /** The same seed kills after the same number of answers, and makes the same calls up to there. */
  readonly seed: number;
}

export interface KillReport {
  readonly seed: number;
  readonly rounds: number;
  /** Answers that clients got. */
  readonly acknowledged: number;
  /** Calls that were under way when the server died. */
  readonly interrupted: number;
  /** What the data after a restart contradicts: none may be. */
  readonly contradictions: readonly string[];
}

/** So many calls are under way at one time. */
const CONCURRENCY = 1_000;
/** The kill comes after so many answers of the round at the least, and this many more at the most. */
const LEAST_ANSWERS = 100;
const MORE_ANSWERS = 4_000;

/** Runs the rounds, all on one data directory. Stops at the first round that contradicts. */
export async function killRounds({ rounds, seed }: KillOptions): Promise<KillReport> {
  const data = temporaryDirectory();
  const random = new Random(seed);
  const acknowledged = new Acknowledged();
  const contradictions: string[] = [];
  const start = () => ServerProcess.start({ data, flags: ['--debug'] });
  let server = await start();
  let interrupted = 0;
  let round = 0;
  try {
    while (round < rounds && contradictions.length === 0) {
      round++;
      const goal = acknowledged.count + LEAST_ANSWERS + random.below(MORE_ANSWERS);
      const load = new Load({
        address: server.address,
        name: `r${round}`,
        seed: random.below(2 ** 31),
        acknowledged,
        concurrency: CONCURRENCY,
      });
      const running = load.run();
      await Promise.race([acknowledged.reach(goal), running]);
      await server.kill();
      interrupted += await running;

      server = await start();
      const snapshot = await snapshotOf(server);
      contradictions.push(...acknowledged.contradictions(snapshot), ...violations(stateOfSnapshot(snapshot)));
      acknowledged.learn(snapshot);
    }
  } finally {
    await server.kill();
    removeDirectory(data);
  }
  return { seed, rounds: round, acknowledged: acknowledged.count, interrupted, contradictions };
}

async function snapshotOf({ address }: ServerProcess): Promise<DebugSnapshotResponse> {
  const stubs = new Stubs(address);
  try {
    return await stubs.snapshot();
  } finally {
    stubs.close();
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [rounds = 10, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
  const startedAt = performance.now();
  const report = await killRounds({ rounds, seed });
  console.log(JSON.stringify({ ...report, seconds: Math.round((performance.now() - startedAt) / 1000) }, null, 2));
  process.exitCode = report.contradictions.length === 0 ? 0 : 1;
}
