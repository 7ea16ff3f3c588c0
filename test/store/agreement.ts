/** Two stores that run the same random transactions answer the same, report the same, and hold the same. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Change, DueTimeout, Queue, Snapshot, Store, StoreTx } from '../../src/store/store.js';
import type { StoreFactory } from './contract.js';
import { plain } from './plain.js';
import { acquiredTask, pendingPromise, pendingTask, schedule, settledPromise } from './samples.js';

/** One call of a method of `StoreTx`, or a look at the store in the middle of its transaction. */
type Step = readonly [name: string, run: (tx: StoreTx, store: Store) => unknown];
interface Script {
  readonly steps: readonly Step[];
  /** Whether the transaction throws in the end. */
  readonly fails: boolean;
}

// Few of everything, so that the steps collide. The last two ids sort the other way in UTF-16.
const id = fc.constantFrom('a', 'ab', 'b', '\uffee', '\u{1f600}');
const address = fc.constantFrom('g', 'any@g', 'any@g/p', 'uni@g/p', 'uni@g/q', 'gg');
const instant = fc.constantFrom(0, 1, 2, 3, Number.MAX_SAFE_INTEGER);
const queues: readonly Queue[] = [{ group: 'g' }, { group: 'g', pid: 'p' }, { group: 'g', pid: 'q' }, { group: 'gg' }];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(id, instant, fc.boolean())
    .map(([id, timeoutAt, timeoutArmed]) =>
      named(`setPromise(${id}, pending, ${timeoutAt}, ${timeoutArmed})`, (tx) =>
        tx.setPromise(pendingPromise(id, { timeoutAt, timeoutArmed })),
      ),
    ),
  id.map((id) => named(`setPromise(${id}, settled)`, (tx) => tx.setPromise(settledPromise(id)))),
  fc
    .tuple(id, instant, fc.constantFrom('retry' as const, 'delay' as const))
    .map(([id, dueAt, kind]) =>
      named(`setTask(${id}, ${kind}, ${dueAt})`, (tx) => tx.setTask(pendingTask(id, { timeout: { kind, dueAt } }))),
    ),
  fc
    .tuple(id, instant, fc.constantFrom('p', 'q'))
    .map(([id, dueAt, pid]) =>
      named(`setTask(${id}, held by ${pid}, ${dueAt})`, (tx) =>
        tx.setTask(acquiredTask(id, pid, { timeout: { kind: 'lease', dueAt } })),
      ),
    ),
  id.map((id) =>
    named(`setTask(${id}, suspended)`, (tx) => tx.setTask({ id, state: 'suspended', version: 3, resumes: 0 })),
  ),
  fc
    .tuple(id, instant)
    .map(([id, nextRunAt]) =>
      named(`setSchedule(${id}, ${nextRunAt})`, (tx) => tx.setSchedule(schedule(id, { nextRunAt }))),
    ),
  id.map((id) => named(`deleteSchedule(${id})`, (tx) => tx.deleteSchedule(id))),
  // A callback or listener is only added to a promise that exists, a resume only to a task that exists.
  fc
    .tuple(id, id)
    .map(([awaited, awaiter]) =>
      named(
        `addCallback(${awaited}, ${awaiter})`,
        (tx) => tx.getPromise(awaited) && tx.getPromise(awaiter) && tx.addCallback(awaited, awaiter),
      ),
    ),
  id.map((id) => named(`takeCallbacks(${id})`, (tx) => tx.takeCallbacks(id))),
  id.map((id) => named(`dropCallbacksOf(${id})`, (tx) => tx.dropCallbacksOf(id))),
  fc
    .tuple(id, address)
    .map(([id, address]) =>
      named(`addListener(${id}, ${address})`, (tx) => tx.getPromise(id) && tx.addListener(id, address)),
    ),
  id.map((id) => named(`takeListeners(${id})`, (tx) => tx.takeListeners(id))),
  fc
    .tuple(id, id)
    .map(([task, awaited]) =>
      named(`addResume(${task}, ${awaited})`, (tx) => tx.getTask(task) && tx.addResume(task, awaited)),
    ),
  id.map((id) => named(`clearResumes(${id})`, (tx) => tx.clearResumes(id))),
  // A task's target never changes, so neither does the address of its execute.
  fc
    .tuple(id, fc.nat(3))
    .map(([id, version]) =>
      named(`sendExecute(${id}, ${version})`, (tx) => tx.sendExecute(id, version, id.length > 1 ? 'uni@g/p' : 'g')),
    ),
  id.map((id) => named(`withdrawExecute(${id})`, (tx) => tx.withdrawExecute(id))),
  fc
    .tuple(id, address)
    .map(([id, address]) => named(`sendUnblock(${id}, ${address})`, (tx) => tx.sendUnblock(id, address, 2))),
  fc
    .tuple(id, address)
    .map(([id, address]) => named(`deleteUnblock(${id}, ${address})`, (tx) => tx.deleteUnblock(id, address))),
  fc.constantFrom(2, 3).map((at) => named(`deleteUnblocksBefore(${at})`, (tx) => tx.deleteUnblocksBefore(at, 99))),
  instant.map((mark) => named(`setClockMark(${mark})`, (tx) => tx.setClockMark(mark))),
  fc.constant(named('getClockMark()', (tx) => tx.getClockMark())),
  fc.constant(named('look', (_, store) => view(store))),
);

