import Mocha from 'mocha';

/** Mocha's short report, closed by a line that counts: `N passed, N failed`. */
export default class Reporter extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    // After the report itself, which is printed at the same event.
    runner.once('end', () => console.log(`${this.stats.passes} passed, ${this.stats.failures} failed`));
  }
}
