import { expect } from 'chai';
import { overdueRounds } from './overdue.js';

const SEED = 1;

describe('a death of the server in the middle of what is overdue', () => {
  it('leaves every slice of timeouts and of a catch-up whole or absent, and the rest is done after it', async function () {
    this.timeout(300_000);
    const { contradictions, halfway } = await overdueRounds({ rounds: 1, seed: SEED });
    expect(contradictions, `npm run crash -- --rounds 1 --seed ${SEED}`).to.deep.equal([]);
    expect(halfway, 'deaths with some of the slices done').to.equal(1);
  });
});
