/** Refusals that no sequence of calls leads to: the data was damaged, or written by a server with a fault. */
import { Code } from '../../clients/typescript/index.js';
import type { PromiseObject, TaskState } from '../../src/protocol/objects.js';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import { temporaryDirectory } from '../support/server-process.js';
import { aborted, notFound, TestServer, type Refused } from './fixture.js';

const CONFIG = { retryTimeout: 5_000, nextCron: () => undefined };

describe('e2e: refusals over faulty records', () => {
  let server: TestServer;

  before(async () => {
    const data = temporaryDirectory();
    const store = openLmdbStore({ path: data, config: CONFIG });
    store.transact((tx) => {
      const promise = (id: string, fields: Partial<PromiseObject>) => {
        const empty = { headers: new Map<string, string>() };
        const tags = new Map([['resonate:target', 'worker']]);
        const times = { timeoutAt: 9_000_000_000_000, createdAt: 1, timeoutArmed: false };
        tx.setPromise({ id, state: 'pending', param: empty, value: empty, tags, ...times, ...fields });
      };
      const task = (id: string, state: TaskState) => {
        const held = state === 'acquired' ? { pid: 'pid', ttl: 9_000_000_000_000 } : {};
        tx.setTask({ id, state, version: 1, resumes: 0, ...held });
      };
      promise('without task', {});
      for (const state of ['pending', 'acquired', 'halted'] as const) {
        task(`orphan ${state}`, state);
        promise(`late ${state}`, { timeoutAt: 2 });
        task(`late ${state}`, state);
      }
    });
    await store.close();
    server = await TestServer.start({ data });
  });
  after(() => server.end());

  const acquire = (id: string) => server.client.taskAcquire({ id, version: 1, pid: 'pid', ttlMs: 1 });
  const release = (id: string) => server.client.taskRelease({ id, version: 1 });
  const held = (id: string) => ({ id, task_state: 'acquired', task_version: '1', task_pid: 'pid' });
  const pending = (id: string) => ({ id, task_state: 'pending', task_version: '1' });

  const cases: readonly (readonly [what: string, call: () => Promise<unknown>, refused: Refused])[] = [
    [
      'TaskGet: 404 of the promise',
      () => server.client.taskGet({ id: 'orphan pending' }),
      notFound('PROMISE_NOT_FOUND', 'orphan pending'),
    ],
    [
      'TaskCreate: 409 without the task',
      () => server.client.taskCreate({ pid: 'pid', ttlMs: 1, promise: { id: 'without task' } }),
      aborted('TASK_MISSING', { id: 'without task' }),
    ],
    [
      'TaskAcquire: 409 without the promise',
      () => acquire('orphan pending'),
      aborted('PROMISE_MISSING', pending('orphan pending')),
    ],
    [
      'TaskAcquire: 409 past the deadline',
      () => acquire('late pending'),
      aborted('PROMISE_NOT_LIVE', pending('late pending')),
    ],
    [
      'TaskRelease: 409 without the promise',
      () => release('orphan acquired'),
      aborted('PROMISE_MISSING', held('orphan acquired')),
    ],
    [
      'TaskRelease: 409 past the deadline',
      () => release('late acquired'),
      aborted('PROMISE_NOT_LIVE', held('late acquired')),
    ],
    [
      'TaskContinue: 404 of the promise',
      () => server.client.taskContinue({ id: 'orphan halted' }),
      { code: Code.NOT_FOUND, reason: 'PROMISE_NOT_FOUND', status: 404, metadata: { id: 'orphan halted' } },
    ],
  ];
  for (const [what, call, refused] of cases) it(what, async () => void (await server.refuses(call, refused)));
});
