import type { PromiseObject } from '../protocol/objects.js';
import { isRefusal, type PromiseOutcome } from '../protocol/outcome.js';
import { EngineError, type Engine } from './engine.js';
import type { Timers } from './timers.js';

/** The longest time between two looks at a promise that is waited for, in ms: nothing depends on a single wake-up. */
const RECHECK = 60_000;
/** The shortest time between two looks, in ms: the server's clock may stand still just before the deadline. */
const PAUSE = 100;

type Wake = () => void;

/** The extension PromiseWait: who waits in this process for which promise. Nothing of it is durable. */
export class PromiseWaits {
  readonly #engine: Engine;
  readonly #timers: Timers;
  readonly #waits = new Map<string, Set<Wake>>();
  #closed = false;

  constructor(engine: Engine, timers: Timers) {
    this.#engine = engine;
    this.#timers = timers;
    engine.onCommit((changes) => {
      for (const change of changes) if (change.kind === 'promise.settled') this.#wake(change.promise.id);
    });
  }

  /**
   * Answers with the settled promise, or with the refusal of promise.get. Rejects with an `EngineError`: `draining` when the
   * server stops, `cancelled` when the signal aborts. `inTurn`: the caller has writes on the way, which it must not overtake.
   */
  async wait(id: string, signal: AbortSignal, inTurn = false): Promise<PromiseOutcome> {
    for (let least = 1; ; least = PAUSE) {
      // Registered before the look, so that a settlement in between is not missed.
      const woken = this.#register(id, signal);
      try {
        const outcome = await this.#engine.submit({ name: 'promise.get', request: { id } }, { inTurn });
        if (isRefusal(outcome) || outcome.promise.state !== 'pending') return outcome;
        woken.atDeadline(outcome.promise, least);
        await woken.promise;
      } finally {
        woken.unregister();
      }
      if (this.#closed) throw new EngineError('draining', 'the server is stopping');
      if (signal.aborted) throw new EngineError('cancelled', 'the call ended');
    }
  }

  /** Has everybody look again: the clock was set. */
  recheck(): void {
    for (const id of [...this.#waits.keys()]) this.#wake(id);
  }

  /** Ends every wait with `draining`, those to come too. */
  close(): void {
    this.#closed = true;
    this.recheck();
  }

  #wake(id: string): void {
    for (const wake of this.#waits.get(id) ?? []) wake();
  }

  #register(id: string, signal: AbortSignal) {
    let wake: Wake = () => {};
    const promise = new Promise<void>((resolve) => (wake = resolve));
    if (this.#closed || signal.aborted) wake();
    signal.addEventListener('abort', wake);
    const waits = this.#waits.get(id) ?? new Set();
    this.#waits.set(id, waits.add(wake));

    // A promise that nobody is registered on has no timeout that would fire: its deadline is watched here.
    let timer = this.#timers.after(RECHECK, wake);
    return {
      promise,
      atDeadline: ({ timeoutAt }: PromiseObject, least: number) => {
        timer.cancel();
        timer = this.#timers.after(Math.min(Math.max(least, timeoutAt - this.#engine.now()), RECHECK), wake);
      },
      unregister: () => {
        timer.cancel();
        signal.removeEventListener('abort', wake);
        waits.delete(wake);
        if (waits.size === 0) this.#waits.delete(id);
      },
    };
  }
}
