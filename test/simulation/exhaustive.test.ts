import { expect } from 'chai';
import { exhaust, EXHAUSTIVE_DEPTH } from './exhaustive.js';

describe('exhaustive small scope', function () {
  this.timeout(120_000);

  it(`every sequence of ${EXHAUSTIVE_DEPTH} steps: the memory store does as the model`, () => {
    const { sequences, states, transitions, cells, failure } = exhaust();
    if (failure !== undefined) expect.fail(failure);
    console.log(
      `    ${sequences} sequences of up to ${EXHAUSTIVE_DEPTH} steps, ${states} states, ${transitions} steps compared, ${cells.size} cells`,
    );
    expect(states).to.be.greaterThan(1000);
  });
});
