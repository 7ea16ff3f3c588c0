import { expect } from 'chai';
import type { PromiseRecord } from '../../../clients/typescript/index.js';
import { inParallel } from '../../support/in-parallel.js';
import { outcomeOf } from '../scene.js';
import type { Scenario } from './scenario.js';

const ECHOES = 100;
const LANES = 16;
/** The server dies when so many are done. */
const DONE_AT_DEATH = 30;

/** The server dies under load and comes back on the same data: the worker too, with what it holds, and nothing is lost. */
export const serverKill: Scenario = {
  name: 'server-kill',
  server: [],
  async play(scene) {
    const worker = await scene.worker('worker');
    const held = await scene.hold('held');
    await worker.said(`started ${held} 1`);
    const parent = scene.id('parent');
    const child = scene.id('child');
    await scene.create('parent', { do: 'fan-out', param: `${child} any@${scene.id('children')}` });
    await worker.said(`ended ${parent} 1 suspended`);

    const shown = new Map<string, PromiseRecord>();
    const load = inParallel(ECHOES, LANES, async (i) => {
      const id = await scene.create(`echo-${i}`, { do: 'echo', param: `${i}` });
      shown.set(id, await scene.resolved(id, `${i}`));
    });
    // A failure of the load shows when it is waited for.
    load.catch(() => {});
    await scene.see(`${DONE_AT_DEATH} echoes are done`, () => Promise.resolve(shown.size >= DONE_AT_DEATH));
    await scene.restart();
    await load;

    await worker.said('ready', 2);
    for (const [id, earlier] of shown) {
      expect(whole(await scene.promise(id)), `${id}, which an answer showed settled`).to.deep.equal(whole(earlier));
    }
    await scene.worker('child', { language: scene.other, group: scene.id('children') });
    await scene.resolved(parent, child);
    await scene.go(held);
    await scene.resolved(held, `held by ${worker.pid}`);
    await worker.said(`ended ${held} 1 returned`);
    expect(worker.started(held), 'the versions of what it held').to.deep.equal([1]);
  },
};

function whole(record: PromiseRecord): object {
  return { ...outcomeOf(record), settledAtMs: record.settledAtMs };
}
