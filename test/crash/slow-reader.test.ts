import { expect } from 'chai';
import { slowReader, type MessageKind } from './slow-reader.js';

/** DESIGN: as many as an operator may find waiting. */
const MESSAGES = Number(process.env.SLOW_READER_MESSAGES ?? 100_000);
const MOST_MEGABYTES = 300;

describe('a reader that has stopped reading', () => {
  for (const kind of ['executes', 'unblocks'] satisfies MessageKind[]) {
    it(`leaves the server small and others served, with ${MESSAGES} ${kind} waiting`, async function () {
      this.timeout(300_000);
      const { handled, left, peakMegabytes, seconds } = await slowReader(kind, MESSAGES);
      console.log(`      ${MESSAGES} ${kind}: ${JSON.stringify(seconds)} s, at most ${peakMegabytes} MB`);
      expect(handled).to.equal(MESSAGES);
      expect(left).to.equal(0);
      expect(peakMegabytes).to.be.lessThan(MOST_MEGABYTES);
    });
  }
});
