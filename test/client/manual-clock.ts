import type { Clock, Timer } from '../../clients/typescript/clock.js';

interface Armed {
  readonly dueAt: number;
  readonly ms: number;
  readonly callback: () => void;
}

/** Time stands still until a test moves it; every dice roll is 0, so that back-off is its longest. */
export class ManualClock implements Clock {
  readonly #armed = new Set<Armed>();
  #now = 0;
  #watchers: (() => void)[] = [];

  now(): number {
    return this.#now;
  }

  random(): number {
    return 0;
  }

  after(ms: number, callback: () => void): Timer {
    const timer = { dueAt: this.#now + ms, ms, callback };
    this.#armed.add(timer);
    for (const watch of this.#watchers.splice(0)) watch();
    return { cancel: () => this.#armed.delete(timer) };
  }

  /** Moves time, firing what falls due on the way, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#armed].filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt);
      if (!next) break;
      this.#armed.delete(next);
      this.#now = Math.max(this.#now, next.dueAt);
      next.callback();
    }
    this.#now = until;
  }

  /** Resolves once a timer of this length is armed. */
  async armed(ms: number): Promise<void> {
    while (![...this.#armed].some((timer) => timer.ms === ms)) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  /** The lengths of the timers that are armed, shortest first. */
  get lengths(): number[] {
    return [...this.#armed].map(({ ms }) => ms).sort((a, b) => a - b);
  }
}
