/** Runs the tests of a file whose full titles contain one of these, and tells the parent how each ended. */
import Mocha from 'mocha';
import { fileURLToPath } from 'node:url';

export interface TestResult {
  /** In full. */
  readonly title: string;
  /** How it failed: an assertion was false, or something else went wrong. */
  readonly failure?: { readonly isAssertion: boolean; readonly message: string };
}

const [file, ...titles] = process.argv.slice(2) as [string, ...string[]];
const results: TestResult[] = [];

class Reporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('pass', (test) => results.push({ title: test.fullTitle() }));
    runner.on('fail', (test, { name, message }: Error) =>
      results.push({ title: test.fullTitle(), failure: { isAssertion: name === 'AssertionError', message } }),
    );
  }
}

const mocha = new Mocha({ reporter: Reporter, timeout: 20_000 });
mocha.addFile(fileURLToPath(new URL(`../../${file}.test.js`, import.meta.url)));
await mocha.loadFilesAsync();
keepNamed(mocha.suite);
mocha.run(() => process.send!(results, () => process.exit()));

function keepNamed(suite: Mocha.Suite): void {
  suite.tests = suite.tests.filter((test) => titles.some((title) => test.fullTitle().includes(title)));
  suite.suites.forEach(keepNamed);
}
