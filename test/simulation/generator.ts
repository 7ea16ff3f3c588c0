/** Random steps that fit where the machine stands: few ids, so that they collide; mostly versions and instants that matter. */
import type { FenceAction, TaskRef } from '../model/tasks.js';
import type { Request } from '../model/operations.js';
import type { PromiseCreate, PromiseSettle } from '../model/promises.js';
import type { ScheduleCreate } from '../model/schedules.js';
import { MAX_NUMBER, type Machine, type Pairs, type PromiseState, type TaskState, type Value } from '../model/state.js';
import type { Random } from '../support/random.js';
import { classOf } from './coverage.js';
import type { Step } from './script.js';
import { spoil } from './spoil.js';

/** In the order of their bytes, which is not that of their UTF-16 units. */
const IDS = ['a', 'b', 'c', '\uffee', '\u{1f600}'];
const SCHEDULES = ['s', 'a'];
const PIDS = ['p', 'q'];
const TARGETS = ['any@g', 'uni@g/p', 'g'];
const LISTENERS = ['any@l', 'uni@l/p', 'any@g'];
const CRONS = ['* * * * * *', '*/2 * * * * *', '*/5 * * * * *', '* * * * *'];
/** `p` at every instant, one that varies, and one that finds another promise's id. */
const TEMPLATES = ['a', '{{.id}}.{{.timestamp}}', 'b'];

/** About two thirds of them, at least one. */
export function someOf<T>(random: Random, all: readonly T[]): readonly T[] {
  const some = all.filter(() => random.below(3) > 0);
  return some.length > 0 ? some : all;
}

/** Draws the steps of one script. */
export class Generator {
  readonly #random: Random;
  readonly #machine: Machine;
  /** Those that the script has brought in so far. */
  #ids: readonly string[];
  /** Not all: what ends a task, left out, lets others last long enough to meet. */
  readonly #operations: readonly Weighted[];
  #now = 0;
  /** What comes next, whatever else. */
  #plan: Step[] = [];

  constructor(random: Random, machine: Machine) {
    this.#random = random;
    this.#machine = machine;
    this.#ids = IDS.slice(random.below(2), 2 + random.below(4));
    this.#operations = someOf(random, OPERATIONS);
  }

