import type { Store } from '../../src/store/store.js';
import { plain } from './plain.js';

/** All that can be seen of a store from outside, as JSON: maps as lists of pairs, bytes in base64. */
export function storeJson(store: Store): unknown {
  const all = plain({
    snapshot: store.snapshot(),
    timeouts: (['schedule', 'promise', 'task'] as const).flatMap((kind) =>
      store.dueTimeouts(kind, Number.MAX_SAFE_INTEGER, Infinity),
    ),
    heldTasks: [...store.heldTasks()],
    clockMark: store.transact((tx) => tx.getClockMark()).result,
  });
  return JSON.parse(JSON.stringify(all, toJson)) as unknown;
}

function toJson(_key: string, value: unknown): unknown {
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  return value;
}
