/** `node dist/test/mutants/faults/main.js [--only <part of a name>]`: every named fault, and the test that finds it. */
import { parseArgs } from 'node:util';
import { FAULTS } from './faults.js';
import { runFaults } from './run.js';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const faults = FAULTS.filter(({ name }) => name.includes(values.only));
const startedAt = performance.now();

const { verdicts, unsound } = await runFaults(faults, ({ fault, killedBy, problem }) =>
  console.log(killedBy === undefined ? `SURVIVED  ${fault.name}: ${problem}` : `killed    ${fault.name}: ${killedBy}`),
);
for (const line of unsound) console.log(`UNSOUND   without a fault: ${line}`);

const survivors = verdicts.filter(({ killedBy }) => killedBy === undefined);
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(
  `${verdicts.length} faults, ${verdicts.length - survivors.length} killed, ${survivors.length} survived (${seconds} s)`,
);
if (faults.length === 0 || survivors.length > 0 || unsound.length > 0) process.exitCode = 1;
