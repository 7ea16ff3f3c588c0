/** The delivery of executes: credits, and what becomes of a push. */
import type { Engine } from '../engine/engine.js';
import type { Log } from '../engine/log.js';
import type { Timer, Timers } from '../engine/timers.js';
import type { TaskObject } from '../protocol/objects.js';
import type { ExecuteRow, Queue, Store } from '../store/store.js';
import type { DispatchConfig } from './config.js';
import type { Entry } from './feed.js';
import { Holdings } from './holdings.js';
import { Lanes } from './lanes.js';
import type { Session } from './session.js';

/** An execute that was sent to a session. It ends when the task is no longer pending at that version, or is pushed anew. */
export interface Push {
  readonly entry: Entry<ExecuteRow>;
  readonly session: Session;
  readonly batch: Batch;
}

/** The pushes of one slice: they expire together. */
interface Batch {
  readonly pushes: Set<Push>;
  readonly timer: Timer;
}

export interface ExecutesOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly timers: Timers;
  readonly config: DispatchConfig;
  readonly log: Log;
  /** The sessions of a pid, in any group. */
  readonly sessionsOf: (pid: string) => Iterable<Session>;
  readonly changed: () => void;
}

/**
 * A push is a hint and starts no lease: acquiring the task is what acknowledges it. So all that is known of pushes is in
 * memory, and what is lost with it is pushed again.
 */
export class Executes {
  readonly #options: ExecutesOptions;
  readonly #lanes: Lanes<ExecuteRow, Session>;
  readonly #pushes = new Map<string, Push>();
  /** Pushes of these expired, and their retries are being written. */
  readonly #retrying = new Set<Entry<ExecuteRow>>();
  /** The batch of the slice that is running. */
  #filling: Batch | undefined;
  #stopped = false;
  #holdings: Holdings;

