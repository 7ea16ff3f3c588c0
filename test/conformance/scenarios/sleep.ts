import { expect } from 'chai';
import { PromiseState } from '../../../clients/typescript/index.js';
import type { Scenario } from './scenario.js';

/** Long enough that it is not over before the handler has begun, in ms. */
const SLEEP_MS = 8_000;

/** A sleep is a timer promise and a suspended task; one that is over already suspends nothing. */
export const sleep: Scenario = {
  name: 'sleep',
  async play(scene) {
    const worker = await scene.worker('worker');
    const over = await scene.create('over', { do: 'sleep', param: '0' });
    await worker.said(`ended ${over} 1 returned`);
    await scene.resolved(over, 'slept');

    const id = await scene.create('long', { do: 'sleep', param: String(SLEEP_MS) });
    await worker.said(`ended ${id} 1 suspended`);
    const { createdAtMs, settledAtMs, timeoutAtMs } = await scene.resolved(id, 'slept');
    await worker.said(`ended ${id} 2 returned`);
    const timer = await scene.promise(`${id}.timer`);
    expect(timer.state).to.equal(PromiseState.PROMISE_STATE_RESOLVED);
    expect(timer.tags.get('resonate:timer')).to.equal('true');
    expect(timer.timeoutAtMs)
      .to.equal(createdAtMs + SLEEP_MS)
      .and.to.be.lessThan(timeoutAtMs);
    expect(settledAtMs).to.be.at.least(timer.timeoutAtMs);
  },
};
