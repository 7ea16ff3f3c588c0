/** Time and chance, injected so that tests can hold them. All times are in ms. */
export interface Clock {
  /** A monotonic time; only differences mean anything. */
  now(): number;
  /** Calls back once, `ms` from now; any length is allowed. Keeps the process alive until then. */
  after(ms: number, callback: () => void): Timer;
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

/** What `Clock.after` returns. */
export interface Timer {
  /** Cancels the call; harmless once it has happened. */
  cancel(): void;
}

/** setTimeout overflows beyond this many ms and would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      timer = setTimeout(() => (left > LONGEST ? arm(left - LONGEST) : callback()), Math.min(left, LONGEST));
    };
    arm(Math.max(0, ms));
    return { cancel: () => clearTimeout(timer) };
  },
  random: () => Math.random(),
};

/** Resolves after `ms`, or as soon as the signal aborts: callers look at the signal themselves. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = clock.after(ms, wake);
    signal?.addEventListener('abort', wake);
  });
}
