import { expect } from 'chai';
import { exhaust } from './exhaustive.js';
import { simulate } from './simulate.js';

/** Fixed, so that a red run is red again. `npm run simulate` takes others. */
const SEED = 3000;
/** Most of the cells that are found late are found within this many steps of each other. */
const PLATEAU = 8_000;
/** Several times what it takes to a plateau. */
const MOST_STEPS = 250_000;
const LMDB_STEPS = 6_000;

describe('simulation', function () {
  this.timeout(120_000);

  it('the memory store does as the model, in all that the exhaustive search reaches', () => {
    const wanted = exhaust().cells;
    const { steps, scripts, coverage, failure } = simulate({
      seed: SEED,
      steps: MOST_STEPS,
      stores: 'memory',
      plateau: PLATEAU,
      wanted,
    });
    if (failure !== undefined) expect.fail(failure);
    console.log(`    ${steps} steps in ${scripts} scripts, ${coverage.size} cells`);
    expect(coverage.missing(wanted), 'cells that the exhaustive search has reached').to.deep.equal([]);
  });

  it('the LMDB store does as the model', () => {
    const { steps, scripts, coverage, failure } = simulate({ seed: SEED, steps: LMDB_STEPS, stores: 'lmdb' });
    if (failure !== undefined) expect.fail(failure);
    console.log(`    ${steps} steps in ${scripts} scripts, ${coverage.size} cells`);
  });
});
