/**
 * `npm run conformance [-- --language a,b] [--scenario x,y] [--list] [--require-all]`: every scenario for every language whose
 * toolchain is there, and a table. Exit 0 only if all is ok. With --require-all a toolchain that is not there is a failure.
 */
import { parseArgs } from 'node:util';
import { build, languages, type Language } from './languages.js';
import { play, table, type Result } from './matrix.js';
import { PATIENCE_MS } from './patience.js';
import { SCENARIOS } from './scenarios/index.js';

const { values } = parseArgs({
  options: {
    language: { type: 'string' },
    scenario: { type: 'string' },
    list: { type: 'boolean', default: false },
    'require-all': { type: 'boolean', default: false },
    // For the tests of this driver: where the languages are, and how long a scenario waits for anything.
    clients: { type: 'string' },
    'patience-ms': { type: 'string' },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const chosenLanguages = choose('language', languages(values.clients), values.language);
const chosenScenarios = choose('scenario', SCENARIOS, values.scenario);
if (values.list) {
  console.log(`languages: ${namesOf(chosenLanguages)}\nscenarios: ${namesOf(chosenScenarios)}`);
} else {
  process.exit((await run()) ? 0 : 1);
}

/** Says whether all of it is ok. */
async function run(): Promise<boolean> {
  const { present, absent, failed } = await buildAll();
  const results = await play({
    languages: present,
    scenarios: chosenScenarios,
    patienceMs: Number(values['patience-ms'] ?? PATIENCE_MS),
    onResult: tell,
  });
  console.log(`\n${table(results)}\n`);
  const failures = results.filter(({ failure }) => failure !== undefined);
  for (const { language, scenario, failure } of failures) {
    console.error(
      `${language} ${scenario}: ${failure}\nnpm run conformance -- --language ${language} --scenario ${scenario}\n`,
    );
  }
  if (absent.length > 0) console.log(`left out, for want of their toolchain: ${namesOf(absent)}`);
  if (failed.length > 0) console.log(`cannot be built: ${namesOf(failed)}`);
  console.log(`${results.length - failures.length} ok, ${failures.length} failed`);
  return results.length > 0 && failures.length + failed.length === 0 && !(values['require-all'] && absent.length > 0);
}

interface Builds {
  readonly present: Language[];
  readonly absent: Language[];
  readonly failed: Language[];
}

/** One after the other: a compiler takes all the cores there are. */
async function buildAll(): Promise<Builds> {
  const builds: Builds = { present: [], absent: [], failed: [] };
  for (const language of chosenLanguages) {
    const { result, output } = await build(language);
    if (result === 'built') builds.present.push(language);
    else builds[result].push(language);
    if (result !== 'built')
      console.error(`${language.name} is ${result === 'absent' ? 'left out' : 'not built'}: ${output}`);
  }
  return builds;
}

function tell({ language, scenario, seconds, failure }: Result): void {
  console.log(`${failure === undefined ? 'ok    ' : 'FAILED'} ${language} ${scenario} (${seconds.toFixed(1)} s)`);
}

function choose<T extends { readonly name: string }>(kind: string, all: readonly T[], names: string | undefined): T[] {
  if (names === undefined) return [...all];
  return names.split(',').map((name) => {
    const found = all.find((each) => each.name === name);
    if (found) return found;
    console.error(`there is no ${kind} ${name}; there are ${namesOf(all)}`);
    process.exit(2);
  });
}

function namesOf(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => name).join(', ');
}
