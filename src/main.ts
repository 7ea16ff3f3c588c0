#!/usr/bin/env node
/** The server's command: flags, logs, signals, exit codes. */
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { parseFlags } from './flags.js';

const PACKAGE = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

/** One line on stderr, and no stack trace: the cause is outside this program. */
function fail(error: unknown): never {
  process.stderr.write(`resonate-grpc: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const flags = parseFlags(process.argv, version);
  const log = pino({ level: flags.logLevel });
  // A commit that fails for want of room may reject once more than it is awaited.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));

  // Only now: --help and a mistake in the flags need not wait for all of it.
  const { serve } = await import('./serve.js');
  const server = await serve({ ...flags, version, log, onFatal: fail });
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping; a second signal stops at once');
    server.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  log.info({ host: flags.host, port: server.port, data: flags.data, version }, 'serving');
}

main().catch(fail);
