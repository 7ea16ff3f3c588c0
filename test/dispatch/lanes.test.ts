import { expect } from 'chai';
import { Lanes } from '../../src/dispatch/lanes.js';
import type { ExecuteRow } from '../../src/store/store.js';

describe('dispatch: lanes', () => {
  const row = (position: number, address = 'any@g'): ExecuteRow => {
    return { position, taskId: `t${position}`, version: 0, address };
  };

  it('the late leave of a recipient takes nothing from its successor of the same pid', () => {
    const lanes = new Lanes<ExecuteRow, { group: string; pid: string; room: number }>({
      read: () => [],
      keyOf: ({ taskId }) => taskId,
      roomOf: ({ room }) => room,
      pageSize: 2,
      changed: () => {},
    });
    const old = { group: 'g', pid: 'a', room: 1 };
    const next = { ...old };
    lanes.join(old);
    lanes.leave(old);
    lanes.join(next);
    while (lanes.isDirty) lanes.step();
    lanes.leave(old);
    lanes.announce({ group: 'g', pid: 'a' }, row(1, 'uni@g/a'));
    expect(lanes.step()?.recipient).to.equal(next);
    lanes.leave(next);
    expect(lanes.size).to.equal(0);
    expect(lanes.isDirty).to.equal(false);
  });
});
