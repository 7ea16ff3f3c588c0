/**
 * The store under the real handlers, beside LMDB alone putting and removing the same rows in transactions of the same size.
 * Both in this process, in turns, so that what else the machine does meets both.
 */
import { randomUUID } from 'node:crypto';
import { open } from 'lmdb';
import { execute, type Operation, type OperationName } from '../../src/protocol/operations.js';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import { Rows } from '../../src/store/lmdb/rows.js';
import { nextCron } from '../../src/engine/cron.js';
import { percentile } from './load.js';
import { removeDirectory, temporaryDirectory } from '../support/server-process.js';

const HOUR = 3_600_000;
const VALUE = { headers: new Map([['content-type', 'application/json']]), data: Buffer.alloc(100, 'x') };

/** One kind of operation. */
export interface CommitCost {
  readonly operation: string;
  /** Operations a second of the store under the handlers, and of LMDB alone. */
  readonly handlers: number;
  readonly alone: number;
  /** The median of a transaction of LMDB alone, in µs. */
  readonly commitP50: number;
  /** An operation's rows that were put or removed, and the bytes of their keys and values. */
  readonly rows: number;
  readonly bytes: number;
}

/** A put, or a removal if there is no value. */
interface Step {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

export interface CommitPathOptions {
  /** How many lives pass before they count, and how many are measured. */
  readonly warmUp: number;
  readonly lives: number;
  /** How many operations share a transaction. */
  readonly batch: number;
}

/** Times in ms. */
interface Total {
  count: number;
  handlers: number;
  /** Of LMDB alone, each. */
  commits: number[];
  rows: number;
  bytes: number;
}

/** Measures whole lives of tasks: so many are created in one transaction, acquired in the next, fulfilled in a third. */
export function commitPath({ warmUp, lives, batch }: CommitPathOptions): CommitCost[] {
  const directories = [temporaryDirectory(), temporaryDirectory()] as const;
  const store = openLmdbStore({ path: directories[0], config: { retryTimeout: 5_000, nextCron } });
  const alone = open<Buffer, Buffer>({
    path: directories[1],
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
  });
  const recorded = recordSteps();
  const totals = new Map<string, Total>();
  let now = 1_700_000_000_000;

  const run = (operations: readonly Operation[]): void => {
    const startedAt = performance.now();
    store.transact((tx) => operations.map((operation) => execute(tx, operation, now)));
    const handlers = performance.now() - startedAt;
    const steps = recorded.take();
    const replayedAt = performance.now();
    alone.transactionSync(() => {
      for (const { key, value } of steps) {
        if (value === undefined) alone.removeSync(key);
        else alone.putSync(key, value);
      }
    });
    const total = totals.get(operations[0]!.name) ?? { count: 0, handlers: 0, commits: [], rows: 0, bytes: 0 };
    total.count += operations.length;
    total.handlers += handlers;
    total.commits.push(performance.now() - replayedAt);
    total.rows += steps.length;
    for (const { key, value } of steps) total.bytes += key.length + (value?.length ?? 0);
    totals.set(operations[0]!.name, total);
  };

  try {
    for (let life = 0; life < warmUp + lives; life += batch) {
      if (life >= warmUp && life - batch < warmUp) totals.clear();
      now++;
      const ids = Array.from({ length: batch }, () => randomUUID());
      for (const step of LIFE) run(ids.map((id) => step(id, now)));
    }
  } finally {
    recorded.stop();
    void store.close();
    void alone.close();
    for (const directory of directories) removeDirectory(directory);
  }
  return [...totals].map(([operation, { count, handlers, commits, rows, bytes }]) => ({
    operation,
    handlers: (count / handlers) * 1_000,
    alone: (count / commits.reduce((sum, took) => sum + took, 0)) * 1_000,
    commitP50:
      1_000 *
      percentile(
        commits.sort((a, b) => a - b),
        0.5,
      ),
    rows: rows / count,
    bytes: bytes / count,
  }));
}

function operation<N extends OperationName>(operation: Operation<N>): Operation {
  return operation;
}

/** What happens to a task, from its creation to its end. */
const LIFE: readonly ((id: string, now: number) => Operation)[] = [
  (id, now) => {
    const tags = new Map([['resonate:target', 'any@bench']]);
    return operation({ name: 'promise.create', request: { id, timeoutAt: now + HOUR, param: VALUE, tags } });
  },
  (id) => operation({ name: 'task.acquire', request: { id, version: 0, pid: 'bench', ttl: 60_000 } }),
  (id) => operation({ name: 'task.fulfill', request: { id, version: 1, state: 'resolved', value: VALUE } }),
];

/** Notes what the store has LMDB do. */
function recordSteps(): { readonly take: () => Step[]; readonly stop: () => void } {
  let steps: Step[] = [];
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with their own `this` below
  const { put, remove } = Rows.prototype;
  Rows.prototype.put = function (key, value) {
    steps.push({ key, value });
    return put.call(this, key, value);
  };
  Rows.prototype.remove = function (key) {
    steps.push({ key, value: undefined });
    return remove.call(this, key);
  };
  return {
    take: () => {
      const taken = steps;
      steps = [];
      return taken;
    },
    stop: () => {
      Rows.prototype.put = put;
      Rows.prototype.remove = remove;
    },
  };
}
