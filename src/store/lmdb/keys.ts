/**
 * The keys of the one LMDB database. LMDB orders rows by their key bytes, and a commit costs what the pages cost that it
 * touches. So each promise gets a number at its creation, and everything that belongs to it lies under that number: rows
 * that change together are neighbours, and new ones go to the end. A random id costs one small row (I), no more.
 *
 * | row | key | value | read by |
 * |---|---|---|---|
 * | format | M f | name and version of this layout | open |
 * | owner | M o | random bytes of the process that owns the directory | every transaction |
 * | counters | M n | next number, next position | creation, the outbox |
 * | clock | M c | the clock's mark | getClockMark |
 * | index | I id | number | get by id |
 * | promise | R number P | id, whether it is awaited, and the promise's fields once there is one | getPromise, get by number |
 * | task | R number T | its execute in the outbox, whether it has awaited, and the task's fields once there is one | getTask |
 * | callbacks | R number c | next order; absent: it is empty | settlement |
 * | … one | R number c awaiter | order | addCallback, takeCallbacks |
 * | awaits | R number a | next order; absent: it is empty | settlement |
 * | … one | R number a awaited | order; the reverse of a callback | dropCallbacksOf |
 * | listeners | R number l | next order; absent: it is empty | settlement |
 * | … one | R number l address | order | addListener, takeListeners |
 * | resumes | R number r | next order; absent: it is empty | addResume |
 * | … one | R number r awaited | order | addResume, clearResumes |
 * | unblock's place | R number u address | position | sendUnblock, deleteUnblock |
 * | schedule | S id | the schedule's fields | getSchedule |
 * | timeout | T kind dueAt id | pid of a lease, else empty | dueTimeouts, earliestTimeout, heldTasks |
 * | execute | E queue position | task id, version, address | executes |
 * | unblock | U queue position | promise id, address, sent at | unblocks, deleteUnblocksBefore |
 *
 * Letters are one byte. Numbers, orders, positions and instants are 8 bytes, big endian; ids and addresses are UTF-8;
 * awaiter and awaited are numbers; a queue is the length of its name (2 bytes) and the name: the group, or group NUL pid.
 */
import type { Queue, TimeoutKind } from '../store.js';

/** The row of a promise and the row of its task. Capitals, so that they come before its sets. */
export const PROMISE = 'P';
export const TASK = 'T';

/** The ordered sets that belong to a promise: a head row, and a row per member. */
export type SetPart = 'c' | 'a' | 'l' | 'r';
export const CALLBACKS: SetPart = 'c';
export const AWAITS: SetPart = 'a';
export const LISTENERS: SetPart = 'l';
export const RESUMES: SetPart = 'r';

const UNBLOCK_PLACE = 'u';

/** The outbox rows. */
export type QueueTable = 'E' | 'U';
export const EXECUTES: QueueTable = 'E';
export const UNBLOCKS: QueueTable = 'U';

export const FORMAT_KEY = Buffer.from('Mf');
export const OWNER_KEY = Buffer.from('Mo');
export const COUNTERS_KEY = Buffer.from('Mn');
export const CLOCK_KEY = Buffer.from('Mc');

export const META_PREFIX = Buffer.from('M');
export const RECORD_PREFIX = Buffer.from('R');
export const SCHEDULE_PREFIX = Buffer.from('S');

const TIMEOUT_LETTERS: Readonly<Record<TimeoutKind, string>> = { schedule: 's', promise: 'p', task: 't' };

const NUMBER_BYTES = 8;
const NUMBER_ROOM = '\0'.repeat(NUMBER_BYTES);
const RECORD_LETTER = 'R'.charCodeAt(0);
const RECORD_PART_AT = 1 + NUMBER_BYTES;
const RECORD_BYTES = RECORD_PART_AT + 1;
const TIMEOUT_DUE_AT = 2;
const TIMEOUT_ID_AT = TIMEOUT_DUE_AT + NUMBER_BYTES;

/** A whole number up to 2^53 as 8 bytes, big endian: bytes sort as numbers do. */
export function numberBytes(number: number): Buffer {
  return writeNumber(Buffer.allocUnsafe(NUMBER_BYTES), number, 0);
}