const script: fc.Arbitrary<Script> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
  fails: fc.boolean(),
});

export function describeAgreement(one: StoreFactory, other: StoreFactory): void {
  describe(`Store agreement: ${one.name} and ${other.name}`, () => {
    it('on random transactions', async () => {
      const a = await one.open();
      const b = await other.open();
      try {
        fc.assert(
          fc.property(fc.array(script, { minLength: 1, maxLength: 4 }), (scripts) => {
            a.store.clear();
            b.store.clear();
            for (const script of scripts) {
              expect(run(b.store, script)).to.deep.equal(run(a.store, script));
              expect(view(b.store)).to.deep.equal(view(a.store));
            }
          }),
          { numRuns: 150 },
        );
      } finally {
        await a.close();
        await b.close();
      }
    });
  });
}

/** What the transaction answered and reported. */
function run(store: Store, { steps, fails }: Script): unknown {
  const answers: unknown[] = [];
  try {
    const { changes } = store.transact((tx) => {
      for (const [, step] of steps) answers.push(step(tx, store));
      if (fails) throw new Error('fault');
    });
    return { answers: plain(answers), changes: changes.map(withoutPosition) };
  } catch (error) {
    return { answers: plain(answers), error: String(error) };
  }
}

/** All that can be seen of a store from outside. Positions are compared by their order only. */
function view(store: Store): unknown {
  const { executes, unblocks, ...records }: Snapshot = store.snapshot();
  const dues: (readonly DueTimeout[])[] = [];
  for (const kind of ['schedule', 'promise', 'task'] as const)
    for (const now of [0, 1, 2, 3, Number.MAX_SAFE_INTEGER]) dues.push(store.dueTimeouts(kind, now, 3));
  return plain({
    records,
    executes: executes.map(({ position: _, ...row }) => row),
    unblocks: unblocks.map(({ position: _, ...row }) => row),
    queues: queues.map((queue) => ({
      executes: store.executes(queue, -1, 9).map(({ taskId }) => taskId),
      unblocks: store.unblocks(queue, -1, 9).map(({ promiseId, address }) => [promiseId, address]),
    })),
    dues,
    retries: store.dueRetries(2),
    earliest: store.earliestTimeout(),
    held: [...store.heldTasks()].map(({ taskId, pid }) => `${taskId} ${pid}`).sort(),
  });
}

function withoutPosition(change: Change): unknown {
  if (change.kind !== 'execute' && change.kind !== 'unblock') return plain(change);
  const { position: _, ...row } = change.row;
  return plain({ ...change, row });
}

/** fast-check prints a failing script by the names of its steps. */
function named(name: string, run: Step[1]): Step {
  const step: Step = [name, run];
  return Object.assign(step, { [fc.toStringMethod]: () => name });
}
