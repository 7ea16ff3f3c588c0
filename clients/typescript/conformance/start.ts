/** The worker of the conformance test, from its environment to its end: see test/conformance/README.md. */
import { Code, ResonateError, Worker, type Log, type WorkerOptions } from '../index.js';
import { handlers } from './handlers.js';
import { reported, reportedUnblocks, say } from './report.js';

/** Runs it until it has stopped. `change` makes another worker of it. */
export async function start(change = (options: WorkerOptions): WorkerOptions => options): Promise<void> {
  const pid = variable('RESONATE_PID');
  const byTag = handlers(pid);
  const options = change({
    address: variable('RESONATE_ADDRESS'),
    group: variable('RESONATE_GROUP'),
    pid,
    maxInFlight: Number(variable('RESONATE_MAX_IN_FLIGHT')),
    ttl: Number(variable('RESONATE_TTL_MS')),
    handler: (context) => {
      const what = context.promise.tags.get('conformance:do') ?? '';
      const handler = byTag.get(what);
      if (!handler) throw new Error(`there is no handler ${what}`);
      return handler(context);
    },
    onUnblock: reportedUnblocks(),
    log,
  });
  const worker = new Worker({ ...options, handler: reported(options.handler) });
  worker.drainOnSignals(['SIGTERM', 'SIGINT'], { graceMs: Number(variable('RESONATE_GRACE_MS')) });
  try {
    await worker.start();
    await worker.done;
    say('stopped');
  } catch (error) {
    say(`fatal ${error instanceof ResonateError ? (error.reason ?? Code[error.code]) : String(error)}`);
    process.exitCode = 1;
  }
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

const toStderr = (fields: object, message: string): void => console.error(message, fields);

const log: Log = {
  debug: toStderr,
  info: (fields, message) => {
    if (message === 'worker connected') say('ready');
    toStderr(fields, message);
  },
  warn: toStderr,
  error: toStderr,
};
