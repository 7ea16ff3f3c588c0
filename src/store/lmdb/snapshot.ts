import { compareIds, type PromiseObject, type TaskObject } from '../../protocol/objects.js';
import type { DueTimeout, Snapshot } from '../store.js';
import { decodePromise, decodeSchedule, decodeTask } from './codec.js';
import {
  after,
  CALLBACKS,
  LISTENERS,
  parseRecordKey,
  parseScheduleKey,
  PROMISE,
  readNumber,
  RECORD_PREFIX,
  RESUMES,
  SCHEDULE_PREFIX,
  TASK,
} from './keys.js';
import { readAllExecutes, readAllUnblocks } from './outbox.js';
import type { Row, Rows } from './rows.js';

interface Member {
  readonly bytes: Buffer;
  readonly order: number;
}

/** Everything under one number. */
interface Stored {
  readonly id: string;
  readonly promise: PromiseObject | undefined;
  task: TaskObject | undefined;
  /** By the letter of the set. */
  readonly sets: Map<string, Member[]>;
}

/** Everything in the store. */
export function readSnapshot(rows: Rows): Snapshot {
  const byNumber = readRecords(rows);
  const all = [...byNumber.values()].sort((a, b) => compareIds(a.id, b.id));
  const idOf = (bytes: Buffer): string => recordOf(byNumber, readNumber(bytes)).id;
  const setOf = ({ sets }: Stored, part: string, name: (bytes: Buffer) => string): string[] =>
    (sets.get(part) ?? []).sort((a, b) => a.order - b.order).map(({ bytes }) => name(bytes));

  return {
    promises: all.flatMap((stored) =>
      stored.promise === undefined
        ? []
        : {
            promise: stored.promise,
            callbacks: setOf(stored, CALLBACKS, idOf),
            listeners: setOf(stored, LISTENERS, String),
          },
    ),
    tasks: all.flatMap((stored) =>
      stored.task === undefined ? [] : { task: stored.task, resumes: setOf(stored, RESUMES, idOf) },
    ),
    schedules: Array.from(rows.range(SCHEDULE_PREFIX, after(SCHEDULE_PREFIX)), ({ key, value }) =>
      decodeSchedule(parseScheduleKey(key), value),
    ),
    executes: readAllExecutes(rows),
    unblocks: readAllUnblocks(rows),
  };
}

/** Every pending task whose retry or delay is due, by (dueAt, id bytes). Visits all records. */
export function readDueRetries(rows: Rows, now: number): DueTimeout[] {
  const due: DueTimeout[] = [];
  for (const { task } of readRecords(rows).values()) {
    if (task?.state !== 'pending' || task.timeout === undefined || task.timeout.dueAt > now) continue;
    due.push({ kind: 'task', id: task.id, dueAt: task.timeout.dueAt });
  }
  return due.sort((a, b) => a.dueAt - b.dueAt || compareIds(a.id, b.id));
}

function readRecords(rows: Rows): Map<number, Stored> {
  const byNumber = new Map<number, Stored>();
  for (const row of rows.range(RECORD_PREFIX, after(RECORD_PREFIX))) addRow(byNumber, row);
  return byNumber;
}

function addRow(byNumber: Map<number, Stored>, { key, value }: Row): void {
  const { number, part, member } = parseRecordKey(key);
  // The first row of its number.
  if (part === PROMISE) {
    byNumber.set(number, { ...decodePromise(value), task: undefined, sets: new Map() });
    return;
  }
  const stored = recordOf(byNumber, number);
  if (part === TASK) stored.task = decodeTask(stored.id, value).task;
  else if (member.length > 0) {
    const members = stored.sets.get(part) ?? [];
    members.push({ bytes: member, order: readNumber(value) });
    stored.sets.set(part, members);
  }
}

function recordOf(byNumber: ReadonlyMap<number, Stored>, number: number): Stored {
  const stored = byNumber.get(number);
  if (stored === undefined) throw new Error(`a stored row refers to promise number ${number}, which is missing`);
  return stored;
}
