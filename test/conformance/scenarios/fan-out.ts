import { expect } from 'chai';
import type { Scenario } from './scenario.js';

const CHILDREN_EACH = 10;

/** A parent of this language, whose children are done by workers of all languages, in one group. */
export const fanOut: Scenario = {
  name: 'fan-out',
  async play(scene) {
    const { language, languages, group } = scene;
    const cast = languages.length > 1 ? languages : [language, language];
    const crew = await Promise.all(
      cast.map((each, i) => scene.worker(`${each.name}-${i}`, { language: each, maxInFlight: 4 })),
    );
    const own = crew[0]!;
    const children = Array.from({ length: CHILDREN_EACH * crew.length }, (_, i) => scene.id(`child-${i}`));
    const parent = await scene.create('parent', {
      do: 'fan-out',
      target: `uni@${group}/${own.pid}`,
      // One for each worker, since a worker that has less room than the others may get none of those that are for anybody.
      param: children
        .map((id, i) => `${id} ${i < crew.length ? `uni@${group}/${crew[i]!.pid}` : `any@${group}`}`)
        .join('\n'),
    });

    const { timeoutAtMs } = await scene.resolved(parent, children.join('\n'));
    await own.until('it has ended the parent', () =>
      own.lines.includes(`ended ${parent} ${own.started(parent).at(-1)} returned`),
    );
    for (const [i, worker] of crew.entries()) {
      await worker.until('it has started its child', () => worker.started(children[i]!).length > 0);
    }
    for (const id of children) {
      const child = await scene.resolved(id, id);
      expect(child.timeoutAtMs, `the deadline of ${id}`).to.equal(timeoutAtMs);
    }
  },
};
