/** Values and tags come and go as they are: absent, empty, binary, the largest, and with keys that trip libraries up. */
import { expect } from 'chai';
import { PromiseCreateRequest, type PromiseSpec } from '../../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { PromiseState, type Value } from '../../../clients/typescript/index.js';
import { inAnHour } from '../../support/stubs.js';
import type { Scene } from '../scene.js';
import type { WorkerProcess } from '../worker-process.js';
import type { Scenario } from './scenario.js';

/** The server's default. */
const MAX_REQUEST_BYTES = 1_048_576;
const MAX_ID_BYTES = 512;

const KEYS: readonly (readonly [string, string])[] = [
  ['__proto__', 'polluted'],
  ['constructor', ''],
  ['', 'of the empty key'],
  ['naïve 🦆', 'Grüße, 世界'],
  // By UTF-16 these two come in the other order.
  ['\uff61', 'half width'],
  ['\u{1f986}', 'duck'],
];

const PARAMS: readonly (readonly [string, Value])[] = [
  ['absent', { headers: new Map(), data: undefined }],
  ['empty', { headers: new Map(), data: Buffer.alloc(0) }],
  ['every-byte', { headers: new Map(), data: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)) }],
  ['headers', { headers: new Map(KEYS), data: Buffer.from('x') }],
  ['headers-alone', { headers: new Map(KEYS), data: undefined }],
];

/** Values, ids and tags of all kinds. */
export const values: Scenario = {
  name: 'values',
  async play(scene) {
    const worker = await scene.worker('worker');
    await Promise.all([...PARAMS.map(([name, param]) => echo(scene, name, param)), longId(scene), tags(scene)]);
    await largest(scene, worker);
  },
};

async function echo(scene: Scene, name: string, param: Value): Promise<void> {
  const id = await scene.create(name, { do: 'echo', param });
  const { state, value } = await scene.outcome(id);
  expect({ state, value: plain(value) }, id).to.deep.equal({
    state: PromiseState.PROMISE_STATE_RESOLVED,
    value: plain(param),
  });
}

/** The longest id, with more bytes than characters. */
async function longId(scene: Scene): Promise<void> {
  const id = scene.id('ü').padEnd(MAX_ID_BYTES - 1, 'x');
  await scene.create(id.slice(scene.id('').length), { do: 'echo', param: 'long' });
  await scene.resolved(id, 'long');
}

async function tags(scene: Scene): Promise<void> {
  const id = await scene.create('tags', { do: 'tags', tags: new Map(KEYS) });
  const all = [...KEYS, ['conformance:do', 'tags'] as const, ['resonate:target', `any@${scene.group}`] as const];
  const lines = all
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, value]) => `${key}=${value}`);
  await scene.resolved(id, lines.join('\n'));
}

/** The largest param that a request can hold is echoed; and its unblock, which has it twice, is heard. */
async function largest(scene: Scene, listener: WorkerProcess): Promise<void> {
  const group = scene.id('large');
  const address = `uni@${scene.group}/${listener.pid}`;
  const promise = largestEcho(scene.id('largest'), `any@${group}`);
  await scene.client.promiseCreate({ promise });
  await scene.client.promiseRegisterListener({ awaitedId: promise.id, address });
  await scene.worker('large-worker', { group });
  const { state, value } = await scene.outcome(promise.id);
  expect(state, promise.id).to.equal(PromiseState.PROMISE_STATE_RESOLVED);
  expect(Buffer.compare(value!.data!, promise.param!.data!), 'the largest data').to.equal(0);
  await listener.said(`unblocked ${promise.id} ${address}`);
}

function largestEcho(id: string, target: string): PromiseSpec {
  const tags = new Map([
    ['conformance:do', 'echo'],
    ['resonate:target', target],
  ]);
  const spec = (length: number): PromiseSpec => {
    const param = { headers: new Map<string, string>(), data: Buffer.alloc(length, 'largest') };
    return { id, timeoutAtMs: inAnHour(), param, tags };
  };
  const sizeOf = (promise: PromiseSpec): number => PromiseCreateRequest.encode({ promise }).finish().length;
  const over = sizeOf(spec(MAX_REQUEST_BYTES)) - MAX_REQUEST_BYTES;
  const largest = spec(MAX_REQUEST_BYTES - over);
  expect(sizeOf(largest), 'the size of the largest request').to.equal(MAX_REQUEST_BYTES);
  return largest;
}

/** For comparison: the order of a map means nothing, and bytes read better as hex. */
function plain(value: Value | undefined): { headers: [string, string][]; data: string | undefined } {
  const headers = [...(value?.headers ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  return { headers, data: value?.data && Buffer.from(value.data).toString('hex') };
}
