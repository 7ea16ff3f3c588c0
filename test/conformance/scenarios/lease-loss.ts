import { expect } from 'chai';
import { Code, ResonateError, SettleState, TaskState } from '../../../clients/typescript/index.js';
import type { Scene } from '../scene.js';
import type { Scenario } from './scenario.js';

const SHORT_TTL_MS = 3_000;

/** A frozen worker loses its tasks to another one. When it thaws, it drops them, and its version opens nothing any more. */
export const leaseLoss: Scenario = {
  name: 'lease-loss',
  async play(scene) {
    const zombie = await scene.worker('zombie', { maxInFlight: 2, ttlMs: SHORT_TTL_MS });
    const held = await scene.hold('held');
    const done = await scene.hold('done');
    for (const id of [held, done]) await zombie.said(`started ${id} 1`);
    zombie.signal('SIGSTOP');

    const heir = await scene.worker('heir', { language: scene.other });
    for (const id of [held, done]) await heir.said(`started ${id} 2`);
    await scene.go(done);
    await scene.resolved(done, `held by ${heir.pid}`);

    zombie.signal('SIGCONT');
    await zombie.said(`ended ${held} 1 lost`);
    // This one may have seen that it may go before it saw that it is lost; what it writes then is refused.
    await zombie.until(`the end of ${done}`, () => zombie.lines.some((line) => line.startsWith(`ended ${done} 1 `)));
    await refusesVersion(scene, held, 1);
    const { state, version, pid } = await scene.task(held);
    expect({ state, version, pid }, held).to.deep.equal({
      state: TaskState.TASK_STATE_ACQUIRED,
      version: 2,
      pid: heir.pid,
    });

    await scene.go(held);
    for (const id of [held, done]) {
      await scene.resolved(id, `held by ${heir.pid}`);
      expect(zombie.started(id), `what the frozen one has started of ${id}`).to.deep.equal([1]);
    }
    const after = await scene.create('after', {
      do: 'echo',
      target: `uni@${scene.group}/${zombie.pid}`,
      param: 'alive',
    });
    await scene.resolved(after, 'alive');
  },
};

async function refusesVersion({ client }: Scene, id: string, version: number): Promise<void> {
  const writes = [
    client.taskFulfill({ id, version, state: SettleState.SETTLE_STATE_REJECTED }),
    client.taskRelease({ id, version }),
    client.taskSuspend({ id, version, awaitedIds: [`${id}.go`] }),
    client.taskFence({
      id,
      version,
      action: { $case: 'settle', value: { id: `${id}.go`, state: SettleState.SETTLE_STATE_REJECTED } },
    }),
  ];
  for (const write of await Promise.allSettled(writes)) {
    const reason: unknown = write.status === 'rejected' ? write.reason : 'written';
    expect(reason)
      .to.be.instanceOf(ResonateError)
      .and.to.include({ code: Code.ABORTED, reason: 'TASK_VERSION_MISMATCH' });
  }
}
