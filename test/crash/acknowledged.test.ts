import { expect } from 'chai';
import { DebugSnapshotResponse } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { PromiseRecord, PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { Acknowledged } from './acknowledged.js';

const { PROMISE_STATE_PENDING, PROMISE_STATE_RESOLVED, PROMISE_STATE_REJECTED } = PromiseState;
const { TASK_STATE_ACQUIRED, TASK_STATE_PENDING } = TaskState;

/** What clients were told: `p` is pending with a task that is held under version 2, `s` is resolved, its unblock waits. */
function told(): Acknowledged {
  const acknowledged = new Acknowledged();
  const p = acknowledged.of('p');
  p.promise = PromiseRecord.fromPartial({ id: 'p', state: PROMISE_STATE_PENDING });
  p.task = { state: TASK_STATE_ACQUIRED, version: 2 };
  const s = acknowledged.of('s');
  s.promise = PromiseRecord.fromPartial({ id: 's', state: PROMISE_STATE_RESOLVED, settledAtMs: 5 });
  s.listener = 'waiting';
  return acknowledged;
}

function stored(): DebugSnapshotResponse {
  return DebugSnapshotResponse.fromPartial({
    promises: [
      { promise: { id: 'p', state: PROMISE_STATE_PENDING } },
      { promise: { id: 's', state: PROMISE_STATE_RESOLVED, settledAtMs: 5 } },
    ],
    tasks: [{ task: { id: 'p', state: TASK_STATE_ACQUIRED, version: 2 } }],
    outbox: [{ address: 'a', message: { $case: 'unblockPromiseId', value: 's' } }],
  });
}

const LOSSES: Readonly<Record<string, (state: DebugSnapshotResponse) => void>> = {
  'p: the promise is lost': (state) => state.promises.shift(),
  's: the promise was': (state) => (state.promises[1]!.promise!.state = PROMISE_STATE_REJECTED),
  'p: the promise was': (state) => (state.promises[0]!.promise!.timeoutAtMs = 1),
  'p: the task is lost': (state) => state.tasks.pop(),
  'p: the task was TASK_STATE_ACQUIRED with version 2 and is TASK_STATE_ACQUIRED with version 1: it went back': (
    state,
  ) => (state.tasks[0]!.task!.version = 1),
  'p: the task was': (state) => (state.tasks[0]!.task!.state = TASK_STATE_PENDING),
  's: the unblock is lost': (state) => state.outbox.pop(),
};

describe('acknowledged answers', () => {
  it('are not contradicted by what they say', () => {
    expect(told().contradictions(stored())).to.deep.equal([]);
  });

  for (const [found, lose] of Object.entries(LOSSES)) {
    it(`are contradicted: ${found}`, () => {
      const state = stored();
      lose(state);
      const contradictions = told().contradictions(state);
      expect(contradictions).to.have.length(1);
      expect(contradictions[0]).to.match(new RegExp(`^${found}`));
    });
  }

  it('that were never given bind nobody, but what was given before does', () => {
    const acknowledged = told();
    acknowledged.attempt(['p', 's', 'new']);
    const state = stored();
    state.tasks[0]!.task!.state = TASK_STATE_PENDING;
    expect(acknowledged.contradictions(state)).to.deep.equal([]);
    state.tasks[0]!.task!.version = 1;
    state.promises[1]!.promise!.settledAtMs = 6;
    expect(acknowledged.contradictions(state)).to.have.length(2);
  });
});
