/** A session's stream on a call of grpc-js. */
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { ServerWritableStream, ServiceError } from '@grpc/grpc-js';
import {
  DispatchEvent,
  type DispatchResponse,
  DispatchServiceService,
} from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import type { EndReason, SessionEvent, SessionStream } from '../dispatch/session-stream.js';
import type { Timer, Timers } from '../engine/timers.js';
import { promiseRecord } from './records.js';
import { WireWriter } from './wire-writer.js';

/** As many events as one frame carries. */
const FRAME_EVENTS = 50;
/** A frame is closed before the event that would bring it over this many bytes; so none is larger than this or one event. */
const FRAME_BYTES = 64 * 1024;
/** How long a client may take to read what precedes the status, in ms. Then the stream is reset. */
const END_GRACE = 5_000;

/** What hello says about this server, and what the adapter needs of it. */
export interface DispatchStreamOptions {
  readonly serverVersion: string;
  readonly maxRequestBytes: number;
  readonly capabilities: readonly string[];
  /** The status that a stream ends with. */
  readonly toError: (reason: EndReason) => ServiceError;
  readonly timers: Timers;
}

/** A frame that has been encoded already, because its size had to be known. */
class Frame implements DispatchResponse {
  readonly events: DispatchEvent[];
  readonly encoded: Buffer;

  constructor(events: DispatchEvent[], encoded: Buffer) {
    this.events = events;
    this.encoded = encoded;
  }
}

/** The service with a serialiser that does not encode a frame a second time. */
export const dispatchServiceDefinition = {
  ...DispatchServiceService,
  dispatch: {
    ...DispatchServiceService.dispatch,
    responseSerialize: (response: DispatchResponse): Buffer =>
      response instanceof Frame ? response.encoded : DispatchServiceService.dispatch.responseSerialize(response),
  },
} as const;

/**
 * What is unsent is counted from the write to its callback: grpc-js hands one frame at a time to HTTP/2, which calls back
 * when the socket has taken it, within the client's flow-control window. Neither says that the client has received it.
 */
export class DispatchStream implements SessionStream {
  readonly #call: ServerWritableStream<unknown, DispatchResponse>;
  readonly #options: DispatchStreamOptions;
  readonly #http2: ServerHttp2Stream | undefined;
  #unsentFrames = 0;
  #unsentBytes = 0;
  #isEnded = false;
  #isClosed = false;
  #onProgress: () => void = () => {};
  #onClose: () => void = () => {};
  #reset: Timer | undefined;

  constructor(call: ServerWritableStream<unknown, DispatchResponse>, options: DispatchStreamOptions) {
    this.#call = call;
    this.#options = options;
    this.#http2 = http2StreamOf(call);
    const closed = () => this.#closed();
    call.on('cancelled', closed);
    call.on('close', closed);
    // A call that was cut before its handler ran says nothing any more; its HTTP/2 stream does.
    this.#http2?.once('close', () => {
      this.#reset?.cancel();
      closed();
    });
    if (call.cancelled || this.#http2?.destroyed === true || this.#http2?.closed === true) this.#isClosed = true;
  }

  get unsentFrames(): number {
    return this.#unsentFrames;
  }

  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  send(events: readonly SessionEvent[], written?: () => void): void {
    if (this.#isEnded || this.#isClosed) return;
    const frames = encodeFrames(events.map((event) => this.#toWire(event)));
    frames.forEach((frame, i) => this.#write(frame, i === frames.length - 1 ? written : undefined));
  }

  onProgress(listener: () => void): void {
    this.#onProgress = listener;
  }

  onClose(listener: () => void): void {
    this.#onClose = listener;
    if (this.#isClosed) listener();
  }

  /** Emits the error: `end` would send OK, and `destroy` nothing. */
  end(reason: EndReason): void {
    if (this.#isEnded || this.#isClosed) return;
    this.#isEnded = true;
    this.#call.emit('error', this.#options.toError(reason));
    // The status waits behind what is unsent, and that for the client. A reset does not, and gives the memory back.
    this.#reset = this.#options.timers.after(END_GRACE, () => this.#http2?.close(constants.NGHTTP2_ENHANCE_YOUR_CALM));
  }

  #write(frame: Frame, written: (() => void) | undefined): void {
    const bytes = frame.encoded.length;
    this.#unsentFrames++;
    this.#unsentBytes += bytes;
    // The typed signature of the library has no error; the stream's callback has.
    this.#call.write(frame, (error?: Error | null) => {
      this.#unsentFrames--;
      this.#unsentBytes -= bytes;
      if (error) {
        this.#closed();
      } else if (!this.#isClosed) {
        written?.();
        this.#onProgress();
      }
    });
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
  }

  #toWire(event: SessionEvent): DispatchEvent {
    switch (event.kind) {
      case 'hello': {
        const { serverVersion, maxRequestBytes, capabilities } = this.#options;
        const { sessionId, pingInterval, maxInFlight, retryTimeout } = event;
        const limits = { maxInFlight, maxRequestBytes, retryTimeoutMs: retryTimeout };
        const value = {
          sessionId,
          serverVersion,
          pingIntervalMs: pingInterval,
          limits,
          capabilities: [...capabilities],
        };
        return { event: { $case: 'hello', value } };
      }
      case 'execute':
        return { event: { $case: 'execute', value: { taskId: event.taskId, version: event.version } } };
      case 'unblock':
        return {
          event: { $case: 'unblock', value: { promise: promiseRecord(event.promise), address: event.address } },
        };
      case 'ping':
        return { event: { $case: 'ping', value: {} } };
      case 'drain':
        return { event: { $case: 'drain', value: {} } };
    }
  }
}

const eventWriter = new WireWriter();
const frameWriter = new WireWriter();

function encodeFrames(events: readonly DispatchEvent[]): Frame[] {
  const frames: Frame[] = [];
  let framed: DispatchEvent[] = [];
  let bytes = 0;
  eventWriter.reset();
  frameWriter.reset();
  for (const event of events) {
    DispatchEvent.encode(event, eventWriter);
    const encoded = eventWriter.finish();
    if (framed.length > 0 && (framed.length === FRAME_EVENTS || bytes + encoded.length > FRAME_BYTES)) {
      frames.push(new Frame(framed, frameWriter.finish()));
      framed = [];
      bytes = 0;
    }
    framed.push(event);
    bytes += encoded.length;
    // DispatchResponse.events
    frameWriter.uint32(10).bytes(encoded);
  }
  if (framed.length > 0) frames.push(new Frame(framed, frameWriter.finish()));
  return frames;
}

/**
 * The HTTP/2 stream below a call. grpc-js has no public way to it, and none to reset a stream whose client does not read; a
 * test watches that this one stays open.
 */
function http2StreamOf(call: object): ServerHttp2Stream | undefined {
  let layer: unknown = call;
  while (typeof layer === 'object' && layer !== null) {
    if ('stream' in layer) return layer.stream as ServerHttp2Stream;
    // An interceptor wraps the call below it.
    layer = 'call' in layer ? layer.call : 'nextCall' in layer ? layer.nextCall : undefined;
  }
  return undefined;
}
