/** Every scenario for every language, and the table of what came of it. */
import { AssertionError } from 'chai';
import { inspect } from 'node:util';
import { inParallel } from '../support/in-parallel.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { endWithUs } from './children.js';
import type { Language } from './languages.js';
import { Scene } from './scene.js';
import type { Scenario } from './scenarios/scenario.js';

/** What came of one scenario for one language. */
export interface Result {
  readonly language: string;
  readonly scenario: string;
  readonly seconds: number;
  /** What was wrong, and what the workers had said; absent if nothing was. */
  readonly failure?: string;
}

export interface MatrixOptions {
  readonly languages: readonly Language[];
  readonly scenarios: readonly Scenario[];
  /** How long a scenario waits for anything, in ms. */
  readonly patienceMs: number;
  /** Hears each result as it comes. */
  readonly onResult: (result: Result) => void;
}

interface Cell {
  readonly language: Language;
  readonly scenario: Scenario;
}

/** So many scenes are played at one time: most of them wait most of the time. */
const WIDTH = 4;

/** Plays all of it. A failure is a result; it throws only if there is no server. */
export async function play(options: MatrixOptions): Promise<Result[]> {
  const { languages, scenarios, onResult } = options;
  const cells = languages.flatMap((language) => scenarios.map((scenario) => ({ language, scenario })));
  // Of each language those first that have a server of their own: they take longest.
  const rank = ({ language, scenario }: Cell): number => 2 * languages.indexOf(language) + (scenario.server ? 0 : 1);
  const order = cells.toSorted((a, b) => rank(a) - rank(b));
  const results: Result[] = [];
  const shared = await startServer();
  try {
    await inParallel(order.length, WIDTH, async (i) => {
      const { language, scenario } = order[i]!;
      const startedAt = performance.now();
      const failure = await playOne(language, scenario, shared, options);
      const seconds = (performance.now() - startedAt) / 1000;
      const result = { language: language.name, scenario: scenario.name, seconds };
      const described = failure === undefined ? result : { ...result, failure };
      results[cells.indexOf(order[i]!)] = described;
      onResult(described);
    });
  } finally {
    await endServer(shared);
  }
  return results;
}

/** Returns what was wrong. */
async function playOne(
  language: Language,
  scenario: Scenario,
  shared: ServerProcess,
  { languages, patienceMs }: MatrixOptions,
): Promise<string | undefined> {
  const own = scenario.server && (await startServer(scenario.server));
  const name = `${scenario.name}-${language.name}`;
  const scene = new Scene({ name, language, languages, server: own ?? shared, patienceMs });
  try {
    await scenario.play(scene);
    return undefined;
  } catch (error) {
    return `${describe(error)}\n${scene.lastWords}`;
  } finally {
    await scene.close();
    if (own) await endServer(scene.server);
  }
}

/** An assertion's message alone does not show objects. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof AssertionError)) return error.message;
  const { actual, expected } = error as { actual?: unknown; expected?: unknown };
  const show = (value: unknown): string => inspect(value, { depth: 5, breakLength: 140, maxStringLength: 1_000 });
  return `${error.message}\nexpected ${show(expected)}\n but was ${show(actual)}`;
}

async function startServer(flags: readonly string[] = []): Promise<ServerProcess> {
  const server = await ServerProcess.start({ flags: ['--debug', ...flags] });
  endWithUs(server.child);
  return server;
}

async function endServer(server: ServerProcess): Promise<void> {
  await server.kill();
  removeDirectory(server.data);
}

/** A row for each scenario, a column for each language. */
export function table(results: readonly Result[]): string {
  const languages = [...new Set(results.map(({ language }) => language))];
  const scenarios = [...new Set(results.map(({ scenario }) => scenario))];
  const cell = (scenario: string, language: string): string => {
    const result = results.find((each) => each.scenario === scenario && each.language === language);
    return result === undefined ? '' : result.failure === undefined ? 'ok' : 'FAILED';
  };
  const rows = [
    ['', ...languages],
    ...scenarios.map((scenario) => [scenario, ...languages.map((language) => cell(scenario, language))]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
