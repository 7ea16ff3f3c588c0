/** The languages that have a client with a conformance worker: what is in `clients/`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A language, and the command that becomes its worker. */
export interface Language {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

/** What became of a build. */
export interface Build {
  readonly result: 'built' | 'absent' | 'failed';
  /** What it said. */
  readonly output: string;
}

const CLIENTS = fileURLToPath(new URL('../../../clients', import.meta.url));
/** What conformance.sh exits with if its toolchain is not there. */
const ABSENT = 3;
/** The first build of a language fetches and compiles all that it depends on. */
const BUILD_TIMEOUT_MS = 30 * 60_000;

/** All of them, ours first. */
export function languages(clients = CLIENTS): Language[] {
  const script = (name: string): string => join(clients, name, 'conformance.sh');
  const names = readdirSync(clients).filter((name) => existsSync(script(name)));
  const rank = (name: string): string => (name === 'typescript' ? '' : name);
  return names
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map((name) => ({ name, command: [script(name)] as [string] }));
}

/** Builds its worker. */
export async function build({ command: [command, ...args] }: Language): Promise<Build> {
  const child = spawn(command, [...args, '--build'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BUILD_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal !== null) output += `\nended by ${signal}, after ${BUILD_TIMEOUT_MS} ms at the most`;
  return { result: code === 0 ? 'built' : code === ABSENT ? 'absent' : 'failed', output: output.trim() };
}
