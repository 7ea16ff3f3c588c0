import { expect } from 'chai';
import { isSettled, TaskState } from '../../../clients/typescript/index.js';
import { DispatchRecorder } from '../../support/dispatch-recorder.js';
import type { Scene } from '../scene.js';
import type { WorkerProcess } from '../worker-process.js';
import type { Scenario } from './scenario.js';

/** Long enough to finish a task in it on a slow machine, in ms. */
const GRACE_MS = 8_000;
const PUSHES_AFTER = 20;

/** SIGTERM: what ends within the grace is fulfilled, the rest is given back, nothing new comes, and the process ends well. */
export const drain: Scenario = {
  name: 'drain',
  async play(scene) {
    const worker = await scene.worker('worker', { graceMs: GRACE_MS });
    const finished = await scene.hold('finished', `uni@${scene.group}/${worker.pid}`);
    const unfinished = await scene.hold('unfinished', `uni@${scene.group}/${worker.pid}`);
    for (const id of [finished, unfinished]) await worker.said(`started ${id} 1`);
    // Another member of the group gets what the worker does not.
    const other = await DispatchRecorder.connect(scene.server.address, { group: scene.group, pid: scene.id('other') });
    try {
      worker.signal('SIGTERM');
      await drained(scene, worker, other);
      await scene.go(finished);
      await worker.said(`ended ${finished} 1 returned`);
      await scene.resolved(finished, `held by ${worker.pid}`);

      const after = await Promise.all(
        Array.from({ length: PUSHES_AFTER }, (_, i) => createFor(scene, worker, `after-${i}`)),
      );
      await other.until(() => after.every((id) => other.pushed.includes(id)));
      await worker.said(`ended ${unfinished} 1 stopped`);
      await worker.said('stopped');
      expect(await worker.exit(), 'the exit code').to.equal(0);

      expect(worker.lines.at(-1)).to.equal('stopped');
      for (const id of after) expect(worker.started(id), id).to.deep.equal([]);
      const { state, version } = await scene.task(unfinished);
      expect({ state, version }, unfinished).to.deep.equal({ state: TaskState.TASK_STATE_PENDING, version: 1 });
    } finally {
      other.close();
    }
  },
};

/** The worker, if it is there and takes tasks; else another member. */
function createFor(scene: Scene, worker: WorkerProcess, name: string): Promise<string> {
  return scene.create(name, { do: 'echo', target: `any@${scene.group}/${worker.pid}` });
}

/** Waits until the server pushes nothing more to the worker: a task that is for it first goes to the other one. */
async function drained(scene: Scene, worker: WorkerProcess, other: DispatchRecorder): Promise<void> {
  for (let i = 0; ; i++) {
    const id = await createFor(scene, worker, `probe-${i}`);
    const by = await scene.see(`somebody gets ${id}`, async () => {
      if (other.pushed.includes(id)) return 'other';
      return isSettled(await scene.promise(id)) && 'worker';
    });
    if (by === 'other') return;
  }
}
