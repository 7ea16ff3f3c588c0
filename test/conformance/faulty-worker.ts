/** `faulty-worker.js FAULT`: the TypeScript worker, with something wrong that a scenario must find. */
import { say } from '../../clients/typescript/conformance/report.js';
import { start } from '../../clients/typescript/conformance/start.js';
import type { WorkerOptions } from '../../clients/typescript/index.js';

export type Fault = keyof typeof FAULTS;

const FAULTS = {
  'dies at once': () => process.exit(5),
  'forgets headers': () =>
    start((options) => ({
      ...options,
      handler: async (context) => {
        const result = (await options.handler(context)) as object;
        return { ...result, headers: new Map() };
      },
    })),
  'answers for its children': () =>
    start((options) => ({
      ...options,
      handler: (context) =>
        context.promise.tags.get('conformance:do') === 'fan-out' ? 'done' : options.handler(context),
    })),
  'takes what it can get': () => start((options) => ({ ...options, maxInFlight: 100 })),
  'acknowledges before it has handled': () =>
    start((options) => ({ ...options, onUnblock: (...unblock) => void attempt(options.onUnblock, ...unblock) })),
  'deserts on SIGTERM': () => {
    process.on('SIGTERM', () => {
      say('stopped');
      process.exit(0);
    });
    return start();
  },
  'ends well whatever happens': () => {
    process.on('exit', () => (process.exitCode = 0));
    return start();
  },
};

function attempt(
  onUnblock: WorkerOptions['onUnblock'],
  ...unblock: Parameters<NonNullable<WorkerOptions['onUnblock']>>
): void {
  try {
    onUnblock?.(...unblock);
  } catch {
    // As if nothing had happened.
  }
}

// Only as a command: the tests import its type.
const fault = process.argv[2] as Fault;
await FAULTS[fault]();
