import type { Scenario } from './scenario.js';

/** A handler settles another promise: one that is pending, one that is settled already, one that does not exist yet. */
export const settle: Scenario = {
  name: 'settle',
  async play(scene) {
    const worker = await scene.worker('worker');
    const pending = await scene.create('pending');
    const first = await scene.create('first', { do: 'settle', param: pending });
    await scene.resolved(first, first);
    await scene.resolved(pending, first);

    const settled = await scene.create('settled');
    await scene.settle(settled, 'earlier');
    const late = await scene.create('late', { do: 'settle', param: settled });
    await scene.resolved(late, 'earlier');
    await scene.resolved(settled, 'earlier');

    // The inner refusal is an error of the handler, which is tried again.
    const unknown = scene.id('unknown');
    const early = await scene.create('early', { do: 'settle', param: unknown });
    await worker.said(`ended ${early} 1 failed`);
    await scene.create('unknown');
    await scene.resolved(early, early);
    await scene.resolved(unknown, early);
  },
};
