import { expect } from 'chai';
import { killRounds } from './kill.js';

/** More rounds: `KILL_ROUNDS=100 npx mocha dist/test/crash/kill.test.js`. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3);
const SEED = Number(process.env.KILL_SEED ?? 1);

describe('SIGKILL of the server under 1,000 concurrent calls', () => {
  it('leaves every acknowledged answer true, and every invariant', async function () {
    this.timeout(ROUNDS * 30_000);
    const report = await killRounds({ rounds: ROUNDS, seed: SEED });
    expect(report.contradictions, `node dist/test/crash/kill.js ${ROUNDS} ${SEED}`).to.deep.equal([]);
    expect(report.interrupted, 'calls under way at the kills').to.be.greaterThan(100);
  });
});
