/** What the project's handlers answer and its stores hold, in the model's terms. */
import type { PromiseObject, ScheduleObject, Value } from '../../src/protocol/objects.js';
import { MAX_SAFE } from '../../src/protocol/objects.js';
import type { OperationName, OutcomeOf } from '../../src/protocol/operations.js';
import { isRefusal } from '../../src/protocol/outcome.js';
import type { Store } from '../../src/store/store.js';
import type { Response } from '../model/response.js';
import type * as model from '../model/state.js';
import { differences } from '../support/differences.js';

/** As the wire shows it: no callbacks, no listeners, no timeouts. */
export function responseOf(outcome: OutcomeOf<OperationName>): Response {
  if (isRefusal(outcome)) {
    const { status, reason, metadata } = outcome;
    return { status, reason, metadata };
  }
  return {
    status: outcome.status,
    ...('promise' in outcome ? { promise: promiseRecord(outcome.promise) } : {}),
    ...('task' in outcome ? { task: taskRecord(outcome.task) } : {}),
    ...('schedule' in outcome ? { schedule: scheduleRecord(outcome.schedule) } : {}),
    ...('outcome' in outcome ? { inner: responseOf(outcome.outcome) } : {}),
  };
}

/** Everything that is stored, ordered by id. Throws if the store's indexes and counts do not say the same as its records. */
export function stateOf(store: Store): model.State {
  const { promises, tasks, schedules, executes, unblocks } = store.snapshot();
  const records = new Map(promises.map(({ promise }) => [promise.id, promiseRecord(promise)]));
  const promiseTimeouts = promises
    .filter(({ promise }) => promise.timeoutArmed)
    .map(({ promise: { id, timeoutAt } }) => ({ id, timeout: timeoutAt }));
  const taskTimeouts = tasks.flatMap(({ task: { id, timeout } }) =>
    timeout === undefined ? [] : { id, kind: timeout.kind, timeout: timeout.dueAt },
  );
  const scheduleTimeouts = schedules.map(({ id, nextRunAt }) => ({ id, timeout: nextRunAt }));

  const indexed = taskTimeouts.filter(({ kind }) => kind !== 'retry').map(({ id, timeout }) => ({ id, timeout }));
  expectIndex(store, 'promise', promiseTimeouts);
  expectIndex(store, 'task', indexed);
  expectIndex(store, 'schedule', scheduleTimeouts);

  return {
    promises: promises.map(({ promise, callbacks, listeners }) => ({
      ...promiseRecord(promise),
      callbacks,
      listeners,
    })),
    tasks: tasks.map(({ task, resumes }) => {
      if (task.resumes !== resumes.length)
        throw new Error(`${task.id} counts ${task.resumes} of ${resumes.length} resumes`);
      return { ...taskRecord(task), resumes };
    }),
    schedules: schedules.map(scheduleRecord),
    promiseTimeouts,
    taskTimeouts,
    scheduleTimeouts,
    outbox: [...executes, ...unblocks]
      .sort((a, b) => a.position - b.position)
      .map((row) =>
        'taskId' in row
          ? { address: row.address, message: { kind: 'execute', taskId: row.taskId, version: row.version } }
          : { address: row.address, message: { kind: 'unblock', promise: recordOf(records, row.promiseId) } },
      ),
  };
}

/** The model's state in the same order: its lists have none that means anything. */
export function ordered(state: model.State): model.State {
  return {
    promises: byId(state.promises),
    tasks: byId(state.tasks),
    schedules: byId(state.schedules),
    promiseTimeouts: byId(state.promiseTimeouts),
    taskTimeouts: byId(state.taskTimeouts),
    scheduleTimeouts: byId(state.scheduleTimeouts),
    outbox: state.outbox,
  };
}

function byId<T extends { readonly id: string }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
}

function expectIndex(store: Store, kind: 'schedule' | 'promise' | 'task', expected: readonly model.Timeout[]): void {
  const inIndex = store.dueTimeouts(kind, MAX_SAFE, Infinity).map(({ id, dueAt }) => ({ id, timeout: dueAt }));
  const lines = differences(byId(expected), byId(inIndex));
  if (lines.length > 0)
    throw new Error(`the index of ${kind} timeouts is not what the records say: ${lines.join('; ')}`);
}

function recordOf(records: ReadonlyMap<string, model.PromiseRecord>, id: string): model.PromiseRecord {
  const record = records.get(id);
  if (record === undefined) throw new Error(`an unblock of ${id}, which is not stored`);
  return record;
}

function promiseRecord(promise: PromiseObject): model.PromiseRecord {
  const { id, state, param, value, tags, timeoutAt, createdAt, settledAt } = promise;
  return {
    id,
    state,
    param: valueOf(param),
    value: valueOf(value),
    tags: [...tags],
    timeoutAt,
    createdAt,
    ...(settledAt === undefined ? {} : { settledAt }),
  };
}

function taskRecord(task: { readonly timeout?: unknown } & model.TaskRecord): model.TaskRecord {
  const { timeout: _, ...record } = task;
  return record;
}

function scheduleRecord(schedule: ScheduleObject): model.Schedule {
  const { promiseParam, promiseTags, ...rest } = schedule;
  return { ...rest, promiseParam: valueOf(promiseParam), promiseTags: [...promiseTags] };
}

function valueOf({ headers, data }: Value): model.Value {
  return { headers: [...headers], ...(data === undefined ? {} : { data: new TextDecoder().decode(data) }) };
}
