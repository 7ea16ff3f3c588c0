/** Hostile bytes for every rpc: it is refused or done, and what is refused changes nothing. */
import { expect } from 'chai';
import { ANSWERS, FuzzedServer } from './fuzz.js';
import { METHODS } from './methods.js';

const SEED = 7;
const RUNS = 40;
/** On a machine that is busy with much else. */
const PATIENCE = 120_000;

describe('fuzz: hostile bytes', function () {
  this.timeout(PATIENCE);

  let fuzzed: FuzzedServer;
  before(async () => (fuzzed = await FuzzedServer.start()));
  after(() => fuzzed.end());

  for (const method of METHODS.filter(({ isDebug }) => !isDebug)) {
    it(method.name, () => fuzzed.fuzz(method, { seed: SEED, runs: RUNS }));
  }

  it('reach every answer', async () => {
    for (const method of METHODS.filter(({ name }) =>
      /^(promiseSearch|promiseRegisterCallback|taskSuspend)$/.test(name),
    )) {
      await fuzzed.fuzz(method, { seed: SEED, runs: RUNS });
    }
    for (const answer of ANSWERS) expect(fuzzed.answers.get(answer), answer).to.be.greaterThan(0);
  });

  for (const method of METHODS.filter(({ isDebug }) => isDebug)) {
    it(method.name, async () => {
      const own = await FuzzedServer.start();
      try {
        await own.fuzz(method, { seed: SEED, runs: RUNS });
      } finally {
        await own.end();
      }
    });
  }
});
