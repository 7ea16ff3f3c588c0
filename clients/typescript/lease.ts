import { setMaxListeners } from 'node:events';
import type { Clock, Timer } from './clock.js';
import type { TaskRef } from './gen/resonate_grpc/v1/task.js';
import { RunOver } from './outcomes.js';

/** A call on behalf of a task gets this long for its answer, in ms: then it is taken for lost, and there is time to ask again. */
export function answerDeadlineMs(ttlMs: number): number {
  return Math.min(ttlMs / 3, LONGEST_ANSWER_MS);
}

const LONGEST_ANSWER_MS = 10_000;

/**
 * One task held under one version, for as long as this process may believe so: until `ttlMs` after the sending of the last call
 * that renewed it. The server counts from later, so the belief ends first.
 */
export class Lease {
  /** The task is being given up (suspended, fulfilled or released): an offer of it is then no sign of loss. */
  givingUp = false;
  readonly #controller = new AbortController();
  #over: RunOver | undefined;
  #endsAt = 0;
  #timer: Timer | undefined;

  constructor(
    readonly task: TaskRef,
    readonly ttlMs: number,
    private readonly clock: Clock,
    sentAt: number,
  ) {
    // A handler may have any number of calls under way.
    setMaxListeners(0, this.signal);
    this.renew(sentAt);
  }

  /** Aborts with a `RunOver` when the run is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the run is over; absent while it is not. */
  get over(): RunOver | undefined {
    return this.#over;
  }

  /** How much longer the lease may be relied on, in ms. */
  get leftMs(): number {
    return this.#endsAt - this.clock.now();
  }

  /** Throws the `RunOver` if the run is over. */
  check(): void {
    if (this.#over) throw this.#over;
  }

  /** The server has renewed the lease, with a call sent at `sentAt`. */
  renew(sentAt: number): void {
    if (this.#over) return;
    this.#endsAt = Math.max(this.#endsAt, sentAt + this.ttlMs);
    this.#timer?.cancel();
    this.#timer = this.clock.after(this.leftMs, () => this.end(new RunOver('lost')));
  }

  /** Ends the run. The first reason stands, and is returned. */
  end(over: RunOver): RunOver {
    if (this.#over) return this.#over;
    this.#over = over;
    this.#timer?.cancel();
    this.#controller.abort(over);
    return over;
  }
}