  constructor(options: ExecutesOptions) {
    this.#options = options;
    const { store, config, changed } = options;
    this.#holdings = new Holdings(store.heldTasks());
    this.#lanes = new Lanes<ExecuteRow, Session>({
      read: (queue, after, limit) => store.executes(queue, after, limit),
      keyOf: ({ taskId }) => taskId,
      roomOf: (session) => session.executeRoom(this.#holdings.count(session.pid)),
      pageSize: config.pageSize,
      changed,
    });
  }

  /** How many rows are in memory. */
  get size(): number {
    return this.#lanes.size;
  }

  get isDirty(): boolean {
    return this.#lanes.isDirty;
  }

  /** How many tasks are acquired under the pid. */
  held(pid: string): number {
    return this.#holdings.count(pid);
  }

  join(session: Session): void {
    this.#lanes.join(session);
  }

  leave(session: Session): void {
    this.giveBack(session);
    this.#lanes.leave(session);
  }

  /** Whether the session may get messages has changed. */
  refresh(session: Session): void {
    this.#lanes.refresh(session);
  }

  /** What was pushed to the session and not acquired goes to others. */
  giveBack(session: Session): void {
    for (const push of [...session.pushes]) {
      this.#forget(push);
      push.entry.feed.giveBack(push.entry);
    }
  }

  /** A task was committed. */
  onTask(task: TaskObject): void {
    const entry = this.#lanes.find(task.id);
    if (entry !== undefined && !isCurrent(entry, task)) this.#drop(entry);

    const { gained, lost } = this.#holdings.apply(task);
    if (gained !== undefined) {
      for (const session of this.#options.sessionsOf(gained)) {
        session.onProbation = false;
        this.#lanes.refresh(session);
      }
    }
    if (lost !== undefined) for (const session of this.#options.sessionsOf(lost)) this.#lanes.refresh(session);
  }

  /** An execute was sent: it is new, or it is to be pushed again, and then an earlier push is void. */
  onExecute(queue: Queue, row: ExecuteRow): void {
    const entry = this.#lanes.find(row.taskId);
    if (entry === undefined) this.#lanes.announce(queue, row);
    else if (entry.row.version !== row.version) this.#replace(entry, queue, row);
    else this.#pushAgain(entry);
  }

  /** Pushes at most about `limit` executes. */
  deliver(limit: number): void {
    try {
      for (let steps = 0; steps < limit && this.#lanes.isDirty; steps++) {
        const match = this.#lanes.step();
        if (match !== undefined) this.#push(match.entry, match.recipient);
      }
    } finally {
      if (this.#filling?.pushes.size === 0) this.#filling.timer.cancel();
      this.#filling = undefined;
    }
  }

  /** Reads every queue again. */
  sweep(): void {
    this.#lanes.rescan();
  }

  /** Forgets everything and starts again from the store. The sessions have left. */
  reload(): void {
    this.#holdings = new Holdings(this.#options.store.heldTasks());
  }

  /** Nothing expires from now on. */
  stop(): void {
    this.#stopped = true;
    for (const { batch } of this.#pushes.values()) batch.timer.cancel();
  }

  #push(entry: Entry<ExecuteRow>, session: Session): void {
    const batch = (this.#filling ??= this.#newBatch());
    const push = { entry, session, batch };
    this.#pushes.set(entry.key, push);
    session.pushes.add(push);
    batch.pushes.add(push);
    session.sendExecute(entry.row.taskId, entry.row.version);
    this.#lanes.refresh(session);
  }

  #newBatch(): Batch {
    const { timers, config } = this.#options;
    const pushes = new Set<Push>();
    return { pushes, timer: timers.after(config.retryTimeout, () => this.#expire(pushes)) };
  }

  /** The push no longer counts; what happens to its row is the caller's. */
  #forget(push: Push): void {
    const { entry, session, batch } = push;
    this.#pushes.delete(entry.key);
    session.pushes.delete(push);
    batch.pushes.delete(push);
    if (batch.pushes.size === 0 && batch !== this.#filling) batch.timer.cancel();
    this.#lanes.refresh(session);
  }

  /** An entry whose group has left may have a successor of the same task. */
  #pushOf(entry: Entry<ExecuteRow>): Push | undefined {
    const push = this.#pushes.get(entry.key);
    return push?.entry === entry ? push : undefined;
  }

  #replace(entry: Entry<ExecuteRow>, queue: Queue, row: ExecuteRow): void {
    this.#drop(entry);
    this.#lanes.announce(queue, row);
  }

  /** Does nothing for an entry that waits anyway. */
  #pushAgain(entry: Entry<ExecuteRow>): void {
    const push = this.#pushOf(entry);
    if (push !== undefined) {
      this.#forget(push);
      entry.feed.giveBack(entry);
    } else if (this.#retrying.delete(entry)) {
      entry.feed.defer(entry);
    }
  }

  #drop(entry: Entry<ExecuteRow>): void {
    const push = this.#pushOf(entry);
    if (push !== undefined) this.#forget(push);
    this.#retrying.delete(entry);
    entry.feed.drop(entry);
  }

  /** Nobody acquired these in time. Their sessions may be frozen, and must not attract more than one push at a time. */
  #expire(batch: Set<Push>): void {
    const expired = [...batch];
    for (const push of expired) {
      push.session.onProbation = true;
      this.#forget(push);
    }
    const entries = expired.map(({ entry }) => entry);
    for (const entry of entries) this.#retrying.add(entry);
    this.#options.engine
      .retryTasks(entries.map(({ key }) => key))
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'tasks could not be retried'))
      .then(() => this.#afterRetry(entries))
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'tasks could not be read after a retry'));
  }

  /**
   * A retry that fired has sent its execute again. Where it did not, because it was not due by the clock, or the promise has
   * expired, or the write failed, the execute is pushed again all the same, if it is still in the outbox.
   */
  #afterRetry(entries: readonly Entry<ExecuteRow>[]): void {
    const waiting = entries.filter((entry) => this.#retrying.has(entry));
    if (this.#stopped || waiting.length === 0) return;
    for (const entry of waiting) this.#pushAgain(entry);
    // Asked last: should the store fail, a push too many does no harm.
    const tasks = this.#options.store.read((tx) => waiting.map(({ key }) => tx.getTask(key)));
    waiting.forEach((entry, i) => {
      const task = tasks[i];
      if (task === undefined || !isCurrent(entry, task)) this.#drop(entry);
    });
  }
}

function isCurrent(entry: Entry<ExecuteRow>, task: TaskObject): boolean {
  return task.state === 'pending' && task.version === entry.row.version;
}
