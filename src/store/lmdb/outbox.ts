/** The rows of the outbox: a queue per destination, in order of position. */
import { queueOf } from '../queue.js';
import type { ExecuteRow, Queue, UnblockRow } from '../store.js';
import { decodeExecute, decodeUnblock, encodeExecute, encodeUnblock } from './codec.js';
import {
  after,
  afterQueue,
  EXECUTES,
  messageKey,
  parseMessageKey,
  queuePrefix,
  UNBLOCKS,
  type QueueTable,
} from './keys.js';
import type { Row, Rows } from './rows.js';

/** Makes the outbox agree with the change of a task's execute. */
export function moveExecute(rows: Rows, from: ExecuteRow | undefined, to: ExecuteRow | undefined): void {
  if (from === to) return;
  if (from !== undefined) rows.remove(addressedKey(EXECUTES, from));
  if (to !== undefined) rows.put(addressedKey(EXECUTES, to), encodeExecute(to));
}

export function putUnblock(rows: Rows, row: UnblockRow, sentAt: number): void {
  rows.put(addressedKey(UNBLOCKS, row), encodeUnblock(row.promiseId, row.address, sentAt));
}

export function removeUnblock(rows: Rows, place: { readonly position: number; readonly address: string }): void {
  rows.remove(addressedKey(UNBLOCKS, place));
}

/** The executes of a queue behind a position, oldest first. */
export function readExecutes(rows: Rows, queue: Queue, behind: number, limit: number): ExecuteRow[] {
  return readQueue(rows, EXECUTES, queue, behind, limit, decodeExecute);
}

/** The unblocks of a queue behind a position, oldest first. */
export function readUnblocks(rows: Rows, queue: Queue, behind: number, limit: number): UnblockRow[] {
  return readQueue(rows, UNBLOCKS, queue, behind, limit, unblockOf);
}

/** The executes of all queues, in order of position. */
export function readAllExecutes(rows: Rows): ExecuteRow[] {
  return readTable(rows, EXECUTES, decodeExecute);
}

/** The unblocks of all queues, in order of position. */
export function readAllUnblocks(rows: Rows): UnblockRow[] {
  return readTable(rows, UNBLOCKS, unblockOf);
}

/**
 * The unblocks that were sent before an instant, the oldest of each queue first. `now` never goes back, so the first young
 * one ends a queue, and the search goes on at the next queue: the young ones are not visited.
 */
export function readUnblocksBefore(rows: Rows, sentBefore: number, limit: number): UnblockRow[] {
  const found: UnblockRow[] = [];
  const table: Buffer = Buffer.from(UNBLOCKS);
  const end = after(table);
  for (let start: Buffer = table; found.length < limit;) {
    const head = rows.first(start, end);
    if (head === undefined) break;
    const { prefix } = parseMessageKey(head.key);
    start = afterQueue(prefix);
    for (const { key, value } of rows.range(prefix, start, limit - found.length)) {
      const unblock = decodeUnblock(parseMessageKey(key).position, value);
      if (unblock.sentAt >= sentBefore) break;
      found.push(unblock);
    }
  }
  return found;
}

function addressedKey(table: QueueTable, place: { readonly position: number; readonly address: string }): Buffer {
  return messageKey(queuePrefix(table, queueOf(place.address)), place.position);
}

function unblockOf(position: number, bytes: Buffer): UnblockRow {
  const { promiseId, address } = decodeUnblock(position, bytes);
  return { position, promiseId, address };
}

function readQueue<T>(
  rows: Rows,
  table: QueueTable,
  queue: Queue,
  behind: number,
  limit: number,
  decode: (position: number, bytes: Buffer) => T,
): T[] {
  const prefix = queuePrefix(table, queue);
  return Array.from(rows.range(messageKey(prefix, behind + 1), afterQueue(prefix), limit), (row) =>
    decodeRow(row, decode),
  );
}

function readTable<T extends { readonly position: number }>(
  rows: Rows,
  table: QueueTable,
  decode: (position: number, bytes: Buffer) => T,
): T[] {
  const prefix = Buffer.from(table);
  const all = Array.from(rows.range(prefix, after(prefix)), (row) => decodeRow(row, decode));
  return all.sort((a, b) => a.position - b.position);
}

function decodeRow<T>({ key, value }: Row, decode: (position: number, bytes: Buffer) => T): T {
  return decode(parseMessageKey(key).position, value);
}
