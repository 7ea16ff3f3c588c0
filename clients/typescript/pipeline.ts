import { Metadata, type Client, type ClientDuplexStream, type ServiceError } from '@grpc/grpc-js';
import type { Clock, Timer } from './clock.js';
import { cancelled, Code, fromRefusal, fromServiceError, ResonateError } from './errors.js';
import {
  PipelineRequest,
  PipelineServiceService,
  type PipelineAnswer,
  type PipelineCall,
  type PipelineResponse,
} from './gen/resonate_grpc/v1/pipeline.js';

/** Any request of a unary RPC. */
export type PipelinedRequest = NonNullable<PipelineCall['request']>;

/** How long a call may take, and what cancels it. */
export interface PipelinedCallOptions {
  /** In ms. Absent: for ever. */
  readonly deadlineMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A frame is closed by the call that brings it to this many bytes. */
const FRAME_BYTES = 64 * 1024;
const GREATEST_ID = 2 ** 32 - 1;

/**
 * Calls that share one stream, see PipelineService: they cost both sides a fraction of what calls of their own cost. The stream is
 * opened by the first call, and again by the first one after it ended; calls without an answer fail as it ends.
 */
export class Pipeline {
  readonly #channel: Client;
  readonly #clock: Clock;
  #isOffered = false;
  #stream: PipelineStream | undefined;

  constructor(channel: Client, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  /** Whether the server has Pipeline, as the last hello said. If not, the stream ends behind the answers that are on their way. */
  offer(isOffered: boolean): void {
    this.#isOffered = isOffered;
    if (isOffered) return;
    this.#stream?.end();
    this.#stream = undefined;
  }

  /** Calls that are under way fail. */
  close(): void {
    this.#isOffered = false;
    this.#stream?.cancel();
  }

  /**
   * Makes the call; undefined if it has to be one of its own: the server has no Pipeline, or the request is so large that it would
   * hold up others.
   */
  call(request: PipelinedRequest, { deadlineMs, signal }: PipelinedCallOptions): Promise<unknown> | undefined {
    if (!this.#isOffered) return undefined;
    if (signal?.aborted) return Promise.reject(cancelled(signal));
    const stream = this.#current();
    const id = stream.freeId();
    // Messages that follow each other merge, so frames are made of requests of one call.
    const bytes = PipelineRequest.encode({ calls: [{ callId: id, request }] }).finish();
    if (bytes.length > FRAME_BYTES) return undefined;
    return new Promise((resolve, reject) => {
      const giveUp = (error: ResonateError): void => {
        stream.forget(id);
        leave();
        reject(error);
      };
      const abort = (): void => giveUp(cancelled(signal as AbortSignal));
      const expire = (): void => {
        giveUp(new ResonateError('the deadline has passed', { code: Code.DEADLINE_EXCEEDED }));
        // Not a word since it was sent: whatever the connection believes, nobody is there.
        if (stream.heard === heard) this.#leave(stream);
      };
      const leave = (): void => {
        timer?.cancel();
        signal?.removeEventListener('abort', abort);
      };
      const { heard } = stream;
      const timer: Timer | undefined = deadlineMs === undefined ? undefined : this.#clock.after(deadlineMs, expire);
      signal?.addEventListener('abort', abort);
      stream.send(id, bytes, (outcome) => {
        leave();
        if (outcome instanceof Error) reject(outcome);
        else if (outcome.$case === 'refusal') reject(fromRefusal(outcome.value));
        else resolve(outcome.value);
      });
    });
  }

  #current(): PipelineStream {
    this.#stream ??= new PipelineStream(this.#channel, (stream, error) => {
      if (error?.code === Code.UNIMPLEMENTED) this.#isOffered = false;
      if (this.#stream === stream) this.#stream = undefined;
    });
    return this.#stream;
  }

  #leave(stream: PipelineStream): void {
    if (this.#stream === stream) this.#stream = undefined;
    stream.cancel();
  }
}

type Outcome = NonNullable<PipelineAnswer['outcome']> | ResonateError;

/** One stream, from its opening to its end. */
class PipelineStream {
  readonly #stream: ClientDuplexStream<Buffer, PipelineResponse>;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  #lastId = 0;
  #frame: Uint8Array[] = [];
  #frameBytes = 0;
  #isEnding = false;
  /** How many frames have come. */
  heard = 0;

  constructor(channel: Client, onEnd: (stream: PipelineStream, error: ServiceError | undefined) => void) {
    const { path, responseDeserialize } = PipelineServiceService.pipeline;
    const asItIs = (frame: Buffer): Buffer => frame;
    this.#stream = channel.makeBidiStreamRequest(path, asItIs, responseDeserialize, new Metadata());
    this.#stream.on('data', (frame: PipelineResponse) => this.#hear(frame));
    const ended = (error?: ServiceError): void => {
      onEnd(this, error);
      for (const answer of this.#waiting.values()) answer(errorOfEnd(error));
      this.#waiting.clear();
    };
    this.#stream.on('error', ended);
    this.#stream.on('end', ended);
  }

  /** An id that no call on its way has. */
  freeId(): number {
    do this.#lastId = this.#lastId === GREATEST_ID ? 1 : this.#lastId + 1;
    while (this.#waiting.has(this.#lastId));
    return this.#lastId;
  }

  /** Sends a request together with all that this turn of the event loop has to send. */
  send(id: number, bytes: Uint8Array, answer: (outcome: Outcome) => void): void {
    this.#waiting.set(id, answer);
    if (this.#frame.length === 0) setImmediate(() => this.#flush());
    this.#frame.push(bytes);
    this.#frameBytes += bytes.length;
    if (this.#frameBytes >= FRAME_BYTES) this.#flush();
  }

  /** Nobody waits for this answer any more. */
  forget(id: number): void {
    this.#waiting.delete(id);
  }

  /** Sends nothing more, and ends behind the last answer. */
  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  cancel(): void {
    this.#stream.cancel();
  }

  #flush(): void {
    if (this.#frame.length > 0) this.#stream.write(Buffer.concat(this.#frame, this.#frameBytes));
    this.#frame = [];
    this.#frameBytes = 0;
    if (this.#isEnding) this.#stream.end();
  }

  #hear({ answers }: PipelineResponse): void {
    this.heard += 1;
    for (const { callId, outcome } of answers) {
      const answer = this.#waiting.get(callId);
      this.#waiting.delete(callId);
      answer?.(outcome ?? new ResonateError('an answer without an outcome', { code: Code.INTERNAL }));
    }
  }
}

/** What a call meets whose stream ended before its answer. */
function errorOfEnd(error: ServiceError | undefined): ResonateError {
  if (error === undefined) return new ResonateError('the stream of calls has ended', { code: Code.UNAVAILABLE });
  // The server has no Pipeline any more: nothing has run, and the next try is a call of its own.
  if (error.code === Code.UNIMPLEMENTED)
    return new ResonateError(error.details, { code: Code.UNAVAILABLE }, { cause: error });
  return fromServiceError(error);
}
