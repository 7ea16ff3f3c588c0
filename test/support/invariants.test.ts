import { expect } from 'chai';
import {
  DebugSnapshotResponse,
  DebugTimeoutKind,
  type DebugMessage,
} from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { stateOfSnapshot } from './debug-state.js';
import { History, transitionViolations, violations, type Event } from './invariants.js';

const PENDING = PromiseState.PROMISE_STATE_PENDING;
const target = new Map([['resonate:target', 'any@g']]);
const execute = (id: string, version: number): DebugMessage => ({
  address: 'any@g',
  message: { $case: 'execute', value: { id, version } },
});

/** A task in each state, a timer and a promise that is waited for. */
function sound(): DebugSnapshotResponse {
  const { DEBUG_TIMEOUT_KIND_PROMISE, DEBUG_TIMEOUT_KIND_RETRY, DEBUG_TIMEOUT_KIND_LEASE } = DebugTimeoutKind;
  const live = (id: string) => ({ promise: { id, state: PENDING, tags: target, timeoutAtMs: 9 } });
  const due = (kind: DebugTimeoutKind, id: string, dueAtMs = 9) => ({ kind, id, dueAtMs });
  const settled = { state: PromiseState.PROMISE_STATE_RESOLVED, settledAtMs: 5, timeoutAtMs: 9 };
  return DebugSnapshotResponse.fromPartial({
    promises: [
      live('acquired'),
      { promise: { id: 'awaited', state: PENDING, timeoutAtMs: 9 }, callbacks: ['suspended'], listeners: ['a'] },
      { promise: { id: 'fulfilled', tags: target, ...settled } },
      live('halted'),
      live('pending'),
      live('suspended'),
    ],
    tasks: [
      { task: { id: 'acquired', state: TaskState.TASK_STATE_ACQUIRED, version: 1, ttlMs: 5, pid: 'p' } },
      { task: { id: 'fulfilled', state: TaskState.TASK_STATE_FULFILLED, version: 1 } },
      { task: { id: 'halted', state: TaskState.TASK_STATE_HALTED, version: 0 } },
      { task: { id: 'pending', state: TaskState.TASK_STATE_PENDING, version: 0, resumes: 1 }, resumes: ['x'] },
      { task: { id: 'suspended', state: TaskState.TASK_STATE_SUSPENDED, version: 1 } },
    ],
    timeouts: [
      due(DEBUG_TIMEOUT_KIND_RETRY, 'pending', 7),
      due(DEBUG_TIMEOUT_KIND_LEASE, 'acquired', 8),
      ...['acquired', 'awaited', 'halted', 'pending', 'suspended'].map((id) => due(DEBUG_TIMEOUT_KIND_PROMISE, id)),
    ],
    outbox: [execute('pending', 0), { address: 'a', message: { $case: 'unblockPromiseId', value: 'fulfilled' } }],
  });
}

const promise = (state: DebugSnapshotResponse, id: string) => state.promises.find((each) => each.promise!.id === id)!;
const task = (state: DebugSnapshotResponse, id: string) => state.tasks.find((each) => each.task!.id === id)!;
const without = <T>(list: T[], index: number): T[] => list.filter((_, i) => i !== index);

/** What breaks, how, and what is found. */
const BROKEN: readonly (readonly [what: string, breakIt: (state: DebugSnapshotResponse) => void, found: string])[] = [
  [
    'a task without a promise',
    (s) => (s.promises = without(s.promises, 0)),
    '1: task "acquired" is acquired and has no promise',
  ],
  ['a target without a task', (s) => (s.tasks = without(s.tasks, 2)), '1: promise "halted" has a target and no task'],
  ['a settled promise with a live task', (s) => (task(s, 'fulfilled').task!.state = 4), '1: task "fulfilled" is'],
  ['a pending task without a retry', (s) => (s.timeouts = without(s.timeouts, 0)), '2: task "pending" is'],
  ['an acquired task without a lease', (s) => (s.timeouts = without(s.timeouts, 1)), '2: task "acquired" is'],
  ['an acquired task without a pid', (s) => (task(s, 'acquired').task!.pid = undefined), '2: task "acquired" is'],
  ['a halted task with a ttl', (s) => (task(s, 'halted').task!.ttlMs = 1), '2: task "halted" is'],
  ['a suspended task with resumes', (s) => (task(s, 'suspended').resumes = ['x']), '2: task "suspended" is'],
  ['an acquired task of version 0', (s) => (task(s, 'acquired').task!.version = 0), '3: task "acquired"'],
  [
    'a settled promise that is listened to',
    (s) => (promise(s, 'fulfilled').listeners = ['a']),
    '4: promise "fulfilled"',
  ],
  [
    'a settled promise that is awaited',
    (s) => (promise(s, 'fulfilled').callbacks = ['halted']),
    '4: promise "fulfilled"',
  ],
  ['a settled promise with a timeout', (s) => (s.timeouts[2]!.id = 'fulfilled'), '4: promise "fulfilled"'],
  ['an external promise without a timeout', (s) => (s.timeouts = without(s.timeouts, 4)), '4: promise "halted"'],
  ['an awaited promise without a timeout', (s) => (s.timeouts = without(s.timeouts, 3)), '5: task "suspended"'],
  ['a timeout at another instant', (s) => (s.timeouts[3]!.dueAtMs = 10), '4: promise "awaited" has timeouts'],
  ['a callback of a settled promise', (s) => promise(s, 'awaited').callbacks.push('fulfilled'), '4: promise "awaited"'],
  ['a suspended task that nothing wakes', (s) => (promise(s, 'awaited').callbacks = []), '5: task "suspended"'],
  ['an execute of a later version', (s) => (s.outbox[0] = execute('pending', 1)), '9: the execute of "pending"'],
  ['an execute of a halted task', (s) => s.outbox.push(execute('halted', 0)), '9: the execute of "halted"'],
  ['an execute that is there twice', (s) => s.outbox.push(execute('pending', 0)), '9: the execute of "pending"'],
  ['an unblock of a pending promise', (s) => (s.outbox[1]!.message!.value = 'halted'), '9: the unblock of "halted"'],
];

