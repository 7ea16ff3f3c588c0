/** A Dispatch stream on a raw stub, and all that came over it. */
import type { ClientReadableStream, ServiceError } from '@grpc/grpc-js';
import type {
  DispatchEvent,
  DispatchExecute,
  DispatchHello,
  DispatchRequest,
  DispatchResponse,
  DispatchUnblock,
} from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import { fromServiceError, type ResonateError } from '../../clients/typescript/errors.js';
import { Stubs } from './stubs.js';

type Kind = NonNullable<DispatchEvent['event']>['$case'];

/** Who opens the stream. */
export type RecorderRequest = { group: string; pid: string } & Partial<DispatchRequest>;

export class DispatchRecorder {
  /** The frames so far. */
  readonly frames: DispatchResponse[] = [];
  /** Resolves when the stream has ended, with its status; undefined for OK. */
  readonly ended: Promise<ResonateError | undefined>;
  /** The connection of this stream alone. */
  readonly stubs: Stubs;
  readonly #stream: ClientReadableStream<DispatchResponse>;
  readonly #watchers = new Set<() => void>();
  #end: { error: ServiceError | undefined } | undefined;

  private constructor(address: string, request: RecorderRequest) {
    this.stubs = new Stubs(address);
    this.#stream = this.stubs.dispatch({ maxInFlight: undefined, autoAcknowledgeUnblocks: false, ...request });
    this.#stream.on('data', (frame: DispatchResponse) => {
      this.frames.push(frame);
      this.#notify();
    });
    this.ended = new Promise((resolve) => {
      const end = (error?: ServiceError): void => {
        this.#end ??= { error };
        this.#notify();
        resolve(error && fromServiceError(error));
      };
      this.#stream.on('error', end);
      this.#stream.on('end', () => end());
    });
  }

  /** Opens a stream on a connection of its own. */
  static open(address: string, request: RecorderRequest): DispatchRecorder {
    return new DispatchRecorder(address, request);
  }

  /** Opens a stream and waits for its hello. Rejects with the `ServiceError` if it ends instead. */
  static async connect(address: string, request: RecorderRequest): Promise<DispatchRecorder> {
    const recorder = new DispatchRecorder(address, request);
    await recorder.hello();
    return recorder;
  }

  get events(): DispatchEvent['event'][] {
    return this.frames.flatMap(({ events }) => events.map(({ event }) => event));
  }

  get kinds(): Kind[] {
    return this.events.map((event) => event!.$case);
  }

  /** The executes so far, in order. */
  get executes(): DispatchExecute[] {
    return this.events.flatMap((event) => (event?.$case === 'execute' ? [event.value] : []));
  }

  /** The ids of the tasks that were pushed so far, in order, repeats included. */
  get pushed(): string[] {
    return this.executes.map(({ taskId }) => taskId);
  }

  /** The unblocks so far, in order. */
  get unblocks(): DispatchUnblock[] {
    return this.events.flatMap((event) => (event?.$case === 'unblock' ? [event.value] : []));
  }

  /** The ids of the promises that were reported as settled so far, in order, repeats included. */
  get unblocked(): string[] {
    return this.unblocks.map(({ promise }) => promise!.id);
  }

  async hello(): Promise<DispatchHello> {
    await this.until(() => this.frames.length > 0);
    const [first] = this.events;
    if (first?.$case !== 'hello') throw new Error(`the first event is ${first?.$case}`);
    return first.value;
  }

  /** Resolves with the execute of this task, the first with at least this version. */
  async execute(taskId: string, version = 0): Promise<DispatchExecute> {
    const find = () => this.executes.find((execute) => execute.taskId === taskId && execute.version >= version);
    await this.until(() => find() !== undefined);
    return find()!;
  }

  /** Resolves when so many executes have come, in all. */
  async executed(count: number): Promise<void> {
    await this.until(() => this.executes.length >= count);
  }

  /** Calls back with every event that has come, and that comes. */
  follow(listener: (event: NonNullable<DispatchEvent['event']>) => void): void {
    const tell = ({ events }: DispatchResponse): void => events.forEach(({ event }) => listener(event!));
    this.frames.forEach(tell);
    this.#stream.on('data', tell);
  }

  /** Resolves when the condition holds, which is looked at with each frame. Rejects if the stream ends before. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (condition()) resolve();
        else if (this.#end !== undefined) reject(this.#end.error ?? new Error('the stream ended with OK'));
        else return;
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Cancels the stream; its connection stays. */
  cancel(): void {
    this.#stream.cancel();
  }

  /** Cancels the stream and closes its connection. */
  close(): void {
    this.cancel();
    this.stubs.close();
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }
}
