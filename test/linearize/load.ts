/** What concurrent clients ask for: few ids, so that they collide, and versions that others have just seen. */
import type { Request } from '../model/operations.js';
import type { PromiseCreate, PromiseSettle } from '../model/promises.js';
import type { Response } from '../model/response.js';
import type { Pairs, PromiseState } from '../model/state.js';
import type { Random } from '../support/random.js';

/** How many ids collide with each other. */
const IDS = 4;
/** How many calls a family gets: by then its promises are settled, and nothing happens any more. */
const CALLS = 120;
const HOUR = 3_600_000;

const OUTCOMES: readonly PromiseState[] = ['resolved', 'rejected', 'rejected_canceled'];

/** The operations, each as often as its weight says. */
const WEIGHTS: readonly (readonly [name: Request['name'], weight: number])[] = [
  ['promise.get', 11],
  ['promise.create', 12],
  ['promise.settle', 2],
  ['promise.register_callback', 5],
  ['promise.register_listener', 3],
  ['task.get', 10],
  ['task.create', 7],
  ['task.acquire', 18],
  ['task.fence', 8],
  ['task.heartbeat', 9],
  ['task.suspend', 11],
  ['task.fulfill', 2],
  ['task.release', 7],
  ['task.halt', 3],
  ['task.continue', 6],
];
const NAMES = WEIGHTS.flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

/** A few ids that are used together, and what the clients know of their tasks. */
class Family {
  readonly ids: readonly string[];
  callsLeft = CALLS;
  readonly #versions = new Map<string, number>();
  readonly #holders = new Map<string, string>();

  constructor(name: string) {
    this.ids = Array.from({ length: IDS }, (_, i) => `${name}.${'abcdefgh'[i]}`);
  }

  version(id: string): number {
    return this.#versions.get(id) ?? 0;
  }

  holder(id: string): string | undefined {
    return this.#holders.get(id);
  }

  learn({ task, metadata }: Response): void {
    if (task !== undefined) this.#note(task.id, task.version, task.pid);
    else if (metadata?.task_version !== undefined) {
      this.#note(metadata.id!, Number(metadata.task_version), metadata.task_pid);
    }
  }

  #note(id: string, version: number, holder: string | undefined): void {
    this.#versions.set(id, version);
    if (holder !== undefined) this.#holders.set(id, holder);
  }
}

export class Load {
  readonly #random: Random;
  readonly #families: Family[];
  #made = 0;
  #values = 0;

  /** `families` is how many are in use at one time. */
  constructor(random: Random, families: number) {
    this.#random = random;
    this.#families = Array.from({ length: families }, () => this.#newFamily());
  }

  /** A request of the client with this pid, made about `now`, and who is to be told what it was answered. */
  next(pid: string, now: number): { readonly operation: Request; readonly learn: (response: Response) => void } {
    const place = this.#random.below(this.#families.length);
    const family = this.#families[place]!;
    if (--family.callsLeft <= 0) this.#families[place] = this.#newFamily();
    return { operation: this.#operation(family, pid, now), learn: (response) => family.learn(response) };
  }

  #newFamily(): Family {
    return new Family(`f${this.#made++}`);
  }

  #operation(family: Family, pid: string, now: number): Request {
    const id = this.#pick(family.ids);
    const name = this.#pick(NAMES);
    const ref = { id, version: this.#version(family, id) };
    switch (name) {
      case 'promise.create':
        return { name, request: this.#promise(id, now) };
      case 'promise.settle':
        return { name, request: this.#settlement(id) };
      case 'promise.register_callback':
        return { name, request: { awaited: id, awaiter: this.#pick(family.ids) } };
      case 'promise.register_listener':
        return { name, request: { awaited: id, address: 'any@listeners' } };
      case 'task.create':
        return { name, request: { pid, ttl: this.#ttl(), action: this.#promise(id, now) } };
      case 'task.acquire':
        return { name, request: { ...ref, pid, ttl: this.#ttl() } };
      case 'task.fence': {
        const inner = this.#pick(family.ids);
        const action = this.#chance(60)
          ? ({ kind: 'create', promise: this.#promise(inner, now) } as const)
          : ({ kind: 'settle', promise: this.#settlement(inner) } as const);
        return { name, request: { ...ref, action } };
      }
      case 'task.heartbeat': {
        const listed = family.ids.filter(() => this.#chance(50));
        const tasks = listed.map((each) => ({ id: each, version: this.#version(family, each) }));
        // Mostly in the name of the holder, whoever that is: others are skipped without a word.
        const holder = this.#chance(80) ? family.holder(id) : undefined;
        return { name, request: { pid: holder ?? pid, tasks: [ref, ...tasks] } };
      }
      case 'task.suspend': {
        const others = family.ids.filter((each) => each !== id);
        const awaited = [this.#pick(others), ...(this.#chance(40) ? [this.#pick(others)] : [])];
        return { name, request: { ...ref, awaited } };
      }
      case 'task.fulfill': {
        const { state, value } = this.#settlement(id);
        return { name, request: { ...ref, state, value } };
      }
      case 'task.release':
        return { name, request: ref };
      default:
        return { name, request: { id } } as Request;
    }
  }

  #promise(id: string, now: number): PromiseCreate {
    return { id, timeoutAt: now + this.#untilDeadline(), param: this.#value(), tags: this.#tags(now) };
  }

  #settlement(id: string): PromiseSettle {
    return { id, state: this.#pick(OUTCOMES), value: this.#value() };
  }

  /** No two are alike, so that a record tells which call wrote it. */
  #value() {
    return { headers: [], data: `v${this.#values++}` };
  }

  #untilDeadline(): number {
    const roll = this.#random.below(100);
    if (roll < 3) return -1;
    if (roll < 10) return 1 + this.#random.below(10);
    if (roll < 40) return 10 + this.#random.below(190);
    return HOUR;
  }

  #ttl(): number {
    const roll = this.#random.below(100);
    if (roll < 10) return 1 + this.#random.below(5);
    return roll < 70 ? 5 + this.#random.below(75) : HOUR;
  }

  /** In the order of their names. */
  #tags(now: number): Pairs {
    const roll = this.#random.below(100);
    const delay = this.#chance(10) ? [['resonate:delay', String(now + 50)] as const] : [];
    if (roll < 75) return [...delay, ['resonate:target', 'any@workers']];
    return roll < 87 ? [['resonate:timer', 'true']] : [];
  }

  #version(family: Family, id: string): number {
    const version = family.version(id);
    return this.#chance(90) ? version : Math.max(0, version + this.#random.below(3) - 1);
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }
}