describe('the invariants of a snapshot', () => {
  it('hold in a sound one', () => {
    expect(violations(stateOfSnapshot(sound()))).to.deep.equal([]);
  });

  for (const [what, breakIt, found] of BROKEN) {
    it(`find ${what}`, () => {
      const state = sound();
      breakIt(state);
      const lines = violations(stateOfSnapshot(state));
      expect(
        lines.some((line) => line.startsWith(found)),
        lines.join('\n'),
      ).to.be.true;
    });
  }
});

/** What breaks between two states, and what is found. */
const BROKEN_STEPS: readonly (readonly [
  what: string,
  breakIt: (state: DebugSnapshotResponse) => void,
  found: string,
])[] = [
  ['a version that grows by itself', (s) => (task(s, 'pending').task!.version = 1), '3: task "pending" went from'],
  ['a version that falls', (s) => (task(s, 'acquired').task!.version = 0), '3: task "acquired" went from'],
  ['a task that is gone', (s) => (s.tasks = without(s.tasks, 2)), '1: task "halted" is gone'],
  [
    'a task that is fulfilled no longer',
    (s) => (task(s, 'fulfilled').task!.state = 1),
    '1: task "fulfilled" is no longer',
  ],
  ['a promise that is gone', (s) => (s.promises = without(s.promises, 1)), '4: promise "awaited" is gone'],
  [
    'a settled promise that changes',
    (s) => (promise(s, 'fulfilled').promise!.settledAtMs = 6),
    '4: promise "fulfilled" changed .settledAt',
  ],
  [
    'a pending promise with another deadline',
    (s) => (promise(s, 'halted').promise!.timeoutAtMs = 10),
    '4: promise "halted" changed .timeoutAt',
  ],
  ['a wake-up that is lost', (s) => (task(s, 'pending').resumes = []), '9: task "pending" lost a wake-up'],
  ['a refusal that wrote', (s) => (promise(s, 'awaited').listeners = []), '8: a request refused with 409 changed'],
];

describe('the invariants of a step', () => {
  const before = stateOfSnapshot(sound());
  const refused: Event = { now: 5, response: { status: 409 } };

  it('hold when nothing changes', () => {
    expect(transitionViolations(before, stateOfSnapshot(sound()), refused)).to.deep.equal([]);
  });

  it('let due timeouts fire before a refusal', () => {
    const after = sound();
    promise(after, 'halted').promise!.state = PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT;
    promise(after, 'halted').promise!.settledAtMs = 9;
    task(after, 'halted').task!.state = TaskState.TASK_STATE_FULFILLED;
    expect(transitionViolations(before, stateOfSnapshot(after), { ...refused, now: 9 })).to.deep.equal([]);
    expect(transitionViolations(before, stateOfSnapshot(after), refused)).to.not.deep.equal([]);
  });

  for (const [what, breakIt, found] of BROKEN_STEPS) {
    it(`find ${what}`, () => {
      const after = sound();
      breakIt(after);
      const lines = transitionViolations(before, stateOfSnapshot(after), refused);
      expect(
        lines.some((line) => line.startsWith(found)),
        lines.join('\n'),
      ).to.be.true;
    });
  }

  it('find a task that is born at a wrong version', () => {
    const after = sound();
    after.tasks.push({ task: { ...task(after, 'pending').task!, id: 'new', version: 1 }, resumes: [] });
    const lines = transitionViolations(before, stateOfSnapshot(after), refused);
    expect(lines).to.include('3: task "new" is born pending at version 1');
  });
});

describe('the invariants of a history', () => {
  const state = stateOfSnapshot(sound());
  const held = state.tasks.find(({ id }) => id === 'acquired')!;
  const acquire = { name: 'task.acquire', request: { id: 'acquired', version: 0, pid: 'p', ttl: 5 } } as const;
  const given = { status: 200, task: { ...held, resumes: 0 } } as const;
  const get = { name: 'promise.get', request: { id: 'fulfilled' } } as const;
  const shown = (id: string) => ({ status: 200, promise: state.promises.find((each) => each.id === id)! }) as const;

  it('find a task that is given twice at one version', () => {
    const history = new History();
    expect(history.note(acquire, given, state)).to.deep.equal([]);
    expect(history.note(acquire, given, state)).to.deep.equal(['6: task "acquired" was given twice at version 1']);
  });

  it('find a task that is held and was given to nobody', () => {
    const lines = new History().note(get, shown('fulfilled'), state);
    expect(lines).to.deep.equal(['6: task "acquired" is acquired at version 1, which nobody was given']);
  });

  it('find a promise that is shown settled and then pending', () => {
    const history = new History();
    history.note(acquire, given, state);
    expect(history.note(get, shown('fulfilled'), state)).to.deep.equal([]);
    const pending = { ...shown('fulfilled').promise, state: 'pending' } as const;
    const lines = history.note(get, { status: 200, promise: pending }, state);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^7: promise "fulfilled" was shown settled/);
  });
});
