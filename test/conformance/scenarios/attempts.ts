import { expect } from 'chai';
import { outcomeOf } from '../scene.js';
import type { Scenario } from './scenario.js';

/** The shortest first back-off of a task whose handler has failed, in ms. */
const SHORTEST_BACKOFF_MS = 500;

/** A rejection is an outcome; a failure is not, and is tried again after a back-off, under the next version. */
export const attempts: Scenario = {
  name: 'reject-and-fail',
  async play(scene) {
    const worker = await scene.worker('worker');
    const rejected = await scene.create('rejected', { do: 'reject' });
    await worker.said(`ended ${rejected} 1 rejected`);
    const outcome = { state: 'rejected', headers: [], data: 'no' };
    expect(outcomeOf(await scene.outcome(rejected)), rejected).to.deep.equal(outcome);

    const earliest = performance.now();
    const failing = await scene.create('failing', { do: 'fail' });
    await worker.said(`ended ${failing} 1 failed`);
    await scene.resolved(failing, 'version 2');
    // Slow machines add to it only.
    expect(performance.now() - earliest, 'the back-off').to.be.at.least(SHORTEST_BACKOFF_MS);
    await worker.said(`ended ${failing} 2 returned`);
    expect(worker.started(failing), 'the versions started').to.deep.equal([1, 2]);
  },
};