  next(now: number): Step {
    this.#now = now;
    const planned = this.#plan.shift();
    if (planned !== undefined) return planned;
    if (this.#chance(3)) this.#plan = this.#pick([this.#parking, this.#expiring, this.#resending]).call(this, now);
    this.#bringInFresh();
    // Something wakes or ends these before long: without help they would hardly ever be seen expired.
    const parked = this.#deadlinesOfParked(now);
    if (parked.length > 0 && this.#chance(8)) return { do: 'clock', to: this.#pick(parked) };
    const roll = this.#random.below(100);
    if (roll < 14) return { do: 'clock', to: this.#laterInstant(now) };
    if (roll < 16) return { do: 'sweep' };
    if (roll < 19) return { do: 'slice', kind: this.#pick(['schedule', 'promise', 'task']), limit: 1 + this.#below(3) };
    if (roll < 23) return this.#firing();
    if (roll < 25) return this.#acknowledgement();
    if (roll < 26) return { do: 'drop unblocks', before: now - this.#pick([0, 1, 1000, 5000]) };
    const operation = this.#request(now);
    return { do: 'request', operation: this.#chance(3) ? spoil(this.#random, operation) : operation };
  }

  #below(limit: number): number {
    return this.#random.below(limit);
  }

  #pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  #chance(percent: number): boolean {
    return this.#below(100) < percent;
  }

  /** Two tasks that wait for one promise: chance alone seldom brings them together. */
  #parking(now: number): Step[] {
    const [awaited, one, other] = this.#fresh('w', 'x', 'y') as [string, string, string];
    const waiting = [one, other];
    return [
      request({ name: 'promise.create', request: this.#promiseOf(awaited, now, this.#tags(now)) }),
      ...waiting.map((id) => {
        const action = this.#promiseOf(id, now, [['resonate:target', this.#pick(TARGETS)]]);
        return request({ name: 'task.create', request: { ...this.#holder(), action } });
      }),
      ...waiting.map((id) => request({ name: 'task.suspend', request: { id, version: 1, awaited: [awaited] } })),
    ];
  }

  /** Two promises that somebody listens to expire, and then one request names both. */
  #expiring(now: number): Step[] {
    const [one, other] = this.#fresh('\uffee', '\u{1f600}') as [string, string];
    const both = this.#chance(50) ? [one, other] : [other, one];
    const tags: Pairs = [['resonate:target', 'g']];
    return [
      ...both.flatMap((id, i) => [
        request({
          name: 'promise.create',
          request: { ...this.#promiseOf(id, now, tags), timeoutAt: now + 1000 + i * this.#below(2) },
        }),
        request({ name: 'promise.register_listener', request: { awaited: id, address: 'l' } }),
      ]),
      { do: 'clock', to: now + 2000 },
      this.#chance(50)
        ? request({ name: 'promise.register_callback', request: { awaited: one, awaiter: other } })
        : request({
            name: 'task.heartbeat',
            request: { pid: 'p', tasks: [other, one].map((id) => ({ id, version: 1 })) },
          }),
    ];
  }

  /** Two executes wait, and the first of them is sent again. */
  #resending(now: number): Step[] {
    const [one, other] = this.#fresh('x', 'y') as [string, string];
    return [
      ...[one, other].map((id) =>
        request({ name: 'promise.create', request: this.#promiseOf(id, now, [['resonate:target', 'g']]) }),
      ),
      { do: 'clock', to: now + 5000 },
      { do: 'fire', kind: 'retry', id: one, limit: 1 },
    ];
  }

  #fresh(...names: readonly string[]): readonly string[] {
    const fresh = names.map((name) => `${name}${this.#ids.length}`);
    this.#ids = [...this.#ids, ...fresh];
    return fresh;
  }

  #promiseOf(id: string, now: number, tags: Pairs): PromiseCreate {
    return { id, timeoutAt: now + 7000, param: this.#value(), tags };
  }

  /** A settled promise does nothing any more: once few are left that do, another id comes in. */
  #bringInFresh(): void {
    if (this.#idsIn('pending', 'absent').length < 2) this.#ids = [...this.#ids, `d${this.#ids.length}`];
  }

  #idsIn(...states: readonly (PromiseState | 'absent')[]): readonly string[] {
    const { promises } = this.#machine.state;
    return this.#ids.filter((id) => states.includes(promises.find((promise) => promise.id === id)?.state ?? 'absent'));
  }

  /** Mostly of a promise that something can still happen to; now and then of a class of state that is rare. */
  #id(): string {
    if (this.#chance(25)) return this.#idOfSomeClass();
    const pending = this.#idsIn('pending');
    return this.#pick(this.#chance(75) && pending.length > 0 ? pending : this.#ids);
  }

  /** Every class of state that is there is as likely as any other, but for those where nothing can happen any more. */
  #idOfSomeClass(): string {
    const { state } = this.#machine;
    const pending = this.#idsIn('pending');
    const ids = this.#chance(80) && pending.length > 0 ? pending : this.#ids;
    const classes = ids.map((id) => classOf(state, this.#now, id));
    const chosen = this.#pick([...new Set(classes)]);
    return this.#pick(ids.filter((_, i) => classes[i] === chosen));
  }

  #idToCreate(): string {
    const absent = this.#idsIn('absent');
    return this.#pick(this.#chance(60) && absent.length > 0 ? absent : this.#ids);
  }

  /** Onto a deadline, one before, one after; or a little on. */
  #laterInstant(now: number): number {
    const { promises, taskTimeouts, scheduleTimeouts } = this.#machine.state;
    const pending = promises.filter(({ state }) => state === 'pending').map(({ timeoutAt }) => timeoutAt);
    const armed = [...taskTimeouts, ...scheduleTimeouts].map(({ timeout }) => timeout);
    const deadlines = [...pending, ...armed].filter((instant) => instant > now && instant <= now + 20_000);
    const onto = this.#chance(75) && deadlines.length > 0 ? this.#pick(deadlines) + this.#pick([-1, 0, 0, 1]) : now;
    return Math.max(onto, now + this.#pick([1, 1000]));
  }

  /** Where the deadlines of suspended and halted tasks lie. */
  #deadlinesOfParked(now: number): readonly number[] {
    const { promises, tasks } = this.#machine.state;
    const isParked = (id: string) => tasks.some((task) => task.id === id && /suspended|halted/.test(task.state));
    return promises
      .filter(({ id, timeoutAt }) => isParked(id) && timeoutAt > now && timeoutAt <= now + 20_000)
      .map(({ timeoutAt }) => timeoutAt);
  }

  /** Mostly of a timer that is armed, due or not. */
  #firing(): Step {
    const { promiseTimeouts, taskTimeouts, scheduleTimeouts } = this.#machine.state;
    const kind = this.#pick(['schedule', 'promise', 'retry', 'lease'] as const);
    const armed = { schedule: scheduleTimeouts, promise: promiseTimeouts, retry: taskTimeouts, lease: taskTimeouts }[
      kind
    ];
    const id = this.#chance(60) && armed.length > 0 ? this.#pick(armed).id : this.#idOfSomeClass();
    return { do: 'fire', kind, id, limit: 1 + this.#below(3) };
  }

  #acknowledgement(): Step {
    const waiting = this.#machine.state.outbox.flatMap(({ address, message }) =>
      message.kind === 'unblock' ? { promiseId: message.promise.id, address } : [],
    );
    const unknown = { promiseId: this.#id(), address: this.#pick(LISTENERS) };
    return { do: 'acknowledge', ...(this.#chance(90) && waiting.length > 0 ? this.#pick(waiting) : unknown) };
  }

  /** Mostly one that some task is in the state for. */
  #operation(): Request['name'] {
    const name = this.#pickWeighted();
    const wanted = WANTED_STATE[name];
    if (wanted === undefined || this.#chance(45) || this.#machine.state.tasks.some(({ state }) => state === wanted))
      return name;
    return this.#pick(['promise.create', 'task.create', 'task.acquire']);
  }

  #pickWeighted(): Request['name'] {
    let left = this.#below(this.#operations.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [name, weight] of this.#operations) if ((left -= weight) < 0) return name;
    return 'promise.create';
  }

  #request(now: number): Request {
    const id = this.#id();
    switch (this.#operation()) {
      case 'promise.get':
        return { name: 'promise.get', request: { id } };
      case 'promise.create':
        return { name: 'promise.create', request: this.#promise(now) };
      case 'promise.settle':
        return { name: 'promise.settle', request: this.#settlement(id) };
      case 'promise.register_callback':
        return {
          name: 'promise.register_callback',
          request: { awaited: this.#chance(50) ? id : this.#idOfSomeClass(), awaiter: this.#idOfSomeClass() },
        };
      case 'promise.register_listener':
        return { name: 'promise.register_listener', request: { awaited: id, address: this.#pick(LISTENERS) } };
      case 'promise.search':
        return { name: 'promise.search', request: {} };
      case 'task.get':
        return { name: 'task.get', request: { id } };
      case 'task.create':
        return { name: 'task.create', request: { ...this.#holder(), action: this.#promise(now) } };
      case 'task.acquire':
        return { name: 'task.acquire', request: { ...this.#task('pending'), ...this.#holder() } };
      case 'task.fence':
        return { name: 'task.fence', request: { ...this.#task('acquired'), action: this.#fenced(now) } };
      case 'task.heartbeat':
        return {
          name: 'task.heartbeat',
          request: { pid: this.#pick(PIDS), tasks: this.#some(() => this.#task('acquired')) },
        };
      case 'task.suspend': {
        const task = this.#task('acquired');
        const others = this.#ids.filter((other) => other !== task.id);
        const pending = this.#idsIn('pending').filter((other) => other !== task.id);
        const one = () => this.#pick(this.#chance(85) && pending.length > 0 ? pending : others);
        const awaited = [one(), ...this.#some(one)];
        return { name: 'task.suspend', request: { ...task, awaited } };
      }
      case 'task.fulfill': {
        const { state, value } = this.#settlement(id);
        return { name: 'task.fulfill', request: { ...this.#task('acquired'), state, value } };
      }
      case 'task.release':
        return { name: 'task.release', request: this.#task('acquired') };
      case 'task.halt':
        return { name: 'task.halt', request: { id } };
      case 'task.continue':
        return { name: 'task.continue', request: { id: this.#task('halted').id } };
      case 'task.search':
        return { name: 'task.search', request: {} };
      case 'schedule.get':
        return { name: 'schedule.get', request: { id: this.#pick(SCHEDULES) } };
      case 'schedule.create':
        return { name: 'schedule.create', request: this.#schedule(now) };
      case 'schedule.delete':
        return { name: 'schedule.delete', request: { id: this.#pick(SCHEDULES) } };
      case 'schedule.search':
        return { name: 'schedule.search', request: {} };
    }
  }

  #promise(now: number): PromiseCreate {
    const after = this.#pick([0, 1, 1000, 3000, 7000, 7000, 20_000, 20_000, 20_000, MAX_NUMBER]);
    return {
      id: this.#idToCreate(),
      timeoutAt: Math.min(now + after, MAX_NUMBER),
      param: this.#value(),
      tags: this.#tags(now),
    };
  }

  /** Targeted, delayed, with an empty target, timers, plain. */
  #tags(now: number): Pairs {
    const tags: (readonly [string, string])[] = [];
    if (this.#chance(65)) tags.push(['resonate:target', this.#chance(12) ? '' : this.#pick(TARGETS)]);
    if (this.#chance(20)) tags.push(['resonate:timer', this.#pick(['true', 'true', 'false'])]);
    if (this.#chance(25)) tags.push(['resonate:delay', String(now + this.#pick([-1, 0, 1, 1000, 3000, 6000]))]);
    if (this.#chance(10)) tags.push(['__proto__', 'x']);
    return tags;
  }

  #value(): Value {
    const headers: Pairs = this.#chance(30) ? [['h', 'v']] : [];
    return this.#chance(40) ? { headers, data: this.#pick(['', 'x']) } : { headers };
  }

  #settlement(id: string): PromiseSettle {
    return { id, state: this.#pick(['resolved', 'rejected', 'rejected_canceled']), value: this.#value() };
  }

  #holder(): { readonly pid: string; readonly ttl: number } {
    return { pid: this.#pick(PIDS), ttl: this.#pick([1, 1000, 2000, 3000, MAX_NUMBER]) };
  }

  /** Mostly one that is in the state which the operation wants, mostly at its version. */
  #task(wanted: 'pending' | 'acquired' | 'halted'): TaskRef {
    const { tasks } = this.#machine.state;
    const fitting = tasks.filter(({ state }) => state === wanted);
    const id = this.#chance(55) && fitting.length > 0 ? this.#pick(fitting).id : this.#idOfSomeClass();
    const version = tasks.find((task) => task.id === id)?.version ?? 0;
    return { id, version: this.#chance(88) ? version : Math.max(0, version + this.#pick([-1, 1])) };
  }

  #fenced(now: number): FenceAction {
    return this.#chance(50)
      ? { kind: 'create', promise: this.#promise(now) }
      : { kind: 'settle', promise: this.#settlement(this.#id()) };
  }

  #schedule(now: number): ScheduleCreate {
    return {
      id: this.#pick(SCHEDULES),
      cron: this.#pick(CRONS),
      promiseId: this.#pick(TEMPLATES),
      promiseTimeout: this.#pick([0, 1, 1000, 3000, 20_000, MAX_NUMBER]),
      promiseParam: this.#value(),
      promiseTags: this.#tags(now),
    };
  }

  /** None to two. */
  #some<T>(make: () => T): T[] {
    return Array.from({ length: this.#below(3) }, make);
  }
}

function request(operation: Request): Step {
  return { do: 'request', operation };
}

type Weighted = readonly [name: Request['name'], weight: number];

/** How often each is asked for. */
const OPERATIONS: readonly Weighted[] = [
  ['promise.get', 2],
  ['promise.create', 14],
  ['promise.settle', 6],
  ['promise.register_callback', 8],
  ['promise.register_listener', 5],
  ['promise.search', 1],
  ['task.get', 3],
  ['task.create', 10],
  ['task.acquire', 16],
  ['task.fence', 10],
  ['task.heartbeat', 5],
  ['task.suspend', 32],
  ['task.fulfill', 4],
  ['task.release', 4],
  ['task.halt', 9],
  ['task.continue', 4],
  ['task.search', 1],
  ['schedule.get', 1],
  ['schedule.create', 3],
  ['schedule.delete', 2],
  ['schedule.search', 1],
];

const WANTED_STATE: Readonly<Partial<Record<Request['name'], TaskState>>> = {
  'task.acquire': 'pending',
  'task.fence': 'acquired',
  'task.heartbeat': 'acquired',
  'task.suspend': 'acquired',
  'task.fulfill': 'acquired',
  'task.release': 'acquired',
  'task.continue': 'halted',
};
