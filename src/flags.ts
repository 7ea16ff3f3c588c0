/** The command line and the environment of the server: one table, and a typo is an error. */
import { Command, InvalidArgumentError, Option } from 'commander';

export interface Flags {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  readonly insecure: boolean;
  readonly maxRequestBytes: number;
  readonly maxInFlight: number;
  readonly retryTimeoutMs: number;
  readonly unblockRetentionMs: number;
  readonly pingIntervalMs: number;
  readonly drainMs: number;
  readonly logLevel: string;
  readonly allowClockLead: boolean;
  readonly debug: boolean;
}

const PREFIX = 'RESONATE_GRPC_';
const DAY = 86_400_000;

/** A whole number within limits, or a clear error. */
function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^[0-9]+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

function option(flags: string, variable: string, description: string): Option {
  return new Option(flags, description).env(PREFIX + variable);
}

/** A flag that the environment can set too: `true` or `false`. */
function toggle(name: string, variable: string, description: string): Option {
  return option(`--${name} [boolean]`, variable, description)
    .choices(['true', 'false'])
    .preset('true')
    .default('false');
}

const OPTIONS = [
  option('--host <address>', 'HOST', 'address to listen on').default('127.0.0.1'),
  option('--port <number>', 'PORT', 'port to listen on; 0 picks a free one')
    .default(50051)
    .argParser(integer(0, 65_535)),
  option('--data <directory>', 'DATA', 'directory of the records; created if absent').default('./data'),
  toggle('insecure', 'INSECURE', 'listen without TLS beyond loopback too'),
  option('--max-request-bytes <bytes>', 'MAX_REQUEST_BYTES', 'largest request')
    .default(1_048_576)
    .argParser(integer(1_024, 64 * 1_048_576)),
  option('--max-in-flight <number>', 'MAX_IN_FLIGHT', 'tasks in flight of a worker that names no number')
    .default(100)
    .argParser(integer(0, 100_000)),
  option(
    '--retry-timeout-ms <ms>',
    'RETRY_TIMEOUT_MS',
    'how long a pushed task may stay un-acquired before it is pushed again',
  )
    .default(5_000)
    .argParser(integer(10, DAY)),
  option('--unblock-retention-ms <ms>', 'UNBLOCK_RETENTION_MS', 'how long an unblock waits for its acknowledgement')
    .default(7 * DAY)
    .argParser(integer(1_000, 3650 * DAY)),
  option('--ping-interval-ms <ms>', 'PING_INTERVAL_MS', 'how often a silent stream gets a ping')
    .default(15_000)
    .argParser(integer(100, 3_600_000)),
  option('--drain-ms <ms>', 'DRAIN_MS', 'how long a stop waits for calls in progress')
    .default(10_000)
    .argParser(integer(0, 600_000)),
  option('--log-level <level>', 'LOG_LEVEL', 'least severe lines to log')
    .choices(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info'),
  toggle(
    'allow-clock-lead',
    'ALLOW_CLOCK_LEAD',
    'start though the data has seen a time over a minute ahead of the clock',
  ),
  toggle('debug', 'DEBUG', 'serve the DebugService, which controls time and state; for conformance tests only'),
];

/** Parses the arguments; exits with a message for --help, --version and every mistake. */
export function parseFlags(argv: readonly string[], version: string): Flags {
  const command = new Command('resonate-grpc')
    .description('Durable promises and tasks over gRPC.')
    .version(version)
    .allowExcessArguments(false)
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) })
    .addHelpText('after', '\nEvery option can also be set in the environment, by the name in its description.');
  for (const each of OPTIONS) command.addOption(each);

  const variables = new Set(OPTIONS.map(({ envVar }) => envVar));
  const unknown = Object.keys(process.env).find((name) => name.startsWith(PREFIX) && !variables.has(name));
  if (unknown !== undefined) command.error(`error: unknown environment variable ${unknown}`);

  const flags = command.parse(argv).opts<Record<string, unknown>>();
  return {
    ...flags,
    insecure: flags.insecure === 'true',
    allowClockLead: flags.allowClockLead === 'true',
    debug: flags.debug === 'true',
  } as unknown as Flags;
}
