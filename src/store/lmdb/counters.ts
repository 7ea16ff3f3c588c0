import { COUNTERS_KEY, numberBytes, readNumber } from './keys.js';
import type { Rows } from './rows.js';

/** The counters of the store: read when first needed in a transaction, written once at its end. */
export class Counters {
  readonly #rows: Rows;
  #next: { number: number; position: number } | undefined;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** The number of a new promise. */
  takeNumber(): number {
    return this.#take().number++;
  }

  /** The place of a new message in the outbox. */
  takePosition(): number {
    return this.#take().position++;
  }

  flush(): void {
    if (this.#next === undefined) return;
    const { number, position } = this.#next;
    this.#rows.put(COUNTERS_KEY, Buffer.concat([numberBytes(number), numberBytes(position)]));
  }

  #take(): { number: number; position: number } {
    if (this.#next !== undefined) return this.#next;
    const bytes = this.#rows.get(COUNTERS_KEY);
    this.#next =
      bytes === undefined
        ? { number: 0, position: 0 }
        : { number: readNumber(bytes), position: readNumber(bytes, bytes.length / 2) };
    return this.#next;
  }
}
