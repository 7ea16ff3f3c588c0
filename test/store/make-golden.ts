/**
 * Makes the golden data directory of a format version: every kind of row, in every state, made by the protocol's own
 * operations. Run once per version, and never again: later servers must open what this one wrote.
 *
 *     npm run build && node dist/test/store/make-golden.js test/store/golden/v2 && npm run format
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promiseTimeout, scheduleTimeout, taskLease } from '../../src/protocol/actions/02-timeouts.js';
import { DELAY_TAG, TARGET_TAG, TIMER_TAG, type Value } from '../../src/protocol/objects.js';
import { execute, type Operation } from '../../src/protocol/operations.js';
import { isRefusal } from '../../src/protocol/outcome.js';
import type { PromiseSpec } from '../../src/protocol/requests.js';
import { openLmdbStore } from '../../src/store/lmdb/store.js';
import type { StoreTx } from '../../src/store/store.js';
import { config } from './samples.js';
import { storeJson } from './store-json.js';

const NOW = 1_700_000_000_000;
const LATER = NOW + 1_000_000;
const HOUR = 3_600_000;
const NOTHING: Value = { headers: new Map() };
const LONGEST_ID = 'ü'.repeat(256);

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('name the directory to make');
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
const nextCron = (_cron: string, after: number): number => after + HOUR - (after % HOUR);
const store = openLmdbStore({ path: directory, config: { ...config, nextCron } });

let now = NOW;

/** Each operation is a transaction of its own, a millisecond after the one before. */
function run(operation: Operation): void {
  now++;
  const outcome = store.transact((tx) => execute(tx, operation, now)).result;
  if (isRefusal(outcome)) throw new Error(`${operation.name}: ${outcome.message}`);
}

function fire(work: (tx: StoreTx) => unknown): void {
  store.transact(work);
}

function spec(id: string, tags: Record<string, string> = {}, fields: Partial<PromiseSpec> = {}): PromiseSpec {
  return { id, timeoutAt: LATER, param: NOTHING, tags: new Map(Object.entries(tags)), ...fields };
}

function create(id: string, tags: Record<string, string> = {}, fields: Partial<PromiseSpec> = {}): void {
  run({ name: 'promise.create', request: spec(id, tags, fields) });
}

function acquire(id: string, version = 0): void {
  run({ name: 'task.acquire', request: { id, version, pid: 'worker-1', ttl: 60_000 } });
}

function settle(id: string, state: 'resolved' | 'rejected' | 'rejected_canceled', value: Value = NOTHING): void {
  run({ name: 'promise.settle', request: { id, state, value } });
}

const target = { [TARGET_TAG]: 'any@group' };

// Promises in every state; payloads absent, empty, small, and larger than a page.
const headers = new Map([
  ['__proto__', 'kept'],
  ['content-type', 'text/plain'],
]);
create('promise.pending');
create('promise.pending.payload', {}, { param: { headers, data: Buffer.from('small') }, tags: headers });
create('promise.pending.large', {}, { param: { headers: new Map(), data: new Uint8Array(20_000).fill(0xab) } });
create('promise.timer', { [TIMER_TAG]: 'true' });
create('promise.far', { [TIMER_TAG]: 'true' }, { timeoutAt: Number.MAX_SAFE_INTEGER });
create(LONGEST_ID, { [TARGET_TAG]: `uni@${'g'.repeat(250)}/${'p'.repeat(250)}` });
create('promise.born.settled', target, { timeoutAt: NOW - 1 });
for (const state of ['resolved', 'rejected', 'rejected_canceled'] as const) {
  create(`promise.${state}`);
  settle(`promise.${state}`, state, { headers, data: new Uint8Array() });
}
create('promise.timedout', { [TIMER_TAG]: 'false', ...target }, { timeoutAt: NOW + 50 });
fire((tx) => promiseTimeout(tx, 'promise.timedout', NOW + 100));
now = NOW + 100;

// Tasks in every state, and every kind of address.
create('task.pending', target);
create('task.pending.preferred', { [TARGET_TAG]: 'grpc://any@group/worker-1' });
create('task.pending.uni', { [TARGET_TAG]: 'uni@group/worker-1' });
create('task.pending.group', { [TARGET_TAG]: 'a group' });
create('task.pending.nobody', { [TARGET_TAG]: '' });
create('task.delayed', { ...target, [DELAY_TAG]: String(NOW + HOUR) });
create('task.acquired', target);
acquire('task.acquired');
run({ name: 'task.create', request: { pid: 'worker-2', ttl: 30_000, promise: spec('task.acquired.untargeted') } });
create('task.released', target);
acquire('task.released');
run({ name: 'task.release', request: { id: 'task.released', version: 1 } });
create('task.lost', target);
acquire('task.lost');
now += 60_000;
fire((tx) => taskLease(tx, 'task.lost', now));
create('task.halted', target);
run({ name: 'task.halt', request: { id: 'task.halted' } });
create('task.fulfilled', target);
acquire('task.fulfilled');
run({ name: 'task.fulfill', request: { id: 'task.fulfilled', version: 1, state: 'resolved', value: NOTHING } });

// Waiting: callbacks, listeners, resumes, unblocks.
for (const id of ['awaited.1', 'awaited.2', 'awaited.3']) create(id);
create('awaiter.suspended', target);
acquire('awaiter.suspended');
run({
  name: 'task.suspend',
  request: { id: 'awaiter.suspended', version: 1, awaitedIds: ['awaited.1', 'awaited.2', 'promise.timer'] },
});
create('awaiter.resumed', target);
acquire('awaiter.resumed');
run({
  name: 'task.suspend',
  request: { id: 'awaiter.resumed', version: 1, awaitedIds: ['awaited.3', 'awaited.2', 'awaited.1'] },
});
for (const awaiterId of ['task.acquired', 'task.halted', 'task.pending']) {
  run({ name: 'promise.register_callback', request: { awaitedId: 'awaited.3', awaiterId } });
}
for (const address of ['any@callers', 'uni@callers/1', 'any@callers']) {
  run({ name: 'promise.register_listener', request: { awaitedId: 'awaited.3', address } });
  run({ name: 'promise.register_listener', request: { awaitedId: 'awaited.1', address } });
}
settle('awaited.3', 'resolved', { headers: new Map(), data: Buffer.from('outcome') });
create('acknowledged');
run({ name: 'promise.register_listener', request: { awaitedId: 'acknowledged', address: 'any@callers' } });
settle('acknowledged', 'rejected');
fire((tx) => tx.deleteUnblock('acknowledged', 'any@callers'));

// Schedules: before and after their first run, and a deleted one.
for (const id of ['schedule.new', 'schedule.run', 'schedule.deleted']) {
  const promiseId = '{{.id}}/{{.timestamp}}';
  const template = {
    promiseId,
    promiseTimeout: 60_000,
    promiseParam: NOTHING,
    promiseTags: new Map(Object.entries(target)),
  };
  run({ name: 'schedule.create', request: { id, cron: '0 * * * *', ...template } });
}
run({ name: 'schedule.delete', request: { id: 'schedule.deleted' } });
fire((tx) => scheduleTimeout(tx, 'schedule.run', NOW + 2 * HOUR, 1));
fire((tx) => tx.setClockMark(now + 1000));

writeFileSync(join(directory, 'expected.json'), `${JSON.stringify(storeJson(store), null, 2)}\n`);
await store.close();
rmSync(join(directory, 'lock.mdb'));
