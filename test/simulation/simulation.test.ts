import { expect } from 'chai';
import { exhaust } from './exhaustive.js';
import { MemoryStore } from '../../src/store/memory.js';
import { simulate } from './simulate.js';
import { config } from './subject.js';

/** Fixed, so that a red run is red again. `npm run simulate` takes others. */
const SEED = 7_000_000;
/** News is hardly ever further apart before everything wanted is reached. */
const PLATEAU = 5_000;
/** Several times what it takes. */
const MOST_STEPS = 250_000;
const LMDB_STEPS = 8_000;

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

  it('finds a fault, shrinks its script, and says how to replay it', () => {
    /** Its timeouts of tasks are due one ms late. */
    class Faulty extends MemoryStore {
      override dueTimeouts(...[kind, now, limit]: Parameters<MemoryStore['dueTimeouts']>) {
        return super.dueTimeouts(kind, kind === 'task' ? now - 1 : now, limit);
      }
    }
    const { failure = '' } = simulate({
      seed: SEED,
      steps: 10_000,
      stores: 'memory',
      memory: new Faulty({ config }),
    });
    const [, seed, steps] = /npm run simulate -- --seed (\d+) --steps (\d+) --store memory$/.exec(failure) ?? [];
    const again = simulate({
      seed: Number(seed),
      steps: Number(steps),
      stores: 'memory',
      memory: new Faulty({ config }),
    });
    expect(again.failure).to.equal(failure);
    expect(again.scripts).to.equal(1);
    expect(failure.split('\n').filter((line) => /^ +\d+\. /.test(line)).length).to.be.within(1, 4);
  });
});
