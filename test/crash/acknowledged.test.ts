import { expect } from 'chai';
import { DebugSnapshotResponse } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { PromiseRecord, PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { ScheduleRecord } from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import { TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { Acknowledged } from './acknowledged.js';

const { PROMISE_STATE_PENDING, PROMISE_STATE_RESOLVED, PROMISE_STATE_REJECTED, PROMISE_STATE_REJECTED_TIMEDOUT } =
  PromiseState;
const { TASK_STATE_ACQUIRED, TASK_STATE_PENDING, TASK_STATE_SUSPENDED } = TaskState;

/** What clients were told: `p` is pending with a task that is held under version 2, `s` is resolved, its unblock waits. */
function told(): Acknowledged {
  const acknowledged = new Acknowledged();
  const p = acknowledged.of('p');
  p.promise = PromiseRecord.fromPartial({ id: 'p', state: PROMISE_STATE_PENDING });
  p.task = { state: TASK_STATE_ACQUIRED, version: 2 };
  const s = acknowledged.of('s');
  s.promise = PromiseRecord.fromPartial({ id: 's', state: PROMISE_STATE_RESOLVED, settledAtMs: 5 });
  s.listener = 'waiting';
  const w = acknowledged.of('w');
  w.promise = PromiseRecord.fromPartial({ id: 'w', state: PROMISE_STATE_PENDING, timeoutAtMs: 50 });
  w.task = { state: TASK_STATE_SUSPENDED, version: 1 };
  w.awaited = 't';
  const t = acknowledged.of('t');
  t.promise = PromiseRecord.fromPartial({ id: 't', state: PROMISE_STATE_PENDING, timeoutAtMs: 50 });
  t.listener = 'registered';
  t.awaiter = 'w';
  acknowledged.of('r').task = { state: TASK_STATE_PENDING, version: 0 };
  acknowledged.of('r').resume = 's';
  acknowledged.of('c').schedule = ScheduleRecord.fromPartial({ id: 'c', createdAtMs: 1, nextRunAtMs: 10 });
  acknowledged.of('d').schedule = 'deleted';
  return acknowledged;
}

function stored(): DebugSnapshotResponse {
  return DebugSnapshotResponse.fromPartial({
    nowMs: 49,
    promises: [
      { promise: { id: 'p', state: PROMISE_STATE_PENDING } },
      { promise: { id: 's', state: PROMISE_STATE_RESOLVED, settledAtMs: 5 } },
      { promise: { id: 't', state: PROMISE_STATE_PENDING, timeoutAtMs: 50 }, callbacks: ['w'], listeners: ['a'] },
      { promise: { id: 'w', state: PROMISE_STATE_PENDING, timeoutAtMs: 50 } },
    ],
    tasks: [
      { task: { id: 'p', state: TASK_STATE_ACQUIRED, version: 2 } },
      { task: { id: 'r', state: TASK_STATE_PENDING }, resumes: ['s'] },
      { task: { id: 'w', state: TASK_STATE_SUSPENDED, version: 1 } },
    ],
    schedules: [{ id: 'c', createdAtMs: 1, nextRunAtMs: 20 }],
    outbox: [{ address: 'a', message: { $case: 'unblockPromiseId', value: 's' } }],
  });
}

const TIMED_OUT = PromiseRecord.fromPartial({
  id: 't',
  state: PROMISE_STATE_REJECTED_TIMEDOUT,
  timeoutAtMs: 50,
  settledAtMs: 50,
});

/** The task that waits for `t` is resumed by it. */
function wake({ tasks }: DebugSnapshotResponse): void {
  tasks[2]!.task!.state = TASK_STATE_PENDING;
  tasks[2]!.resumes = ['t'];
}

const LOSSES: Readonly<Record<string, (state: DebugSnapshotResponse) => void>> = {
  'p: the promise is lost': (state) => state.promises.shift(),
  's: the promise was': (state) => (state.promises[1]!.promise!.state = PROMISE_STATE_REJECTED),
  'p: the promise was': (state) => (state.promises[0]!.promise!.timeoutAtMs = 1),
  'p: the task is lost': (state) => state.tasks.shift(),
  'p: the task was TASK_STATE_ACQUIRED with version 2 and is TASK_STATE_ACQUIRED with version 1: it went back': (
    state,
  ) => (state.tasks[0]!.task!.version = 1),
  'p: the task was': (state) => (state.tasks[0]!.task!.state = TASK_STATE_PENDING),
  's: the unblock is lost': (state) => state.outbox.pop(),
  't: the listener is lost': (state) => (state.promises[2]!.listeners = []),
  't: the callback of w is lost': (state) => (state.promises[2]!.callbacks = []),
  't: the promise was PROMISE_STATE_PENDING .* and is PROMISE_STATE_REJECTED_TIMEDOUT': (state) =>
    (state.promises[2]!.promise = TIMED_OUT),
  'w: the task was TASK_STATE_SUSPENDED with version 1 and is TASK_STATE_PENDING': (state) => wake(state),
  'r: the wake-up by s is lost': (state) => (state.tasks[1]!.resumes = []),
  'c: the schedule is lost': (state) => (state.schedules = []),
  'c: the schedule was .* and is': (state) => (state.schedules[0]!.nextRunAtMs = 9),
  'd: the schedule is back': (state) => state.schedules.push(ScheduleRecord.fromPartial({ id: 'd' })),
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

  it('are not contradicted by a timeout that is due, and by what it brings about', () => {
    const state = stored();
    state.nowMs = 50;
    state.promises[2] = { promise: TIMED_OUT, callbacks: [], listeners: [] };
    state.outbox.push({ address: 'a', message: { $case: 'unblockPromiseId', value: 't' } });
    wake(state);
    expect(told().contradictions(state)).to.deep.equal([]);
    state.outbox.pop();
    expect(told().contradictions(state)).to.deep.equal(['t: the listener is lost']);
  });

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
