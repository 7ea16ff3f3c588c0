/** Timers, injected so that tests can hold them. */
export interface Timers {
  /** Calls back once, `ms` from now (0: in a later turn of the event loop; any length is allowed). Does not keep the process alive. */
  after(ms: number, callback: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

/** setTimeout overflows beyond this many ms and would fire at once. */
const LONGEST = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(ms, callback) {
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      timer = setTimeout(() => (left > LONGEST ? arm(left - LONGEST) : callback()), Math.min(left, LONGEST));
      timer.unref();
    };
    arm(Math.max(0, ms));
    return { cancel: () => clearTimeout(timer) };
  },
};
