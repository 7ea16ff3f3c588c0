/** `npm run crash -- [--rounds N] [--seed N] [--from N]`: N deaths under load, and a tenth as many among overdue work. */
import { parseArgs } from 'node:util';
import { killRounds } from './kill.js';
import { overdueRounds } from './overdue.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, seed: { type: 'string' }, from: { type: 'string' } },
});
const { rounds = '20', seed = String(Date.now() % 1_000_000), from = '1' } = values;
const options = { rounds: Number(rounds), seed: Number(seed), from: Number(from) };
const startedAt = performance.now();

const kill = await killRounds(options);
const overdue = await overdueRounds({ ...options, rounds: Math.ceil(options.rounds / 10) });
const contradictions = [...kill.contradictions, ...overdue.contradictions];

console.table({ ...kill.deaths, ...overdue.deaths });
console.log(
  `${kill.acknowledged} answers, ${kill.interrupted} calls interrupted, ${contradictions.length} contradictions`,
);
console.log(`seed ${seed}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
for (const line of contradictions.slice(0, 50)) console.error(line);
for (const [name, { round, contradictions: found }] of Object.entries({ kill, overdue })) {
  if (found.length > 0)
    console.error(`${name}: round ${round}: npm run crash -- --rounds 4 --seed ${seed} --from ${round}`);
}
process.exitCode = contradictions.length === 0 ? 0 : 1;
