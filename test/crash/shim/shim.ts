/** The shim of `shim.c` from a test's side: builds it, and rules it while a server runs under it. Linux with a C compiler only. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeDirectory, temporaryDirectory } from '../../support/server-process.js';

const SOURCE = fileURLToPath(new URL('../../../../test/crash/shim/shim.c', import.meta.url));

/** Where a server can be made to kill itself, in the order of a commit, with the numbers of `enum point`. */
export const CRASH_POINTS = {
  /** Some of the pages of a commit have been written. */
  'pages written': 1,
  /** The pages are about to be synced. */
  'sync begun': 2,
  /** The pages are on disk, the header is not. */
  synced: 3,
  /** The commit is on disk, and nobody has been told. */
  committed: 4,
  /** Something is about to be written to a client. */
  replying: 5,
  /** Something has been written to a client; what comes behind it has not. */
  replied: 6,
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

/** The fields of `struct control`, 8 bytes each. */
const FIELDS = ['syncDelay', 'clockOffset', 'crashPoint', 'crashCountdown', 'powerSeed', 'growErrno'] as const;
type Field = (typeof FIELDS)[number];

const NS_PER_MS = 1_000_000;
const ENOSPC = 28;

/** What the shim saw; `at` is in ns of CLOCK_MONOTONIC, which `process.hrtime.bigint()` shows too. */
export interface ShimEvent {
  readonly at: bigint;
  readonly name: 'mark' | 'sync-begin' | 'sync-end' | 'header-begin' | 'header-end' | 'msync' | 'crash';
  /** The mark that a page has which is about to be written. */
  readonly detail: string;
}

let library: string | undefined;

/** Builds the library, once in a process. Throws if there is no C compiler. */
function build(): string {
  if (library !== undefined) return library;
  const directory = temporaryDirectory();
  process.once('exit', () => removeDirectory(directory));
  const output = join(directory, 'shim.so');
  const args = ['-shared', '-fPIC', '-O2', '-Wall', '-Wextra', '-Werror', '-o', output, SOURCE, '-ldl', '-pthread'];
  const { error, status, stderr } = spawnSync('cc', args, { encoding: 'utf8' });
  if (error !== undefined) throw new Error(`the crash tests need Linux with a C compiler named cc: ${error.message}`);
  if (status !== 0) throw new Error(`cc cannot build ${SOURCE}: ${stderr}`);
  return (library = output);
}

/** One shim, for any number of servers, one after the other. */
export class Shim {
  readonly #library = build();
  readonly #directory = temporaryDirectory();
  readonly #log = join(this.#directory, 'log');
  readonly #controlPath = join(this.#directory, 'control');
  readonly #control: number;

  constructor() {
    writeFileSync(this.#controlPath, Buffer.alloc(FIELDS.length * 8));
    writeFileSync(this.#log, '');
    this.#control = openSync(this.#controlPath, 'r+');
  }

  /** The environment that puts a process under this shim. */
  get env(): Readonly<Record<string, string>> {
    return { LD_PRELOAD: this.#library, SHIM_CONTROL: this.#controlPath, SHIM_LOG: this.#log };
  }

  /** Every sync, and every write of a header, takes so many ms longer. */
  delaySyncs(ms: number): void {
    this.#set('syncDelay', ms * NS_PER_MS);
  }

  /** The wall clock is so many ms ahead, or behind. */
  shiftWallClock(ms: number): void {
    this.#set('clockOffset', ms * NS_PER_MS);
  }

  /** The process kills itself when it gets there for the so-manieth time from now. */
  crashAt(point: CrashPoint, count: number): void {
    this.#set('crashCountdown', count);
    this.#set('crashPoint', CRASH_POINTS[point]);
  }

  /** Takes back what `crashAt` said. */
  crashNowhere(): void {
    this.#set('crashPoint', 0);
  }

  /** For servers started from now on: a crash takes a part of what has not been synced with it, chosen by this seed. 0: nothing. */
  loseUnsynced(seed: number): void {
    this.#set('powerSeed', seed);
  }

  /** Whether the disk is full: it says so, and from then on writes that make the data file larger fail. */
  fillDisk(full: boolean): void {
    this.#set('growErrno', full ? ENOSPC : 0);
  }

  /** All that it has seen. */
  events(): readonly ShimEvent[] {
    const lines = readFileSync(this.#log, 'utf8').trimEnd().split('\n');
    return lines.filter(Boolean).map((line) => {
      const [at, name, detail] = line.split(' ') as [string, ShimEvent['name'], string];
      return { at: BigInt(at), name, detail };
    });
  }

  /** How often a process has killed itself at a crash point. */
  get crashes(): number {
    return this.events().filter(({ name }) => name === 'crash').length;
  }

  /** Removes its files. */
  close(): void {
    closeSync(this.#control);
    removeDirectory(this.#directory);
  }

  #set(field: Field, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(Math.round(value)));
    writeSync(this.#control, bytes, 0, bytes.length, FIELDS.indexOf(field) * 8);
  }
}