export function readNumber(bytes: Buffer, at = 0): number {
  return bytes.readUInt32BE(at) * 0x1_0000_0000 + bytes.readUInt32BE(at + 4);
}

function writeNumber(bytes: Buffer, number: number, at: number): Buffer {
  bytes.writeUInt32BE(Math.floor(number / 0x1_0000_0000), at);
  bytes.writeUInt32BE(number % 0x1_0000_0000, at + 4);
  return bytes;
}

/** A head in ASCII and a text. Most text is short and ASCII, and copied here: a call into the runtime costs more. */
function textKey(head: string, text: string): Buffer {
  const whole = head + text;
  const { length } = whole;
  const key = Buffer.allocUnsafe(length);
  for (let i = 0; i < length; i++) {
    const code = whole.charCodeAt(i);
    if (code > 0x7f) return Buffer.from(whole);
    key[i] = code;
  }
  return key;
}

/** The first key after all that begin with these bytes. None of our prefixes ends in 0xff. */
export function after(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  const last = end.length - 1;
  end[last] = (end[last] ?? 0) + 1;
  return end;
}

export function indexKey(id: string): Buffer {
  return textKey('I', id);
}

/** The row of a promise, of its task, or the head of a set. */
export function recordKey(number: number, part: string): Buffer {
  const key = Buffer.allocUnsafe(RECORD_BYTES);
  key[0] = RECORD_LETTER;
  writeNumber(key, number, 1);
  key[RECORD_PART_AT] = part.charCodeAt(0);
  return key;
}

/** A member of a set. */
export function memberKey(number: number, part: string, member: Buffer): Buffer {
  return Buffer.concat([recordKey(number, part), member]);
}

export function unblockPlaceKey(number: number, address: string): Buffer {
  return memberKey(number, UNBLOCK_PLACE, Buffer.from(address));
}

/** Takes the key of any row under R apart. The member of a head row is empty. */
export function parseRecordKey(key: Buffer): { number: number; part: string; member: Buffer } {
  return {
    number: readNumber(key, 1),
    part: key.toString('latin1', RECORD_PART_AT, RECORD_BYTES),
    member: key.subarray(RECORD_BYTES),
  };
}

export function scheduleKey(id: string): Buffer {
  return textKey('S', id);
}

export function parseScheduleKey(key: Buffer): string {
  return key.toString('utf8', SCHEDULE_PREFIX.length);
}

export function timeoutPrefix(kind: TimeoutKind): Buffer {
  return Buffer.from(`T${TIMEOUT_LETTERS[kind]}`);
}

export function timeoutKey(kind: TimeoutKind, dueAt: number, id: string): Buffer {
  return writeNumber(textKey(`T${TIMEOUT_LETTERS[kind]}${NUMBER_ROOM}`, id), dueAt, TIMEOUT_DUE_AT);
}

export function parseTimeoutKey(key: Buffer): { dueAt: number; id: string } {
  return { dueAt: readNumber(key, TIMEOUT_DUE_AT), id: key.toString('utf8', TIMEOUT_ID_AT) };
}

/** All messages of a queue begin with this. */
export function queuePrefix(table: QueueTable, { group, pid }: Queue): Buffer {
  const name = Buffer.from(pid === undefined ? group : `${group}\0${pid}`);
  const head = Buffer.from(`${table}\0\0`);
  head.writeUInt16BE(name.length, 1);
  return Buffer.concat([head, name]);
}

export function messageKey(prefix: Buffer, position: number): Buffer {
  return Buffer.concat([prefix, numberBytes(position)]);
}

/** The first key after all messages of a queue: a position is below 2^53, so its first byte is 0. */
export function afterQueue(prefix: Buffer): Buffer {
  return Buffer.concat([prefix, Buffer.from([1])]);
}

export function parseMessageKey(key: Buffer): { prefix: Buffer; position: number } {
  const at = key.length - NUMBER_BYTES;
  return { prefix: key.subarray(0, at), position: readNumber(key, at) };
}
