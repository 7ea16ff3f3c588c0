/** `npm run linearize -- [--clients N] [--ops N] [--seed N] [--history FILE]`: longer than the tests, or a history that was kept. */
import { Command, InvalidArgumentError } from 'commander';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAnswered, type Call } from './history.js';
import { countSteps, describe, examine, isExplained, refute } from './linearize.js';
import { record } from './record.js';

/** How many altered histories of each class are refuted. */
const ALTERED = 20;

interface Flags {
  readonly clients: number;
  readonly ops: number;
  readonly seed: number;
  readonly history?: string;
}

const flags = new Command('linearize')
  .option('--clients <number>', 'how many clients call at one time', natural, 16)
  .option('--ops <number>', 'how many calls they make', natural, 20_000)
  .option('--seed <number>', 'seed of what they ask for, and of the alterations', natural, Date.now() % 1_000_000_000)
  .option('--history <file>', 'examine this history, which an earlier run has kept, instead of recording one')
  .parse()
  .opts<Flags>();

function natural(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new InvalidArgumentError('not a positive number');
  return Number(text);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

const { clients, ops, seed } = flags;
const recordingAt = performance.now();
const history =
  flags.history === undefined
    ? await record({ clients, ops, seed })
    : (JSON.parse(readFileSync(flags.history, 'utf8')) as Call[]);
const answered = history.filter(isAnswered);
const refused = answered.filter(({ answer }) => answer.response.status >= 400);
console.log(`seed ${seed}, ${new Set(history.map(({ client }) => client)).size} clients, ${seconds(recordingAt)}`);
console.log(
  `${history.length} calls: ${answered.length} answered, ${refused.length} of them with a refusal; the others lost`,
);

const examiningAt = performance.now();
const examination = examine(history);
const { components, clockFaults } = examination;
const sizes = components.map(({ calls }) => calls.length);
const visited = components.map(({ verdict }) => verdict.configurations);
for (const [label, count] of countSteps(components)) console.log(`${String(count).padStart(8)}  ${label}`);
console.log(`${components.length} components, the largest of ${Math.max(...sizes)} calls`);
console.log(`${visited.reduce((a, b) => a + b, 0)} configurations, at most ${Math.max(...visited)} in one component`);

if (isExplained(examination)) {
  console.log(`every answer is explained, in ${seconds(examiningAt)}`);
} else {
  const file = flags.history ?? join(tmpdir(), `resonate-grpc-history-${seed}.json`);
  writeFileSync(file, JSON.stringify(history));
  for (const { answer, leastNow } of clockFaults) console.log(`now is ${answer?.now}, after an answer of ${leastNow}`);
  for (const each of components) if (each.verdict.kind !== 'explained') console.log(describe(each));
  console.log(`not explained; to examine it again: npm run linearize -- --history ${file}`);
  process.exitCode = 1;
}

const refutingAt = performance.now();
const refutations = refute(examination, seed, ALTERED);
for (const { kind, impossible, refuted, possible, explained, largestWindow } of refutations) {
  console.log(
    `${kind}: ${impossible} altered histories that brute force found impossible (windows of up to ${largestWindow} calls), ` +
      `${refuted} refuted; ${possible} that it found possible, ${explained} explained`,
  );
  if (impossible < ALTERED || refuted < impossible || explained < possible) process.exitCode = 1;
}
const total = refutations.reduce((sum, { refuted }) => sum + refuted, 0);
console.log(`${total} of ${refutations.length * ALTERED} altered histories refuted, in ${seconds(refutingAt)}`);
