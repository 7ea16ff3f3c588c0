import { expect } from 'chai';
import type { Scenario } from './scenario.js';

/** A second process with the same pid: the first one stops, and says why. */
export const sessionReplaced: Scenario = {
  name: 'session-replaced',
  async play(scene) {
    const pid = scene.id('worker');
    const first = await scene.worker('first', { pid });
    const second = await scene.worker('second', { pid, language: scene.other });
    await first.said('fatal SESSION_REPLACED');
    expect(await first.exit(), 'the exit code').to.equal(1);
    const id = await scene.create('echo', { do: 'echo', param: 'by the second' });
    await scene.resolved(id, 'by the second');
    await second.said(`ended ${id} 1 returned`);
    expect(second.count('ready'), 'how often the second has connected').to.equal(1);
  },
};
