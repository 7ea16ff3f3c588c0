/**
 * Every sequence of a few steps, up to a depth, over two ids and three instants. Sequences that lead to the same state go on as
 * one, so that each step is tried once in each state: what is counted is the sequences that this stands for.
 */
import { MemoryStore } from '../../src/store/memory.js';
import { Lockstep } from './lockstep.js';
import { ordered } from './records.js';
import { showStep, START, type Step } from './script.js';
import { SMALL_WORLD } from './small-world.js';
import { config, Subject } from './subject.js';

export interface Exhaustion {
  /** How many sequences of 1 to `depth` steps there are. */
  readonly sequences: number;
  readonly states: number;
  /** How many times a step was run and compared. */
  readonly transitions: number;
  readonly cells: ReadonlySet<string>;
  /** Undefined: none. */
  readonly failure?: string;
}

/** A state, and the shortest way to it. */
interface Node {
  readonly lockstep: Lockstep;
  readonly script: readonly Step[];
  /** Where each step leads, once it has been run. */
  next?: readonly Node[];
}

/** How long the sequences are. A few seconds; 7 takes twice as long, and reaches no further cell. */
export const EXHAUSTIVE_DEPTH = 6;

let result: Exhaustion | undefined;

/** Model against memory store. The search runs once: two tests ask for what it found. */
export function exhaust(): Exhaustion {
  return (result ??= search(EXHAUSTIVE_DEPTH));
}

function search(depth: number): Exhaustion {
  const start: Node = { lockstep: new Lockstep([]), script: [] };
  const graph = new Graph(start);
  // How many sequences of the present length lead to each state.
  let paths = new Map<Node, number>([[start, 1]]);
  let sequences = 0;
  for (let length = 1; length <= depth; length++) {
    const longer = new Map<Node, number>();
    for (const [node, count] of paths) {
      for (const next of graph.expand(node)) longer.set(next, (longer.get(next) ?? 0) + count);
      sequences += count * SMALL_WORLD.length;
      if (graph.failure !== undefined) return { sequences, ...graph.result };
    }
    paths = longer;
  }
  return { sequences, ...graph.result };
}

/** The states found so far. */
class Graph {
  failure: string | undefined;
  readonly #subject = new Subject('memory', new MemoryStore({ config }));
  readonly #nodes = new Map<string, Node>();
  readonly #cells = new Set<string>();
  #transitions = 0;

  constructor(start: Node) {
    this.#nodes.set(keyOf(start.lockstep), start);
  }

  get result(): Omit<Exhaustion, 'sequences'> {
    const failure = this.failure === undefined ? {} : { failure: this.failure };
    return { states: this.#nodes.size, transitions: this.#transitions, cells: this.#cells, ...failure };
  }

  /** Runs every step in a state, once. Stops at the first failure. */
  expand(node: Node): readonly Node[] {
    if (node.next !== undefined) return node.next;
    const next: Node[] = [];
    for (const step of SMALL_WORLD) {
      const lockstep = this.#run(node, step);
      if (this.failure !== undefined) return next;
      const key = keyOf(lockstep);
      const known = this.#nodes.get(key) ?? { lockstep, script: [...node.script, step] };
      this.#nodes.set(key, known);
      next.push(known);
    }
    return (node.next = next);
  }

  #run(node: Node, step: Step): Lockstep {
    put(this.#subject, node.script);
    const lockstep = new Lockstep([this.#subject], node.lockstep);
    const failure = lockstep.run(step);
    this.#transitions += 1;
    this.#cells.add(lockstep.cell);
    if (failure !== undefined) {
      const steps = [...node.script, step].map((each, i) => `${i + 1}. ${showStep(each)}`);
      this.failure = [`${failure.where}:`, ...steps, ...failure.lines].join('\n  ');
    }
    return lockstep;
  }
}

function keyOf({ now, machine }: Lockstep): string {
  return `${now} ${JSON.stringify(ordered(machine.state))}`;
}

/** Brings the store to where a script leads. */
function put(subject: Subject, script: readonly Step[]): void {
  subject.store.clear();
  let now = START;
  for (const step of script) {
    if (step.do === 'clock') now = Math.max(now, step.to);
    subject.run(step, now);
  }
}
