import { TaskState } from '../../../clients/typescript/index.js';
import type { Scene } from '../scene.js';
import type { WorkerProcess } from '../worker-process.js';
import type { Scenario } from './scenario.js';

/** A parent waits for a child of another language; then another one does so, and is resumed by another language. */
export const suspend: Scenario = {
  name: 'suspend',
  async play(scene) {
    const { other } = scene;
    const first = await scene.worker('first');
    const parent = await suspendedParent(scene, first, 'parent');
    const orphan = await suspendedParent(scene, first, 'orphan');

    await scene.worker('child', { language: other, group: groupOfChild(parent) });
    await scene.resolved(parent, childOf(parent));
    await first.said(`ended ${parent} 2 returned`);

    await first.kill();
    const second = await scene.worker('second', { language: other });
    await scene.worker('last-child', { group: groupOfChild(orphan) });
    await scene.resolved(orphan, childOf(orphan));
    await second.said(`ended ${orphan} 2 returned`);
  },
};

/** Its child has nobody yet to do it. */
async function suspendedParent(scene: Scene, worker: WorkerProcess, name: string): Promise<string> {
  const id = scene.id(name);
  await scene.create(name, { do: 'fan-out', param: `${childOf(id)} any@${groupOfChild(id)}` });
  await worker.said(`ended ${id} 1 suspended`);
  await scene.until(id, TaskState.TASK_STATE_SUSPENDED);
  return id;
}

function childOf(parent: string): string {
  return `${parent}.child`;
}

function groupOfChild(parent: string): string {
  return `${parent}.children`;
}
