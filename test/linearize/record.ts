/** Records what concurrent clients see of a real server, over real sockets, with its own clock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../support/random.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { Connection, type Loss } from './connection.js';
import type { Call } from './history.js';
import { Load } from './load.js';

export interface RecordOptions {
  readonly clients: number;
  readonly ops: number;
  readonly seed: number;
}

/** No lease is lost in this time after a start, in ms: the first calls are spread over it, so that the others see leases lost. */
const LEASE_GRACE = 10_000;
/** The part of the calls that is made in the grace. */
const IN_GRACE = 0.3;
/** So many clients, in the mean, share a family of ids. */
const CLIENTS_PER_FAMILY = 6;
/** Of a hundred answers, how many are lost, and within how many ms. */
const LOST = 1;
const LOST_WITHIN = 4;

/** In the order of the calls. Rejects if a call fails in a way that the protocol does not know. */
export async function record({ clients, ops, seed }: RecordOptions): Promise<readonly Call[]> {
  const server = await ServerProcess.start({ flags: ['--debug'] });
  try {
    return await load(server.address, { clients, ops, seed });
  } finally {
    await server.kill();
    removeDirectory(server.data);
  }
}

async function load(address: string, { clients, ops, seed }: RecordOptions): Promise<readonly Call[]> {
  const random = new Random(seed);
  const load = new Load(random, Math.max(1, Math.round(clients / CLIENTS_PER_FAMILY)));
  const calls: Call[] = [];
  const graceEnds = performance.now() + LEASE_GRACE;
  const pause = (2 * LEASE_GRACE * clients) / (ops * IN_GRACE);
  let left = ops;

  const live = async (client: number): Promise<void> => {
    const connection = new Connection(address);
    try {
      while (left-- > 0) {
        const inGrace = performance.now() < graceEnds && left > ops * (1 - IN_GRACE);
        await sleep(random.next() * (inGrace ? pause : 2));
        const { operation, learn } = load.next(`pid-${client}`, Date.now());
        const calledAt = performance.now();
        const place = calls.push({ client, operation, calledAt }) - 1;
        const received = await connection.call(operation, lossOf(random));
        if (received === undefined) continue;
        calls[place] = { client, operation, calledAt, answer: { returnedAt: performance.now(), ...received } };
        learn(received.response);
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => live(client)));
  return calls;
}

function lossOf(random: Random): Loss | undefined {
  if (random.below(100) >= LOST) return undefined;
  return { by: random.pick(['deadline', 'cancel']), afterMs: random.below(LOST_WITHIN) };
}
