import { expect } from 'chai';
import type { Scene } from '../scene.js';
import type { Scenario } from './scenario.js';

/** An unblock whose handling fails is not acknowledged, and comes again on the next stream. One that is handled does not. */
export const unblock: Scenario = {
  name: 'unblock-twice',
  async play(scene) {
    const proxy = await scene.proxy();
    const worker = await scene.worker('worker', { address: proxy.address });
    const uni = `uni@${scene.group}/${worker.pid}`;
    const any = `any@${scene.group}`;
    const once = await scene.create('once');
    const twice = await scene.create('twice', { tags: { 'conformance:unblock': 'twice' } });
    const listeners = [
      [once, uni],
      [once, any],
      [twice, uni],
    ] as const;
    for (const [awaitedId, address] of listeners) await scene.client.promiseRegisterListener({ awaitedId, address });
    for (const id of [once, twice]) await scene.settle(id, 'now');

    for (const [id, address] of listeners) await worker.said(`unblocked ${id} ${address}`);
    await scene.see('what was handled is acknowledged', async () => !(await waiting(scene)).includes(once));
    expect(await waiting(scene), 'the unblocks that wait').to.deep.equal([twice]);

    proxy.cut();
    await worker.said(`unblocked ${twice} ${uni}`, 2);
    await scene.see('the outbox is empty', async () => (await waiting(scene)).length === 0);
    for (const address of [uni, any]) expect(worker.count(`unblocked ${once} ${address}`), address).to.equal(1);
    const id = await scene.create('echo', { do: 'echo', param: 'after' });
    await scene.resolved(id, 'after');
  },
};

/** Whose unblocks wait in the outbox, of this scene's promises. */
async function waiting(scene: Scene): Promise<string[]> {
  const { outbox } = await scene.snapshot();
  const ids = outbox.flatMap(({ message }) => (message?.$case === 'unblockPromiseId' ? [message.value] : []));
  return ids.filter((id) => id.startsWith(scene.id('')));
}
