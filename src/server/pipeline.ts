/** One stream of calls. */
import { status } from '@grpc/grpc-js';
import type { Log } from '../engine/log.js';
import { Refusal } from '../../clients/typescript/gen/resonate_grpc/v1/refusal.js';
import { invalid, RequestError } from './errors.js';
import type { Caller } from './method.js';
import { FrameWriter, readFrame, REFUSAL_FIELD, type PipelineCall, type PipelineMethod } from './pipeline-calls.js';
import { refusalRecord } from './records.js';
import { visible } from './unary.js';

/** How many calls of a stream run at a time: half of what shares a transaction, so that others have their place in each. */
export const MAX_RUNNING = 256;
/** How many PromiseWaits a stream holds: they run for as long as they like, and take no place of others. */
export const MAX_WAITS = 1_000;
/** With this many bytes of answers unsent, the next call waits. */
const MAX_UNSENT_BYTES = 1024 ** 2;
/** A frame is closed by the answer that brings it over this many bytes. */
const FRAME_BYTES = 64 * 1024;

/** Where the answers go. */
export interface AnswerStream {
  /** `written` is called when the frame has left, or never if the stream breaks. */
  write(frame: Buffer, written: () => void): void;
}

export interface PipelineOptions {
  readonly methods: ReadonlyMap<number, PipelineMethod>;
  readonly stream: AnswerStream;
  readonly log: Log;
}

/**
 * Calls start in the order in which they came, as far as there is room; whoever feeds frames waits for `accept`, and so the
 * sender for him. The engine runs mutations in the order in which it gets them.
 */
export class Pipeline implements Caller {
  readonly #options: PipelineOptions;
  readonly #gone: (() => void)[] = [];
  #frame = new FrameWriter();
  #flushing = false;
  #unsentBytes = 0;
  #unstarted = 0;
  #running = 0;
  #writes = 0;
  #waits = 0;
  #isBroken = false;
  /** Wakes those who wait for fewer calls or bytes on their way. */
  #onRoom: (() => void)[] = [];

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  /** What was accepted runs, whoever waits for it. */
  readonly isGone = false;

  /** For PromiseWaits, which nobody needs any more when the stream is gone. */
  onGone(listener: () => void): void {
    if (this.#isBroken) listener();
    else this.#gone.push(listener);
  }

  get hasWritten(): boolean {
    return this.#writes > 0;
  }

  /** Starts the calls of a frame; resolves when all have been started. Throws INVALID_ARGUMENT for what is not a frame. */
  async accept(frame: Buffer): Promise<void> {
    const calls = readFrame(frame);
    this.#unstarted = calls.length;
    for (const call of calls) {
      while (!this.#hasRoom) await this.#room();
      this.#unstarted--;
      this.#start(call);
    }
  }

  /** The stream is gone: answers go nowhere. */
  break(): void {
    this.#isBroken = true;
    for (const listener of this.#gone.splice(0)) listener();
    this.#wake();
  }

  /** Resolves when every call that was accepted has been answered. */
  async answered(): Promise<void> {
    while (this.#unstarted + this.#running + this.#waits > 0) await this.#room();
    this.#flush();
  }

  get #hasRoom(): boolean {
    return this.#running < MAX_RUNNING && (this.#isBroken || this.#unsentBytes < MAX_UNSENT_BYTES);
  }

  #room(): Promise<void> {
    return new Promise((resolve) => this.#onRoom.push(resolve));
  }

  #wake(): void {
    for (const wake of this.#onRoom.splice(0)) wake();
  }

  #start(call: PipelineCall): void {
    const called = this.#options.methods.get(call.field);
    const isWait = called?.name === 'PromiseWait';
    const writes = called?.method.writes === true;
    if (isWait) this.#waits++;
    else this.#running++;
    if (writes) this.#writes++;
    this.#run(call, called)
      .catch((error: unknown) => this.#refuse(call, visible(this.#options.log, error)))
      .finally(() => {
        if (isWait) this.#waits--;
        else this.#running--;
        if (writes) this.#writes--;
        this.#wake();
      });
  }

  async #run({ id, field, request }: PipelineCall, called: PipelineMethod | undefined): Promise<void> {
    if (called === undefined) throw invalid('request', field === 0 ? 'required' : `field ${field} is no known request`);
    if (this.#waits > MAX_WAITS) {
      throw new RequestError(status.RESOURCE_EXHAUSTED, 'OVERLOADED', `more than ${MAX_WAITS} waits on one stream`);
    }
    const decoded = called.decode(request);
    if ('error' in decoded) throw decoded.error;
    const response = await called.method.handle(decoded.message, this);
    this.#answer(id, called.answerField, called.encode(response));
  }

  #refuse({ id }: PipelineCall, error: RequestError): void {
    this.#answer(id, REFUSAL_FIELD, Refusal.encode(refusalRecord(error)).finish());
  }

  #answer(id: number, field: number, bytes: Uint8Array): void {
    if (this.#isBroken) return;
    this.#frame.add(id, field, bytes);
    if (this.#frame.bytes >= FRAME_BYTES) return this.#flush();
    if (this.#flushing) return;
    this.#flushing = true;
    // Behind everything that this turn answers: a transaction answers many at once.
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    this.#flushing = false;
    const { bytes } = this.#frame;
    if (bytes === 0 || this.#isBroken) return;
    this.#unsentBytes += bytes;
    this.#options.stream.write(this.#frame.finish(), () => {
      this.#unsentBytes -= bytes;
      this.#wake();
    });
  }
}
