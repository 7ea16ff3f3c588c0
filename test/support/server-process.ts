/** The real server, as a process of its own on a free port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** A temporary data directory. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'resonate-grpc-'));
}

export function removeDirectory(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** What a server that did not start said, and how it ended. */
export interface Failure {
  readonly code: number | null;
  readonly stderr: string;
  readonly stdout: string;
}

export interface StartOptions {
  /** Default: a temporary directory, which `stop` and `kill` leave; see `removeDirectory`. */
  readonly data?: string;
  /** Default: 0, a free one. */
  readonly port?: number;
  /** More flags. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A command in front of node, such as `prlimit`. */
  readonly wrapper?: readonly string[];
}

/** A running server. */
export class ServerProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly data: string,
    readonly port: number,
    /** The log so far, one object a line. */
    readonly log: readonly Record<string, unknown>[],
  ) {}

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Starts a server and waits until it serves. Rejects with a `Failure` if it ends before. */
  static async start(options: StartOptions = {}): Promise<ServerProcess> {
    const data = options.data ?? temporaryDirectory();
    const child = launch(['--data', data, '--port', String(options.port ?? 0), ...(options.flags ?? [])], options);
    const log: Record<string, unknown>[] = [];
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const port = await new Promise<number>((resolve, reject) => {
      createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        const entry = parseLine(line);
        log.push(entry);
        if (entry.msg === 'serving') resolve(entry.port as number);
      });
      child.once('close', (code) => {
        const failure: Failure = { code, stderr, stdout: log.map((entry) => JSON.stringify(entry)).join('\n') };
        reject(Object.assign(new Error(`the server ended with ${code}: ${stderr}`), failure));
      });
    });
    return new ServerProcess(child, data, port, log);
  }

  /** Asks it to stop, as an operator would. Resolves with its exit code. */
  async stop(): Promise<number | null> {
    return this.signal('SIGTERM');
  }

  /** Ends it on the spot. */
  async kill(): Promise<void> {
    await this.signal('SIGKILL');
  }

  /** Sends a signal and waits for the end. */
  async signal(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended();
  }

  /** Waits for its end. Resolves with its exit code; null if a signal has ended it. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}

/** Runs the server's command to its end: for flags and failures. */
export async function runToEnd(args: readonly string[], options: StartOptions = {}): Promise<Failure> {
  const child = launch(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

function launch(args: readonly string[], { env, wrapper = [] }: StartOptions): ChildProcess {
  const [command, ...rest] = [...wrapper, process.execPath, '--enable-source-maps', MAIN, ...args] as [
    string,
    ...string[],
  ];
  return spawn(command, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

function parseLine(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { raw: line };
  }
}
