/** `npm run simulate -- [--seed N] [--steps M] [--store memory|lmdb|both]`: random scripts, longer than the tests run them. */
import { InvalidArgumentError, Command, Option } from 'commander';
import { simulate, type StoreChoice } from './simulate.js';

const PROGRESS_EVERY = 50_000;

interface Flags {
  readonly seed: number;
  readonly steps: number;
  readonly store: StoreChoice;
}

const flags = new Command('simulate')
  .option('--seed <number>', 'seed of the first script', natural, Date.now() % 1_000_000_000)
  .option('--steps <number>', 'how many steps to run', natural, 200_000)
  .addOption(
    new Option('--store <name>', 'what runs beside the model').choices(['memory', 'lmdb', 'both']).default('both'),
  )
  .parse()
  .opts<Flags>();

function natural(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('not a natural number');
  return Number(text);
}

console.log(`seed ${flags.seed}, ${flags.steps} steps, store ${flags.store}`);
let printed = 0;
const { steps, scripts, coverage, failure } = simulate({
  seed: flags.seed,
  steps: flags.steps,
  stores: flags.store,
  onProgress: (done, { size }) => {
    if (done - printed < PROGRESS_EVERY) return;
    printed = done;
    console.log(`${done} steps, ${size} cells`);
  },
});

if (failure === undefined) {
  for (const [cell, count] of coverage.entries()) console.log(`${String(count).padStart(8)}  ${cell}`);
  console.log(`${steps} steps in ${scripts} scripts, ${coverage.size} cells: no difference`);
} else {
  console.log(failure);
  process.exitCode = 1;
}
