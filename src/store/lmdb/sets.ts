/**
 * The ordered sets that belong to a promise: its callbacks and their reverse, its listeners, the resumes of its task. A
 * member is a row of its own, found by key; its value is its order, from a counter in the head row that each insert
 * rewrites. Whether a promise or a task ever had any is told by its record (`codec.ts`), so that most settlements look for none.
 */
import { after, memberKey, parseRecordKey, readNumber, recordKey, type SetPart } from './keys.js';
import type { Rows } from './rows.js';

/** Adds a member at the end. False if it was there. */
export function addMember(rows: Rows, owner: number, part: SetPart, member: Buffer): boolean {
  const key = memberKey(owner, part, member);
  if (rows.has(key)) return false;
  const head = recordKey(owner, part);
  const order = rows.getNumber(head) ?? 0;
  rows.putNumber(head, order + 1);
  rows.putNumber(key, order);
  return true;
}

/** Removes and returns the members, in order. */
export function takeMembers(rows: Rows, owner: number, part: SetPart): Buffer[] {
  const head = recordKey(owner, part);
  if (!rows.has(head)) return [];
  const found = [...rows.range(head, after(head))];
  for (const { key } of found) rows.remove(key);
  return found
    .map(({ key, value }) => ({ member: parseRecordKey(key).member, order: readNumber(value) }))
    .filter(({ member }) => member.length > 0)
    .sort((a, b) => a.order - b.order)
    .map(({ member }) => member);
}

export function removeMember(rows: Rows, owner: number, part: SetPart, member: Buffer): void {
  rows.remove(memberKey(owner, part, member));
}
