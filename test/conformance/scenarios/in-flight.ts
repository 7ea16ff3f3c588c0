import { expect } from 'chai';
import { TaskState } from '../../../clients/typescript/index.js';
import { inParallel } from '../../support/in-parallel.js';
import type { Scene } from '../scene.js';
import type { WorkerProcess } from '../worker-process.js';
import type { Scenario } from './scenario.js';

const TASKS = 1_000;
/** The server's state is looked at after so many tasks, again and again. */
const STEP = 25;
const LANES = 32;
const MAX_IN_FLIGHT = 2;

/** A thousand tasks for two workers that hold two at a time: never more, by their own words and by the server's state. */
export const inFlight: Scenario = {
  name: 'max-in-flight',
  server: [],
  async play(scene) {
    const ids: string[] = [];
    await inParallel(TASKS, LANES, async (i) => ids.push(await scene.create(`${i}`, { do: 'echo', param: `${i}` })));
    const workers = await Promise.all(['one', 'two'].map((name) => scene.worker(name, { maxInFlight: MAX_IN_FLIGHT })));
    for (let goal = STEP; goal <= TASKS; goal += STEP) {
      await scene.see(`${goal} tasks are started`, () => Promise.resolve(count(workers) >= goal));
      await fulfilled(scene);
    }
    await scene.see('all tasks are fulfilled', async () => (await fulfilled(scene)) === TASKS);
    for (const worker of workers) {
      expect(mostAtOnce(worker), `the most that ${worker.pid} worked on at once`).to.be.within(1, MAX_IN_FLIGHT);
    }
    for (const id of ids) {
      const versions = workers.flatMap((worker) => worker.started(id));
      expect(versions, `the versions of ${id} that were started`).to.deep.equal([1]);
    }
  },
};

/** How many are fulfilled. Throws if anybody holds too many. */
async function fulfilled(scene: Scene): Promise<number> {
  const { tasks } = await scene.snapshot();
  const held = new Map<string, number>();
  for (const { task } of tasks) {
    const { pid } = task!;
    if (pid !== undefined) held.set(pid, (held.get(pid) ?? 0) + 1);
  }
  for (const [pid, count] of held) expect(count, `how many ${pid} holds at once`).to.be.at.most(MAX_IN_FLIGHT);
  return tasks.filter(({ task }) => task!.state === TaskState.TASK_STATE_FULFILLED).length;
}

/** How many tasks they have started. */
function count(workers: readonly WorkerProcess[]): number {
  return workers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('started '))).length;
}

function mostAtOnce({ lines }: WorkerProcess): number {
  let count = 0;
  let most = 0;
  for (const line of lines) {
    if (line.startsWith('started ')) most = Math.max(most, ++count);
    if (line.startsWith('ended ')) count--;
  }
  return most;
}
