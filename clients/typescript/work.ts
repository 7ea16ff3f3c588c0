import type { PromiseSpec } from './gen/resonate_grpc/v1/promise.js';
import { toValue } from './value.js';

/** Work to be done: a promise, and with a target the task that fulfils it. */
export interface WorkSpec {
  /** Its id, and idempotency key: 1 to 512 bytes. */
  readonly id: string;
  /** The address that gets the task, such as `any@group`. Absent: no task; somebody settles the promise by its id. */
  readonly target?: string | undefined;
  /** The input: JSON, or a `Value` as it is. */
  readonly param?: unknown;
  /** How long it may take, in ms from now by this machine's clock. */
  readonly timeoutMs?: number | undefined;
  /** Instead of `timeoutMs`: the deadline, in ms since the Unix epoch. */
  readonly timeoutAtMs?: number | undefined;
  /** More tags. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** The proto's form of it. `fallbackAtMs` is the deadline if the spec has none. Throws a TypeError without any. */
export function toPromiseSpec(work: WorkSpec, fallbackAtMs?: number): PromiseSpec {
  const timeoutAtMs = work.timeoutAtMs ?? (work.timeoutMs === undefined ? fallbackAtMs : fromNow(work.timeoutMs));
  if (timeoutAtMs === undefined) throw new TypeError('work needs timeoutMs or timeoutAtMs');
  const tags = new Map(Object.entries(work.tags ?? {}));
  if (work.target !== undefined) tags.set('resonate:target', work.target);
  return { id: work.id, timeoutAtMs, param: toValue(work.param), tags };
}

function fromNow(ms: number): number {
  return Math.min(Math.ceil(Date.now() + ms), Number.MAX_SAFE_INTEGER);
}
