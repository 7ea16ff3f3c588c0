/** The state that every request meets, and requests that would change it. */
import type { TestServer } from '../e2e/fixture.js';
import { encode, VALID, type Fields } from '../e2e/requests.js';
import { RPCS, type Rpc } from '../e2e/fixture.js';

/** The promises, tasks and the schedule that are there. */
export const IDS = ['pending', 'settled', 'task', 'acquired', 'suspended', 'halted', 'schedule'] as const;

const TARGET = { 'resonate:target': 'uni@nobody/x' };

/** A promise in each state, a task in each state, a schedule, and an unblock that nobody is there for. */
export async function arrange(server: TestServer): Promise<void> {
  const { client } = server;
  const acquire = async (id: string): Promise<void> => {
    await server.create(id, TARGET);
    await client.taskAcquire({ id, version: 0, pid: 'pid', ttlMs: 1_000 });
  };
  const schedule = { id: 'schedule', cron: '0 0 1 1 *', promiseId: '{{.id}}.{{.timestamp}}', promiseTimeoutMs: 1 };
  await Promise.all([
    ...[server.create('pending'), server.create('settled'), server.create('task', TARGET)],
    ...['acquired', 'suspended', 'halted'].map(acquire),
    client.scheduleCreate({ schedule }),
  ]);
  await client.promiseRegisterListener({ awaitedId: 'settled', address: 'uni@nobody/x' });
  await Promise.all([
    server.settle('settled'),
    client.taskSuspend({ id: 'suspended', version: 1, awaitedIds: ['pending'] }),
    client.taskHalt({ id: 'halted' }),
  ]);
}

const HELD = { id: 'acquired', version: 1 };
const state = 1;

/** A request for every rpc that, sent as it is, succeeds. */
const SUCCESSFUL: Readonly<Partial<Record<Rpc, Fields>>> = {
  promiseGet: { id: 'pending' },
  promiseSettle: {
    settlement: { id: 'pending', state, value: { headers: new Map([['k', 'v']]), data: Buffer.of(1) } },
  },
  promiseRegisterCallback: { awaitedId: 'pending', awaiterId: 'task' },
  promiseRegisterListener: { awaitedId: 'pending', address: 'uni@nobody/y' },
  promiseWait: { id: 'settled' },
  taskGet: { id: 'task' },
  taskCreate: { pid: 'pid', ttlMs: 1, promise: { id: 'task', timeoutAtMs: 9_000_000_000_000 } },
  taskAcquire: { id: 'task', version: 0, pid: 'pid', ttlMs: 1 },
  taskFence: { ...HELD, action: { $case: 'settle', value: { id: 'pending', state } } },
  taskHeartbeat: { pid: 'pid', tasks: [HELD, { id: 'task', version: 0 }] },
  taskSuspend: { ...HELD, awaitedIds: ['pending', 'task'] },
  taskFulfill: { ...HELD, state, value: { data: Buffer.of(1) } },
  taskRelease: HELD,
  taskHalt: { id: 'task' },
  taskContinue: { id: 'halted' },
  scheduleGet: { id: 'schedule' },
  scheduleDelete: { id: 'schedule' },
  dispatchAcknowledge: { unblocks: [{ promiseId: 'settled', address: 'uni@nobody/x' }] },
};

/** Sound requests to an rpc, by its name. */
export function soundRequests(name: string): Uint8Array[] {
  const rpc = RPCS.find((each) => each === name);
  if (rpc === undefined) return [Buffer.of(), Buffer.from('088080808080a001', 'hex')];
  return [VALID[rpc], ...(rpc in SUCCESSFUL ? [SUCCESSFUL[rpc]!] : [])].map((fields) => encode(rpc, fields));
}
