import type { PromiseObject, Value } from '../../protocol/objects.js';
import type { PromiseEntry, TaskEntry } from './codec.js';

/** What is stored under an id. */
export interface CachedEntry {
  readonly number: number;
  readonly promise: PromiseEntry;
  /** Undefined if it was not read. */
  readonly task: TaskEntry | undefined;
}

/** How much a generation holds, and the largest entry that it takes, in bytes, roughly. */
const GENERATION_BYTES = 2 * 1024 ** 2;
const MAX_ENTRY_BYTES = 4 * 1024;
/** What an entry takes beside its strings and data. */
const ENTRY_BYTES = 700;

/**
 * What the last transactions left of the ids that they named: a task is acquired soon after its creation, and fulfilled soon
 * after that, and then need not be read and decoded again. For transactions alone: they make sure that nobody else has written.
 *
 * Two generations: what is remembered goes into the young one; when that is full it becomes the old one, and what was old is
 * forgotten.
 */
export class EntryCache {
  #young = new Map<string, CachedEntry>();
  #old = new Map<string, CachedEntry>();
  #youngBytes = 0;

  get(id: string): CachedEntry | undefined {
    return this.#young.get(id) ?? this.#old.get(id);
  }

  /** Takes what a transaction that is durable has read or written. */
  remember(id: string, { number, promise, task }: CachedEntry): void {
    const bytes = ENTRY_BYTES + (promise.promise === undefined ? 0 : bytesOf(promise.promise));
    if (bytes > MAX_ENTRY_BYTES) {
      this.#young.delete(id);
      this.#old.delete(id);
      return;
    }
    this.#young.set(id, { number, promise: withOwnData(promise), task });
    this.#youngBytes += bytes;
    if (this.#youngBytes < GENERATION_BYTES) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngBytes = 0;
  }
}

function bytesOf({ id, param, value, tags }: PromiseObject): number {
  let bytes = 2 * id.length + mapBytes(tags);
  for (const { headers, data } of [param, value]) bytes += mapBytes(headers) + (data?.length ?? 0);
  return bytes;
}

function mapBytes(map: ReadonlyMap<string, string>): number {
  let bytes = 0;
  for (const [key, value] of map) bytes += 2 * (key.length + value.length) + 64;
  return bytes;
}

/** Data is often a view of a whole request, which the cache must not keep. */
function withOwnData(entry: PromiseEntry): PromiseEntry {
  const { promise } = entry;
  if (promise === undefined || (isOwn(promise.param) && isOwn(promise.value))) return entry;
  return { ...entry, promise: { ...promise, param: own(promise.param), value: own(promise.value) } };
}

function isOwn({ data }: Value): boolean {
  return data === undefined || data.byteLength === data.buffer.byteLength;
}

function own(value: Value): Value {
  return isOwn(value) ? value : { headers: value.headers, data: value.data && new Uint8Array(value.data) };
}
