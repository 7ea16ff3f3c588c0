/** Who in a group gets which message. */
import { Feed, type Entry, type FeedOptions, type Row } from './feed.js';
import { Heap } from './heap.js';
import type { Queue } from '../store/store.js';

/** Who can get messages: one process of a group. */
export interface Recipient {
  readonly group: string;
  readonly pid: string;
}

export interface LaneOptions<R extends Row, T extends Recipient> {
  readonly read: (queue: Queue, after: number, limit: number) => readonly R[];
  readonly keyOf: (row: R) => string;
  readonly index: Map<string, Entry<R>>;
  /** How many more messages the recipient may get. */
  readonly roomOf: (recipient: T) => number;
  readonly pageSize: number;
  /** Called when `next` may find something that it did not find before. */
  readonly changed: () => void;
}

export interface Match<R extends Row, T extends Recipient> {
  readonly entry: Entry<R>;
  readonly recipient: T;
}

interface Member<R extends Row, T extends Recipient> {
  readonly recipient: T;
  /** The queue for this process alone. */
  readonly own: Feed<R>;
  room: number;
  /** When it was last served, in matches of the lane. */
  served: number;
  /** The place of the head of its own queue. */
  oldest: number;
}

/** A process's own queue is short as a rule, and there may be many. */
const OWN_PAGE_SIZE = 16;
/** How many own queues are read in one step. */
const OWN_READS = 8;

/**
 * The messages of one kind for one group: one queue for any of its members, and one for each member alone. The oldest
 * deliverable message goes first; among those who may get it, to the one with most room, and between equals in turn.
 */
export class Lane<R extends Row, T extends Recipient> {
  readonly #options: LaneOptions<R, T>;
  readonly #shared: Feed<R>;
  readonly #members = new Map<string, Member<R, T>>();
  /** The members that have room. */
  readonly #available = new Heap<Member<R, T>>((a, b) => a.room > b.room || (a.room === b.room && a.served < b.served));
  /** The members that have room and a message of their own. */
  readonly #owners = new Heap<Member<R, T>>((a, b) => a.oldest < b.oldest);
  /** The members that have room and whose own queue has not been read to its end. */
  readonly #unread = new Set<Member<R, T>>();
  #matches = 0;

  constructor(
    readonly group: string,
    options: LaneOptions<R, T>,
  ) {
    this.#options = options;
    this.#shared = new Feed(this.#feedOptions({ group }, options.pageSize, options.changed));
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  /** Whether `next`, having found nothing, will find nothing until something changes. */
  get isSettled(): boolean {
    return this.#unread.size === 0 && (this.#available.size === 0 || !this.#shared.unread);
  }

  /** Its pid is not a member. */
  join(recipient: T): void {
    const { group, pid } = recipient;
    const own = this.#feedOptions({ group, pid }, OWN_PAGE_SIZE, () => this.refresh(recipient));
    const member: Member<R, T> = { recipient, own: new Feed(own), room: 0, served: this.#matches, oldest: 0 };
    this.#members.set(pid, member);
    this.#place(member);
  }

  /** What was taken for the recipient has been given back. */
  leave(recipient: T): void {
    const member = this.#memberOf(recipient);
    if (member === undefined) return;
    this.#members.delete(recipient.pid);
    this.#available.remove(member);
    this.#owners.remove(member);
    this.#unread.delete(member);
    member.own.close();
    if (this.isEmpty) this.#shared.close();
  }

  /** The recipient's room may have changed. */
  refresh(recipient: T): void {
    const member = this.#memberOf(recipient);
    if (member !== undefined) this.#place(member);
  }

  /** A row is in one of the lane's queues that is not in memory. */
  announce(queue: Queue, row: R): void {
    if (queue.pid === undefined) this.#shared.announce(row);
    else this.#members.get(queue.pid)?.own.announce(row);
  }

  /** Reads every queue again. */
  rescan(): void {
    this.#shared.rescan();
    for (const { own } of this.#members.values()) own.rescan();
  }

  /** Takes the next message for the one who is to get it. One bounded step: see `isSettled` when it finds nothing. */
  next(): Match<R, T> | undefined {
    this.#load();
    const widest = this.#available.peek();
    if (widest === undefined || this.#unread.size > 0) return undefined;
    const shared = this.#shared.head();
    const owner = this.#owners.peek();
    if (owner !== undefined && (shared === undefined || owner.oldest < shared.order)) {
      return this.#take(owner.own.head(), owner);
    }
    const preferred = shared?.preferred === undefined ? undefined : this.#members.get(shared.preferred);
    return this.#take(shared, preferred !== undefined && preferred.room > 0 ? preferred : widest);
  }

  #load(): void {
    if (this.#available.size > 0 && this.#shared.unread) this.#shared.load();
    let reads = 0;
    for (const { own } of this.#unread) {
      if (reads++ === OWN_READS) break;
      own.load();
    }
  }

  #take(entry: Entry<R> | undefined, member: Member<R, T>): Match<R, T> | undefined {
    if (entry === undefined) return undefined;
    member.served = ++this.#matches;
    entry.feed.take(entry);
    this.#place(member);
    return { entry, recipient: member.recipient };
  }

  /** Puts a member where its room and its own queue say. */
  #place(member: Member<R, T>): void {
    member.room = this.#options.roomOf(member.recipient);
    const hasRoom = member.room > 0;
    if (hasRoom) this.#available.put(member);
    else this.#available.remove(member);

    const head = member.own.head();
    if (hasRoom && head !== undefined) {
      member.oldest = head.order;
      this.#owners.put(member);
    } else {
      this.#owners.remove(member);
    }

    if (hasRoom && member.own.unread) this.#unread.add(member);
    else this.#unread.delete(member);
    if (hasRoom) this.#options.changed();
  }

  /** A recipient that has left, or was replaced under the same pid, is nobody's member. */
  #memberOf(recipient: T): Member<R, T> | undefined {
    const member = this.#members.get(recipient.pid);
    return member?.recipient === recipient ? member : undefined;
  }

  #feedOptions(queue: Queue, pageSize: number, changed: () => void): FeedOptions<R> {
    const { read, keyOf, index } = this.#options;
    return { read: (after, limit) => read(queue, after, limit), keyOf, index, pageSize, changed };
  }
}
