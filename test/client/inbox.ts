/** Hands out, in order, what has come and what will come. */
export class Inbox<T> {
  readonly #come: T[] = [];
  readonly #takers: ((item: T) => void)[] = [];

  constructor(private readonly name: string) {}

  /** How many have come and have not been taken. */
  get size(): number {
    return this.#come.length;
  }

  put(item: T): void {
    const taker = this.#takers.shift();
    if (taker) taker(item);
    else this.#come.push(item);
  }

  next(): Promise<T> {
    const item = this.#come.shift();
    if (item !== undefined) return Promise.resolve(item);
    if (this.#takers.length > 0) throw new Error(`two takers for ${this.name}`);
    return new Promise((resolve) => this.#takers.push(resolve));
  }
}
