/** Timers, injected so that tests can hold them. */
export interface Timers {
  /**
   * Calls back once, `ms` from now; any length is allowed, and 0 is later in this turn of the event loop. Does not keep the
   * process alive.
   */
  after(ms: number, callback: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

/** setTimeout overflows beyond this many ms and would fire at once. */
const LONGEST = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(ms, callback) {
    // A timeout of 0 would take a millisecond.
    if (ms <= 0) return soon(callback);
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      timer = setTimeout(() => (left > LONGEST ? arm(left - LONGEST) : callback()), Math.min(left, LONGEST));
      timer.unref();
    };
    arm(ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

function soon(callback: () => void): Timer {
  // Not `unref`: an idle event loop would sleep on, until something else wakes it.
  const immediate = setImmediate(callback);
  return { cancel: () => clearImmediate(immediate) };
}
