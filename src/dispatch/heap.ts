/** A binary heap whose items can be moved and removed, each in O(log n). */
export class Heap<T> {
  readonly #before: (a: T, b: T) => boolean;
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();

  /** `before` compares what may change only just before `put`. */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The first item, or undefined. */
  peek(): T | undefined {
    return this.#items[0];
  }

  has(item: T): boolean {
    return this.#places.has(item);
  }

  /** Adds the item, or moves it to where it belongs now. */
  put(item: T): void {
    const place = this.#places.get(item) ?? this.#items.push(item) - 1;
    this.#sink(this.#rise(place, item), item);
  }

  /** Removes the item. False if it was not there. */
  remove(item: T): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    this.#places.delete(item);
    const last = this.#items.pop() as T;
    if (last !== item) this.#sink(this.#rise(place, last), last);
    return true;
  }

  #rise(place: number, item: T): number {
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#before(item, this.#at(parent))) break;
      this.#set(place, this.#at(parent));
      place = parent;
    }
    this.#set(place, item);
    return place;
  }

  #sink(place: number, item: T): void {
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#items.length) break;
      if (child + 1 < this.#items.length && this.#before(this.#at(child + 1), this.#at(child))) child++;
      if (!this.#before(this.#at(child), item)) break;
      this.#set(place, this.#at(child));
      place = child;
    }
    this.#set(place, item);
  }

  #at(place: number): T {
    return this.#items[place] as T;
  }

  #set(place: number, item: T): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }
}
