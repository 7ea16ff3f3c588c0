/**
 * `npm run mutants -- [--file src/protocol/objects.ts]...`: faults put into the code, each of which a test must notice; without
 * `--file` the named ones too.
 */
import { Command } from 'commander';
import { equivalents } from './equivalents.js';
import { MUTATED, mutate } from './stryker.js';
import { holds, judge, show } from './verdict.js';

const { file } = new Command('mutants')
  .option('--file <path...>', 'only these files, or globs of them')
  .parse()
  .opts<{ file?: string[] }>();

const verdict = judge(await mutate(file ?? MUTATED), equivalents);
for (const line of show(verdict)) console.log(line);
if (!holds(verdict)) process.exitCode = 1;
if (file === undefined) await import('./faults/main.js');
