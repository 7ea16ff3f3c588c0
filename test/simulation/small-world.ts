/** A few steps over two ids and three instants: few enough to try every sequence of them. */
import type { Request } from '../model/operations.js';
import type { Pairs, Value } from '../model/state.js';
import { START, type Step } from './script.js';

const TTL = 10;
/** When a lease from the start and the deadline of `b` are due. */
const SOON = START + TTL;
/** When a retry from the start and the deadline of `a` are due. */
const LATE = START + 5000;

const TARGETED: Pairs = [['resonate:target', 'g']];
const EMPTY: Value = { headers: [] };
const a = { id: 'a', timeoutAt: LATE, param: EMPTY, tags: TARGETED };
const plainB = { id: 'b', timeoutAt: SOON, param: EMPTY, tags: [] };
const targetedB = { ...plainB, tags: TARGETED };
const settleB = { id: 'b', state: 'resolved', value: EMPTY } as const;
const heldA = { id: 'a', version: 1 };
const holder = { pid: 'p', ttl: TTL };

const REQUESTS: readonly Request[] = [
  { name: 'promise.create', request: a },
  { name: 'promise.create', request: plainB },
  { name: 'promise.create', request: targetedB },
  { name: 'promise.get', request: { id: 'a' } },
  { name: 'promise.settle', request: settleB },
  { name: 'promise.settle', request: { ...settleB, id: 'a', state: 'rejected' } },
  { name: 'promise.register_callback', request: { awaited: 'b', awaiter: 'a' } },
  { name: 'promise.register_callback', request: { awaited: 'a', awaiter: 'a' } },
  { name: 'promise.register_listener', request: { awaited: 'b', address: 'l' } },
  { name: 'task.get', request: { id: 'a' } },
  { name: 'task.create', request: { ...holder, action: a } },
  { name: 'task.create', request: { ...holder, action: plainB } },
  { name: 'task.acquire', request: { id: 'a', version: 0, ...holder } },
  { name: 'task.acquire', request: { ...heldA, ...holder } },
  { name: 'task.acquire', request: { id: 'b', version: 0, ...holder } },
  { name: 'task.fence', request: { ...heldA, action: { kind: 'settle', promise: settleB } } },
  { name: 'task.fence', request: { ...heldA, action: { kind: 'create', promise: targetedB } } },
  { name: 'task.heartbeat', request: { pid: 'p', tasks: [heldA] } },
  { name: 'task.suspend', request: { ...heldA, awaited: ['b'] } },
  { name: 'task.suspend', request: { id: 'b', version: 1, awaited: ['a'] } },
  { name: 'task.fulfill', request: { ...heldA, state: 'resolved', value: EMPTY } },
  { name: 'task.release', request: heldA },
  { name: 'task.halt', request: { id: 'a' } },
  { name: 'task.continue', request: { id: 'a' } },
];

export const SMALL_WORLD: readonly Step[] = [
  ...REQUESTS.map((operation): Step => ({ do: 'request', operation })),
  { do: 'clock', to: SOON },
  { do: 'clock', to: LATE },
  { do: 'sweep' },
  { do: 'fire', kind: 'lease', id: 'a', limit: 1 },
  { do: 'acknowledge', promiseId: 'b', address: 'l' },
];
