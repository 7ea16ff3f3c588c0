import { expect } from 'chai';
import { killRounds } from './kill.js';

/** The first of the rounds that `npm run crash` makes: killed, between commit and answer, between two answers, in a stop. */
const ROUNDS = 4;
const SEED = 1;
/** The round in which the server dies between two answers. */
const REPLIED = 3;

describe('a death of the server under concurrent calls', () => {
  it('leaves every acknowledged answer true, every invariant, and every write whole or absent', async function () {
    this.timeout(300_000);
    const report = await killRounds({ rounds: ROUNDS, seed: SEED });
    expect(report.contradictions, `npm run crash -- --rounds ${ROUNDS} --seed ${SEED}`).to.deep.equal([]);
    expect(report.deaths).to.include({ killed: 1, committed: 1, replied: 1 });
    expect(report.interrupted, 'calls under way at the deaths').to.be.greaterThan(100);
  });
});

describe('a store that does not sync', () => {
  it('is found by what a power cut takes with it', async function () {
    this.timeout(300_000);
    const env = { NODE_OPTIONS: `--import ${new URL('./unsynced-store.js', import.meta.url).href}` };
    const { contradictions } = await killRounds({ rounds: 1, seed: SEED, from: REPLIED, env });
    expect(contradictions).not.to.deep.equal([]);
  });
});
