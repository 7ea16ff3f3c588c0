import { expect } from 'chai';
import { compileFaulty, StaleFault, type Fault } from './fault.js';
import { FAULTS } from './faults.js';
import { runFaults } from './run.js';

/** Nothing of it depends on how fast the machine is. */
const LONG = 900_000;

describe('named faults', function () {
  this.timeout(LONG);

  it('have names of their own', () => {
    const names = FAULTS.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
  });

  it('are each found by a test, which passes without the fault', async () => {
    const { verdicts, unsound } = await runFaults(FAULTS);
    const survivors = verdicts.filter(({ killedBy }) => killedBy === undefined);
    expect(unsound).to.deep.equal([]);
    expect(survivors.map(({ fault, problem }) => `${fault.name}: ${problem}`)).to.deep.equal([]);
    expect(verdicts).to.have.length(FAULTS.length);
  });

  describe('count as found', () => {
    const STANDS_STILL = 'stands still once it is set by hand';
    const fault = (fields: Partial<Fault>): Fault => ({
      name: 'example',
      harm: '',
      file: 'src/engine/clock.ts',
      text: 'return this.#manual ?? Math.max(',
      replacement: 'return Math.max(',
      foundBy: ['engine/clock', STANDS_STILL],
      ...fields,
    });

    it('by an assertion, and neither by another error nor by the end of the process', async () => {
      const { verdicts, unsound } = await runFaults([
        fault({}),
        fault({ replacement: 'return this.#manual + 1 || Math.max(', foundBy: ['engine/clock', 'refuses a mark'] }),
        fault({ replacement: 'throw new TypeError("thrown"); return Math.max(' }),
        fault({ text: 'const RESERVE = 1_000;', replacement: 'const RESERVE = missing;' }),
        fault({ text: 'const RESERVE = 1_000;', replacement: 'process.exit(3); const RESERVE = 0;' }),
      ]);
      expect(unsound).to.deep.equal([]);
      expect(verdicts.map(({ killedBy }) => killedBy)).to.deep.equal([
        `the clock ${STANDS_STILL}`,
        ...Array.from({ length: 4 }, () => undefined),
      ]);
      const problems = verdicts.map(({ problem = '' }) => problem);
      expect(problems[1]).to.equal('none of 1 tests fails');
      expect(problems[2]).to.match(/^no assertion fails: .*: thrown$/);
      expect(problems[3]).to.match(/the tests of engine\/clock ended with 1: .*missing is not defined/s);
      expect(problems[4]).to.match(/the tests of engine\/clock ended with 3/);
    });

    it('only if their test is there, and passes without them', async () => {
      const { unsound } = await runFaults([fault({ foundBy: ['engine/clock', 'a test that was renamed'] })]);
      expect(unsound).to.deep.equal(['engine/clock: no test has "a test that was renamed" in its title']);
    });

    it('only while their text stands in the source once, and changes what it says', () => {
      const stale = (fields: Partial<Fault>) => () => compileFaulty(fault(fields));
      expect(stale({})).not.to.throw();
      expect(stale({ text: 'not there' })).to.throw(StaleFault, /stands in src\/engine\/clock\.ts 0 times/);
      expect(stale({ text: 'this.#mark' })).to.throw(StaleFault, /\d times/);
      expect(stale({ text: '/** ms since the Unix epoch. */', replacement: '' })).to.throw(
        StaleFault,
        /changes nothing/,
      );
      expect(stale({ replacement: 'return ((' })).to.throw(StaleFault, /expected/);
    });
  });
});
