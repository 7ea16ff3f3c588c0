/**
 * A worker process whose handler does what its parent says: `worker-process.js address group pid max_in_flight`. It says
 * `holding ID VERSION`, and then waits for a line: `finish` has every task fulfilled with its version; `write` has every one
 * fulfilled past the runtime, on the bare client, and says what the server answered.
 */
import { createInterface } from 'node:readline';
import {
  ResonateClient,
  ResonateError,
  SettleState,
  Worker,
  type TaskContext,
} from '../../clients/typescript/index.js';

const [address, group, pid, maxInFlight] = process.argv.slice(2) as [string, string, string, string];
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const log = (_fields: object, message: string): boolean => say(message);

const client = new ResonateClient({ address });
const finishing = new Set<() => void>();
const held = new Set<TaskContext['task']>();

async function write(): Promise<void> {
  for (const task of held) {
    try {
      await client.taskFulfill({ ...task, state: SettleState.SETTLE_STATE_RESOLVED });
      say('written');
    } catch (error) {
      say(`refused ${error instanceof ResonateError ? error.reason : String(error)}`);
    }
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'finish') for (const finish of finishing) finish();
  else void write();
});

const worker = new Worker({
  client,
  group,
  pid,
  maxInFlight: Number(maxInFlight),
  log: { debug: log, info: log, warn: log, error: log },
  handler: async ({ task }) => {
    const finished = new Promise<void>((finish) => finishing.add(finish));
    held.add(task);
    say(`holding ${task.id} ${task.version}`);
    await finished;
    return task.version;
  },
});
worker.drainOnSignals();
await worker.start();
await worker.done;
process.exit(0);
