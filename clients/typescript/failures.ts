/** More than this many failing tasks are not told apart for ever: the oldest are forgotten. */
const REMEMBERED = 10_000;

/** How often each task has failed in a row, in this process. */
export class Failures {
  readonly #counts = new Map<string, number>();

  /** Counts one more failure and returns how many there were before. */
  add(taskId: string): number {
    const earlier = this.#counts.get(taskId) ?? 0;
    this.#counts.delete(taskId);
    this.#counts.set(taskId, earlier + 1);
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= REMEMBERED) break;
      this.#counts.delete(oldest);
    }
    return earlier;
  }

  /** It made progress. */
  clear(taskId: string): void {
    this.#counts.delete(taskId);
  }
}
