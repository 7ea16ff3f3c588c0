import { expect } from 'chai';
import { DebugSnapshotResponse, DebugTimeoutKind } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { broken, torn } from './whole.js';

const state = PromiseState.PROMISE_STATE_PENDING;
const kind = DebugTimeoutKind.DEBUG_TIMEOUT_KIND_RETRY;
const pending = { state: TaskState.TASK_STATE_PENDING };

/** `a` has been announced, `d` waits out its delay, `c` has run twice. */
function whole(): DebugSnapshotResponse {
  return DebugSnapshotResponse.fromPartial({
    nowMs: 3_500,
    promises: [
      { promise: { id: 'a', state, timeoutAtMs: 9_000 } },
      { promise: { id: 'c/2000', state, timeoutAtMs: 9_000 } },
      { promise: { id: 'c/3000', state, timeoutAtMs: 9_000 } },
      { promise: { id: 'd', state, timeoutAtMs: 9_000, tags: new Map([['resonate:delay', '5000']]) } },
    ],
    tasks: [{ task: { id: 'a', ...pending } }, { task: { id: 'd', ...pending } }],
    timeouts: [
      { kind, id: 'd', dueAtMs: 5_000 },
      { kind, id: 'a', dueAtMs: 6_000 },
    ],
    schedules: [{ id: 'c', createdAtMs: 1_500, lastRunAtMs: 3_000, nextRunAtMs: 4_000 }],
    outbox: [{ address: 'x', message: { $case: 'execute', value: { id: 'a' } } }],
  });
}

const TEARS: Readonly<Record<string, (snapshot: DebugSnapshotResponse) => void>> = {
  'a: nobody is told of it': (snapshot) => snapshot.outbox.pop(),
  'd: its delay is not over': (snapshot) =>
    snapshot.outbox.push({ address: 'x', message: { $case: 'execute', value: { id: 'd', version: 0 } } }),
  'd: nobody is told of it': (snapshot) => (snapshot.timeouts[0]!.dueAtMs = 8_500),
  'c: its next run is at 5000, not at 4000': (snapshot) => (snapshot.schedules[0]!.nextRunAtMs = 5_000),
  'c: it has no promise of 2000': (snapshot) => snapshot.promises.splice(1, 1),
  'c: it has a promise of 4000, which is still to come': (snapshot) =>
    (snapshot.promises[1] = { ...snapshot.promises[1]!, promise: { ...snapshot.promises[1]!.promise!, id: 'c/4000' } }),
};

describe('what is torn', () => {
  it('is nothing in a whole state', () => {
    expect(torn(whole())).to.deep.equal([]);
  });

  for (const [found, tear] of Object.entries(TEARS)) {
    it(`is found: ${found}`, () => {
      const snapshot = whole();
      tear(snapshot);
      expect(torn(snapshot)).to.include(found);
    });
  }
});

describe('a broken invariant', () => {
  const timer = { kind: DebugTimeoutKind.DEBUG_TIMEOUT_KIND_PROMISE, dueAtMs: 9 };
  const life = (name: string) => ({
    promises: [
      { promise: { id: name, state, timeoutAtMs: 9, tags: new Map([['resonate:target', 'x']]) } },
      { promise: { id: `${name}-child`, state, timeoutAtMs: 9 }, callbacks: [name] },
    ],
    tasks: [{ task: { id: name, state: TaskState.TASK_STATE_SUSPENDED, version: 1 } }],
    timeouts: [
      { ...timer, id: name },
      { ...timer, id: `${name}-child` },
    ],
  });
  const snapshot = (...[first, second]: ReturnType<typeof life>[]) =>
    DebugSnapshotResponse.fromPartial({
      promises: [...first!.promises, ...second!.promises],
      tasks: [...first!.tasks, ...second!.tasks],
      timeouts: [...first!.timeouts, ...second!.timeouts],
    });

  it('is found in the life that it is in', () => {
    expect(broken(snapshot(life('r1-1'), life('r1-11')))).to.deep.equal([]);
    const damaged = life('r1-11');
    damaged.promises.pop();
    expect(broken(snapshot(life('r1-1'), damaged))).to.deep.equal([
      '5: task "r1-11" is suspended and nothing can wake it',
      '4: a timeout of no promise: r1-11-child',
    ]);
  });
});
