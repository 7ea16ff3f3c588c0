import { ResonateClient } from '../../clients/typescript/index.js';
import type { TaskRef } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { SettleState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { DispatchRecorder, type RecorderRequest } from '../support/dispatch-recorder.js';
import { removeDirectory, ServerProcess, type StartOptions } from '../support/server-process.js';
import { inAnHour } from '../support/stubs.js';

export const TTL = 60_000;

/** A server process, a client for unary calls, and the streams that a test opens. */
export class DispatchFixture {
  server!: ServerProcess;
  client!: ResonateClient;
  readonly #recorders: DispatchRecorder[] = [];
  #names = 0;

  async start(options: StartOptions = {}): Promise<void> {
    this.server = await ServerProcess.start(options);
    this.client = new ResonateClient({ address: this.server.address });
  }

  /** Ends the server, on the spot unless told otherwise, and starts another one on the same data. */
  async restart(signal: NodeJS.Signals = 'SIGKILL', flags: readonly string[] = []): Promise<void> {
    const { data } = this.server;
    await this.server.signal(signal);
    this.closeStreams();
    this.client.close();
    await this.start({ data, flags });
  }

  closeStreams(): void {
    for (const recorder of this.#recorders.splice(0)) recorder.close();
  }

  async stop(): Promise<void> {
    this.closeStreams();
    this.client.close();
    await this.server.kill();
    removeDirectory(this.server.data);
  }

  /** A name that no other test uses. */
  name(prefix: string): string {
    return `${prefix}-${++this.#names}`;
  }

  /** Opens a stream, which is closed after the test, and waits for its hello. */
  async connect(request: RecorderRequest, address: string = this.server.address): Promise<DispatchRecorder> {
    const recorder = DispatchRecorder.open(address, request);
    this.#recorders.push(recorder);
    await recorder.hello();
    return recorder;
  }

  /** Creates promises with tasks for an address, one after the other. Returns their ids. */
  async create(address: string, count = 1): Promise<string[]> {
    const ids = Array.from({ length: count }, () => this.name('task'));
    for (const id of ids) await this.#create(id, [['resonate:target', address]]);
    return ids;
  }

  /** The same, all at once: in any order. */
  async createMany(address: string, count: number): Promise<string[]> {
    const created = await Promise.all(Array.from({ length: count }, () => this.create(address)));
    return created.flat();
  }

  /** Creates a promise without a task. */
  async promise(): Promise<string> {
    const id = this.name('promise');
    await this.#create(id, []);
    return id;
  }

  async acquire(pid: string, id: string, version = 0, ttlMs = TTL): Promise<TaskRef> {
    const { task } = await this.client.taskAcquire({ id, version, pid, ttlMs });
    return { id, version: task!.version };
  }

  async fulfill(task: TaskRef): Promise<void> {
    await this.client.taskFulfill({ ...task, state: SettleState.SETTLE_STATE_RESOLVED });
  }

  async settle(id: string): Promise<void> {
    await this.client.promiseSettle({ settlement: { id, state: SettleState.SETTLE_STATE_RESOLVED } });
  }

  async listen(awaitedId: string, address: string): Promise<void> {
    await this.client.promiseRegisterListener({ awaitedId, address });
  }

  /** A promise that has settled, with an unblock for the address on its way. */
  async unblock(...addresses: string[]): Promise<string> {
    const id = await this.promise();
    for (const address of addresses) await this.listen(id, address);
    await this.settle(id);
    return id;
  }

  /**
   * When this resolves, the stream has got everything that could be pushed to it: an unblock for it alone, which takes no
   * credit, has come behind.
   */
  async barrier(recorder: DispatchRecorder, { group, pid }: RecorderRequest): Promise<void> {
    const address = `uni@${group}/${pid}`;
    const promiseId = await this.unblock(address);
    await recorder.until(() => recorder.unblocked.includes(promiseId));
    await this.client.dispatchAcknowledge({ unblocks: [{ promiseId, address }] });
  }

  async #create(id: string, tags: [string, string][]): Promise<void> {
    await this.client.promiseCreate({ promise: { id, timeoutAtMs: inAnHour(), tags: new Map(tags) } });
  }
}
