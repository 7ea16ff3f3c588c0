import { expect } from 'chai';
import type { TaskObject } from '../../src/protocol/objects.js';
import {
  awaitedNotFound,
  awaiterNotFound,
  awaiterWithoutTarget,
  isRefusal,
  promiseMissing,
  promiseNotFound,
  promiseNotLive,
  promiseWithoutTarget,
  scheduleNotFound,
  taskFulfilled,
  taskMissing,
  taskNotAcquired,
  taskNotFound,
  taskNotHalted,
  taskNotPending,
  taskVersionMismatch,
  type Refusal,
} from '../../src/protocol/outcome.js';
import { World } from '../actions/fixture.js';

const task: TaskObject = { id: 'a', state: 'suspended', version: 3, resumes: 0 };

describe('the message of a refusal', () => {
  const messages: readonly (readonly [Refusal, string])[] = [
    [promiseNotFound('a'), 'no promise "a"'],
    [taskNotFound('a'), 'no task "a"'],
    [scheduleNotFound('a'), 'no schedule "a"'],
    [taskMissing('a'), 'promise "a" has no task'],
    [promiseMissing(task), 'task "a" has no promise'],
    [taskNotAcquired(task), 'task "a" is suspended, not acquired'],
    [taskNotPending(task), 'task "a" is suspended, not pending'],
    [promiseNotLive(task), 'task "a" has a promise that is settled or past its deadline'],
    [taskVersionMismatch(task, 2), 'task "a" is at version 3, not 2'],
    [taskFulfilled(task), 'task "a" is fulfilled and cannot be halted'],
    [taskNotHalted(task), 'task "a" is suspended, not halted'],
    [awaiterNotFound('a'), 'no awaiting promise "a"'],
    [awaiterWithoutTarget('a'), 'the awaiting promise "a" has no resonate:target'],
    [awaitedNotFound('a'), 'no awaited promise "a"'],
    [promiseWithoutTarget('a'), 'promise "a" exists and has no resonate:target, so it has no task to take'],
  ];
  for (const [refusal, message] of messages)
    it(`${refusal.reason}: says what is wrong with what`, () => {
      expect(refusal.message).to.equal(message);
      expect(isRefusal(refusal)).to.equal(true);
    });

  for (const name of ['promise.search', 'task.search', 'schedule.search'] as const)
    it(`NOT_IMPLEMENTED: names ${name}`, () => {
      const { message } = new World().run(name, { tags: new Map() });
      expect(message).to.equal(`${name} is not specified by the protocol yet`);
    });

  it('quotes an id of up to 80 characters whole, and the beginning of a longer one', () => {
    expect(promiseNotFound('\n').message).to.equal('no promise "\\n"');
    expect(promiseNotFound('x'.repeat(80)).message).to.equal(`no promise "${'x'.repeat(80)}"`);
    expect(promiseNotFound('x'.repeat(81)).message).to.equal(`no promise "${'x'.repeat(80)}…"`);
    expect(promiseNotFound('x'.repeat(81)).metadata).to.deep.equal({ id: 'x'.repeat(81) });
  });
});
