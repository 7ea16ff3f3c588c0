import { expect } from 'chai';
import type { Scene } from '../scene.js';
import type { WorkerProcess } from '../worker-process.js';
import type { Scenario } from './scenario.js';

const CUTS = 3;
const ECHOES = 20;

/** The connection is reset, again and again: the worker comes back each time, with what it holds. */
export const streamCut: Scenario = {
  name: 'stream-cut',
  async play(scene) {
    const proxy = await scene.proxy();
    const worker = await scene.worker('worker', { address: proxy.address });
    const held = await scene.hold('held');
    await worker.said(`started ${held} 1`);
    for (let cut = 1; cut <= CUTS; cut++) {
      const names = Array.from({ length: ECHOES }, (_, i) => `echo-${cut}-${i}`);
      // Some are pushed before the cut, and some after.
      const creating = Promise.all(names.map((name) => scene.create(name, { do: 'echo', param: name })));
      proxy.cut();
      const ids = await creating;
      await worker.said('ready', cut + 1);
      await Promise.all(ids.map((id, i) => scene.resolved(id, names[i]!)));
    }
    await stillHolds(scene, worker, held);
  },
};

/** Longer than a connection takes to be given up, in ms. */
const LONG_TTL_MS = 120_000;

/** The network swallows everything without closing: the worker finds that out by itself. */
export const silence: Scenario = {
  name: 'silence',
  server: ['--ping-interval-ms', '1000'],
  async play(scene) {
    const proxy = await scene.proxy();
    const worker = await scene.worker('worker', { address: proxy.address, ttlMs: LONG_TTL_MS });
    const held = await scene.hold('held');
    await worker.said(`started ${held} 1`);
    proxy.blackHole();
    const waiting = await scene.create('waiting', { do: 'echo', param: 'here' });
    await worker.said('ready', 2);
    await scene.resolved(waiting, 'here');
    await stillHolds(scene, worker, held);
  },
};

async function stillHolds(scene: Scene, worker: WorkerProcess, held: string): Promise<void> {
  await scene.go(held);
  await scene.resolved(held, `held by ${worker.pid}`);
  await worker.said(`ended ${held} 1 returned`);
  expect(worker.started(held), 'the versions of what it held').to.deep.equal([1]);
}
