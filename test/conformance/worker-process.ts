/** A worker of one of the languages, as a process of its own, and what it has said. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithUs } from './children.js';
import type { Language } from './languages.js';

/** Whom it works for, and how. */
export interface WorkerOptions {
  readonly language: Language;
  readonly address: string;
  readonly group: string;
  readonly pid: string;
  readonly maxInFlight: number;
  readonly ttlMs: number;
  readonly graceMs: number;
  /** How long a line may take to come, in ms. */
  readonly patienceMs: number;
}

/** A failure shows so much of what a worker has said. */
const LAST_LINES = 15;
const LONGEST_LINE = 200;
const LAST_ERRORS = 2_000;

export class WorkerProcess {
  /** Its standard output so far. */
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #watchers = new Set<() => void>();
  #errors = '';
  #closed = false;

  constructor(readonly options: WorkerOptions) {
    const [command, ...args] = options.language.command;
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        RESONATE_ADDRESS: options.address,
        RESONATE_GROUP: options.group,
        RESONATE_PID: options.pid,
        RESONATE_MAX_IN_FLIGHT: String(options.maxInFlight),
        RESONATE_TTL_MS: String(options.ttlMs),
        RESONATE_GRACE_MS: String(options.graceMs),
      },
    });
    endWithUs(this.#child);
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      this.#notify();
    });
    this.#child.stderr!.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-LAST_ERRORS);
    });
    this.#child.once('error', (error) => (this.#errors += String(error)));
    this.#child.once('close', () => {
      this.#closed = true;
      this.#notify();
    });
  }

  get pid(): string {
    return this.options.pid;
  }

  /** How often it has said this line. */
  count(line: string): number {
    return this.lines.filter((each) => each === line).length;
  }

  /** The versions under which it has started this task, in order. */
  started(taskId: string): number[] {
    const beginning = `started ${taskId} `;
    return this.lines.filter((line) => line.startsWith(beginning)).map((line) => Number(line.slice(beginning.length)));
  }

  /** Resolves once it has said this line so many times. */
  said(line: string, times = 1): Promise<void> {
    const what = times === 1 ? JSON.stringify(line) : `${JSON.stringify(line)}, ${times} times`;
    return this.until(what, () => this.count(line) >= times);
  }

  /** Resolves when its lines fit; rejects when it ends before, or the patience does. */
  until(expected: string, fits: () => boolean): Promise<void> {
    const { patienceMs } = this.options;
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        settle();
      };
      const fail = (why: string): void => leave(() => reject(new Error(`${this.pid} ${why}; expected ${expected}`)));
      const look = (): void => {
        if (fits()) leave(resolve);
        else if (this.#closed) fail(`has ended (${this.#end})`);
      };
      const timer = setTimeout(() => fail(`did not say so within ${patienceMs} ms`), patienceMs);
      this.#watchers.add(look);
      look();
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it on the spot, frozen or not. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    if (!this.#closed) await once(this.#child, 'close');
  }

  /** Resolves with its exit code once it has ended by itself and all its lines are read. */
  async exit(): Promise<number | null> {
    await this.until('its end', () => this.#closed);
    return this.#child.exitCode;
  }

  /** What it has said last, for a reader. */
  get lastWords(): string {
    const left = this.lines.length > LAST_LINES ? [`… ${this.lines.length - LAST_LINES} lines`] : [];
    const errors = this.#errors.trim();
    return [
      `${this.pid} (${this.options.language.name}, ${this.#closed ? `ended: ${this.#end}` : 'running'}):`,
      ...[...left, ...this.lines.slice(-LAST_LINES)].map((line) => `  ${line.slice(0, LONGEST_LINE)}`),
      ...(errors === '' ? [] : ['  stderr:', ...errors.split('\n').map((line) => `    ${line}`)]),
    ].join('\n');
  }

  get #end(): string {
    const { exitCode, signalCode } = this.#child;
    return exitCode === null ? `by ${signalCode}` : `with ${exitCode}`;
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }
}
