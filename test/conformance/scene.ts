/** What a scenario plays on: a server, workers of the language that it is about and of the others, and a caller. */
import { expect } from 'chai';
import type { DebugSnapshotResponse } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import {
  isSettled,
  PromiseState,
  ResonateClient,
  TaskState,
  type PromiseRecord,
  type TaskRecord,
  type Value,
} from '../../clients/typescript/index.js';
import { nameOf } from '../support/debug-state.js';
import { ServerProcess } from '../support/server-process.js';
import { inAnHour, Stubs } from '../support/stubs.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { endWithUs } from './children.js';
import type { Language } from './languages.js';
import { until } from './patience.js';
import { dataOf, textOf } from './values.js';
import { WorkerProcess, type WorkerOptions } from './worker-process.js';

/** What to create besides the id. */
export interface Work {
  /** What its handler does. Absent: there is no handler and no task; somebody settles the promise. */
  readonly do?: string;
  /** Default: any worker of the scene's group. */
  readonly target?: string;
  readonly param?: Value | string;
  readonly tags?: Readonly<Record<string, string>> | ReadonlyMap<string, string>;
}

export interface SceneOptions {
  /** Distinguishes the ids and groups of this scene from all others on its server. */
  readonly name: string;
  /** The language that the scene is about. */
  readonly language: Language;
  /** All that are present, it among them. */
  readonly languages: readonly Language[];
  readonly server: ServerProcess;
  /** How long it waits for anything, in ms. */
  readonly patienceMs: number;
}

export class Scene {
  readonly group: string;
  readonly language: Language;
  /** This language, then the others, each after the one before it. */
  readonly languages: readonly Language[];
  readonly client: ResonateClient;
  readonly patienceMs: number;
  server: ServerProcess;
  readonly #stubs: Stubs;
  readonly #workers: WorkerProcess[] = [];
  readonly #proxies: TcpProxy[] = [];

  constructor({ name, language, languages, server, patienceMs }: SceneOptions) {
    const own = languages.indexOf(language);
    this.group = name;
    this.language = language;
    this.languages = [...languages.slice(own), ...languages.slice(0, own)];
    this.server = server;
    this.patienceMs = patienceMs;
    this.client = new ResonateClient({ address: server.address, deadlineMs: patienceMs });
    this.#stubs = new Stubs(server.address);
  }

  /** The next language; the same if it is the only one. */
  get other(): Language {
    return this.languages[1] ?? this.language;
  }

  /** An id, or a group, of this scene alone. */
  id(name: string): string {
    return `${this.group}-${name}`;
  }

  /** Starts a worker, and waits until it is ready. By default one of this scene's language and group. */
  async worker(name: string, options: Partial<WorkerOptions> = {}): Promise<WorkerProcess> {
    const { address } = this.server;
    const { group, language, patienceMs } = this;
    const defaults = { maxInFlight: 8, ttlMs: 30_000, graceMs: 10_000, pid: this.id(name) };
    const worker = new WorkerProcess({ address, group, language, patienceMs, ...defaults, ...options });
    this.#workers.push(worker);
    await worker.said('ready');
    return worker;
  }

  /** A network in front of the server. */
  async proxy(): Promise<TcpProxy> {
    const proxy = await TcpProxy.to(this.server.port);
    this.#proxies.push(proxy);
    return proxy;
  }

  /** Kills the server, and starts it again on the same data and port. */
  async restart(): Promise<void> {
    const { data, port } = this.server;
    await this.server.kill();
    this.server = await ServerProcess.start({ data, port, flags: ['--debug'] });
    endWithUs(this.server.child);
  }

  /** Creates a promise, with a task if the work is to do something. Returns its id. */
  async create(name: string, work: Work = {}): Promise<string> {
    const id = this.id(name);
    const tags = new Map(work.tags instanceof Map ? work.tags : Object.entries(work.tags ?? {}));
    if (work.do !== undefined) {
      tags.set('conformance:do', work.do).set('resonate:target', work.target ?? `any@${this.group}`);
    }
    const param = typeof work.param === 'string' ? dataOf(work.param) : work.param;
    await this.client.promiseCreate({ promise: { id, timeoutAtMs: inAnHour(), param, tags } });
    return id;
  }

  /** Creates a task that is held until `go`. */
  async hold(name: string, target?: string): Promise<string> {
    await this.create(`${name}.go`);
    return this.create(name, { do: 'hold', ...(target === undefined ? {} : { target }) });
  }

  /** Lets go of a task that is held. */
  async go(id: string): Promise<void> {
    await this.settle(`${id}.go`, '');
  }

  /** Resolves a promise. */
  async settle(id: string, text: string): Promise<void> {
    await this.client.promiseSettle({ settlement: { id, state: 1, value: dataOf(text) } });
  }

  async promise(id: string): Promise<PromiseRecord> {
    return (await this.client.promiseGet({ id })).promise!;
  }

  async task(id: string): Promise<TaskRecord> {
    return (await this.client.taskGet({ id })).task!;
  }

  /** Waits until the task is in this state. */
  until(id: string, state: TaskState): Promise<TaskRecord> {
    return this.see(`task ${id} is ${nameOf(TaskState[state])}`, async () => {
      const task = await this.task(id);
      return task.state === state && task;
    });
  }

  /** Looks until it finds something. */
  see<T>(expected: string, look: () => Promise<T | undefined | false>): Promise<T> {
    return until(expected, look, this.patienceMs);
  }

  /** Waits for the outcome of a promise. */
  async outcome(id: string): Promise<PromiseRecord> {
    return this.see(`promise ${id} is settled`, async () => {
      const record = await this.promise(id);
      return isSettled(record) && record;
    });
  }

  /** Waits until the promise is resolved with this data and no headers. */
  async resolved(id: string, text: string): Promise<PromiseRecord> {
    const record = await this.outcome(id);
    expect(outcomeOf(record), id).to.deep.equal({ state: 'resolved', headers: [], data: text });
    return record;
  }

  /** All of the server's state. */
  snapshot(): Promise<DebugSnapshotResponse> {
    return this.#stubs.snapshot();
  }

  /** What its workers have said last. */
  get lastWords(): string {
    return this.#workers.map(({ lastWords }) => lastWords).join('\n');
  }

  /** Ends all but the server. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.kill()));
    for (const proxy of this.#proxies) proxy.close();
    this.client.close();
    this.#stubs.close();
  }
}

/** What a promise came to, in plain terms. */
export function outcomeOf({ state, value }: PromiseRecord): {
  state: string;
  headers: [string, string][];
  data: string;
} {
  return { state: nameOf(PromiseState[state]), headers: [...(value?.headers ?? [])], data: textOf(value) };
}
