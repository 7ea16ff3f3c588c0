/** Seeded scripts, one after the other, until they have had their steps, reach nothing new, or fail. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbStore, type LmdbStore } from '../../src/store/lmdb/store.js';
import { MemoryStore } from '../../src/store/memory.js';
import type { Store } from '../../src/store/store.js';
import { Random } from '../support/random.js';
import { Coverage } from './coverage.js';
import { Generator, someOf } from './generator.js';
import { Lockstep, type Failure } from './lockstep.js';
import { showStep, type Step } from './script.js';
import { shrink } from './shrink.js';
import { SMALL_WORLD } from './small-world.js';
import { config, Subject } from './subject.js';

export type StoreChoice = 'memory' | 'lmdb' | 'both';

export interface SimulationOptions {
  /** Of the first script; each later one has the next. */
  readonly seed: number;
  /** At the most, over all scripts. */
  readonly steps: number;
  readonly stores: StoreChoice;
  /** Runs as the memory store, in its place. */
  readonly memory?: Store;
  /** Ends when this many steps in a row have reached no new cell, and all that are wanted are reached. */
  readonly plateau?: number;
  readonly wanted?: ReadonlySet<string>;
  /** After each script. */
  readonly onProgress?: (steps: number, coverage: Coverage) => void;
}

export interface Simulation {
  readonly steps: number;
  readonly scripts: number;
  readonly coverage: Coverage;
  /** How to see the failure again, for a terminal. Undefined: none. */
  readonly failure?: string;
}

/** Every so many scripts one of `SMALL_WORLD_STEPS` stays in the small world, where rare states are near. */
const SMALL_WORLD_EVERY = 3;
const SMALL_WORLD_STEPS = 20;
/** Long enough for a few rounds of each task, short enough to start afresh often. */
const SCRIPT_STEPS = 60;

export function simulate({
  seed,
  steps,
  stores,
  plateau = Infinity,
  wanted = new Set(),
  ...options
}: SimulationOptions): Simulation {
  const coverage = new Coverage();
  const world = new World(stores, options.memory ?? new MemoryStore({ config }));
  let done = 0;
  let scripts = 0;
  let lastNews = 0;
  try {
    while (done < steps && !(done - lastNews >= plateau && coverage.missing(wanted).length === 0)) {
      const run = runScript(world, seed + scripts, steps - done, (cell) => {
        done += 1;
        if (coverage.note(cell)) lastNews = done;
      });
      scripts += 1;
      if (run.failure !== undefined) {
        const failure = report(world, run.script, run.failure, seed + scripts - 1, stores);
        return { steps: done, scripts, coverage, failure };
      }
      options.onProgress?.(done, coverage);
    }
    return { steps: done, scripts, coverage };
  } finally {
    world.close();
  }
}

/** The stores that scripts run on, cleared between them. */
class World {
  readonly #path: string | undefined;
  readonly #subjects: Subject[] = [];
  readonly #lmdb: LmdbStore | undefined;

  constructor(stores: StoreChoice, memory: Store) {
    if (stores !== 'lmdb') this.#subjects.push(new Subject('memory', memory));
    if (stores === 'memory') return;
    this.#path = mkdtempSync(join(fastestDirectory(), 'resonate-grpc-simulation-'));
    this.#lmdb = openLmdbStore({ path: this.#path, config });
    this.#subjects.push(new Subject('lmdb', this.#lmdb));
  }

  fresh(): Lockstep {
    for (const { store } of this.#subjects) store.clear();
    return new Lockstep(this.#subjects);
  }

  close(): void {
    void this.#lmdb?.close();
    if (this.#path !== undefined) rmSync(this.#path, { recursive: true });
  }
}

/** A commit per step waits for the disk; in a file system in memory it waits for nothing. */
function fastestDirectory(): string {
  return statSync('/dev/shm', { throwIfNoEntry: false })?.isDirectory() ? '/dev/shm' : tmpdir();
}

function runScript(world: World, seed: number, limit: number, onStep: (cell: string) => void) {
  const lockstep = world.fresh();
  const random = new Random(seed);
  const generator = new Generator(random, lockstep.machine);
  const isSmall = seed % SMALL_WORLD_EVERY === 0;
  const length = Math.min(isSmall ? SMALL_WORLD_STEPS : SCRIPT_STEPS, limit);
  const smallWorld = someOf(random, SMALL_WORLD);
  const script: Step[] = [];
  let failure: Failure | undefined;
  while (script.length < length && failure === undefined) {
    const step = isSmall ? random.pick(smallWorld) : generator.next(lockstep.now);
    script.push(step);
    failure = lockstep.run(step);
    onStep(lockstep.cell);
  }
  return { script, failure };
}

/** Runs a given script. */
function replay(world: World, script: readonly Step[]): Failure | undefined {
  const lockstep = world.fresh();
  for (const step of script) {
    const failure = lockstep.run(step);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function report(world: World, script: readonly Step[], failure: Failure, seed: number, stores: StoreChoice): string {
  const short = shrink(script, (part) => replay(world, part)?.where === failure.where);
  const found = replay(world, short) ?? failure;
  return [
    `seed ${seed}: ${found.where} differ${found.where === 'invariants' ? '' : 's from the model'} at the last of these steps:`,
    ...short.map((step, i) => `  ${i + 1}. ${showStep(step)}`),
    ...found.lines.slice(0, 12).map((line) => `    ${line}`),
    `To replay: npm run simulate -- --seed ${seed} --steps ${script.length} --store ${stores}`,
  ].join('\n');
}
