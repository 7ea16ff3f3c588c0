import {
  ResonateClient,
  Worker,
  type Handler,
  type TaskContext,
  type WorkerOptions,
} from '../../clients/typescript/index.js';
import { TaskRecord, TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { Inbox } from './inbox.js';
import { ManualClock } from './manual-clock.js';
import { Recorder } from './recorder.js';
import { pendingRecord, ScriptedServer, type ScriptedCall, type ScriptedStream } from './scripted-server.js';

export const TTL = 30_000;

/** A worker `w` of the group `g`, on a scripted server and a clock that stands still. */
export class WorkerFixture {
  readonly server = new ScriptedServer();
  readonly clock = new ManualClock();
  readonly log = new Recorder();
  client!: ResonateClient;
  worker!: Worker;
  stream!: ScriptedStream;

  /** With an open stream. */
  async open(handler: Handler, options: Partial<WorkerOptions> = {}): Promise<void> {
    await this.server.start();
    this.create(handler, options);
    const started = this.worker.start();
    this.stream = await this.server.streams.next();
    this.stream.hello('session');
    await started;
  }

  create(handler: Handler, options: Partial<WorkerOptions> = {}): void {
    this.client = new ResonateClient({ address: this.server.address, clock: this.clock });
    const { client, log } = this;
    this.worker = new Worker({ client, group: 'g', pid: 'w', ttl: TTL, handler, log, ...options });
  }

  close(): void {
    this.client.close();
    this.server.kill();
  }

  /** Pushes a task and lets the worker have it. */
  async give(id: string, version = 0, param?: unknown): Promise<void> {
    this.stream.execute(id, version);
    this.grant(await this.server.next('taskAcquire'), param);
  }

  /** Answers an acquire. */
  grant(acquire: ScriptedCall<'taskAcquire'>, param?: unknown): void {
    const { id = '', version = 0, pid, ttlMs } = acquire.request;
    const state = TaskState.TASK_STATE_ACQUIRED;
    const task = TaskRecord.fromPartial({ id, state, version: version + 1, pid, ttlMs });
    acquire.reply({ task, promise: pendingRecord(id, param) });
  }
}

/** One run of a handler, which the test ends. */
interface OpenRun {
  readonly context: TaskContext;
  readonly end: (value?: unknown) => void;
  readonly fail: (error: Error) => void;
}

/** A handler, and its runs as they come. */
export class OpenRuns extends Inbox<OpenRun> {
  constructor() {
    super('a run');
  }

  readonly handler = (context: TaskContext): Promise<unknown> =>
    new Promise((end, fail) => this.put({ context, end, fail }));
}

/** The refusal of a call about a task that stands like this. */
export function conflict(reason: string, version: number, pid?: string, state = 'acquired') {
  return {
    code: 10,
    reason,
    status: 409,
    metadata: { id: 't', task_state: state, task_version: String(version), ...(pid ? { task_pid: pid } : {}) },
  };
}
