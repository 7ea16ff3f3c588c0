import type { ClientReadableStream, ServiceError } from '@grpc/grpc-js';
import { backoffDelay, CALL_BACKOFF } from './backoff.js';
import type { ResonateClient } from './client.js';
import type { Timer } from './clock.js';
import { Code, fromServiceError, type ResonateError } from './errors.js';
import type {
  DispatchEvent,
  DispatchExecute,
  DispatchHello,
  DispatchRequest,
  DispatchResponse,
  DispatchUnblock,
} from './gen/resonate_grpc/v1/dispatch.js';
import type { Log } from './log.js';

/** What happens on a stream. */
export interface DispatchListener {
  /** The stream is open: the first time, or again. */
  hello(hello: DispatchHello): void;
  /** A task can be acquired. */
  execute?(execute: DispatchExecute): void;
  /** A promise has settled. The same one may come twice. */
  unblock(unblock: DispatchUnblock): void;
  /** What was pushed and not acquired goes to others: the server is about to stop, or the stream has ended. */
  lapsed(): void;
  /** The stream has ended for good: another process has this pid, or the request is wrong. */
  failed(error: ResonateError): void;
}

/** How long the server may take to say hello, in ms. */
const HELLO_TIMEOUT_MS = 15_000;
/** A stream is dead after this many ping intervals of silence. */
const SILENT_INTERVALS = 3;
/** A stream that lasted this long, in ms, was a good one: the next reconnect is a first one again. */
const STABLE_MS = 10_000;
/** After a drain all clients of a server come back at about the same time: this spreads them, in ms. */
const DRAIN_SPREAD_MS = 2_000;

/**
 * Keeps one Dispatch stream open: reconnects with jittered back-off after any end but a final one, and after three ping intervals
 * of silence. At most one stream is current; what an older one still says is not heard.
 */
export class DispatchStream {
  #stream: ClientReadableStream<DispatchResponse> | undefined;
  #timer: Timer | undefined;
  #silenceMs = HELLO_TIMEOUT_MS;
  #failures = 0;
  #helloAt: number | undefined;
  #draining = false;
  #stopped = false;

  constructor(
    private readonly client: ResonateClient,
    private readonly request: Partial<DispatchRequest>,
    private readonly listener: DispatchListener,
    private readonly log: Log,
  ) {}

  /** Opens the stream; not once it was stopped. */
  start(): void {
    if (this.#stopped) return;
    const stream = this.client.dispatch(this.request);
    this.#stream = stream;
    this.#helloAt = undefined;
    this.#draining = false;
    this.#silenceMs = HELLO_TIMEOUT_MS;
    this.#watch();
    stream.on('data', (frame: DispatchResponse) => {
      if (stream === this.#stream) this.#hear(frame);
    });
    stream.on('error', (error: ServiceError) => this.#ended(stream, fromServiceError(error)));
    // No error: something between us and the server ended the stream with OK, which the server never does.
    stream.on('status', () => this.#ended(stream));
  }

  /** Ends the stream for good. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#leave();
    this.client.serverOffers([]);
  }

  #hear(frame: DispatchResponse): void {
    for (const { event } of frame.events) {
      this.#tell(event);
      if (this.#stopped) return;
    }
    this.#watch();
  }

  #tell(event: DispatchEvent['event']): void {
    switch (event?.$case) {
      case 'hello':
        this.#helloAt = this.client.clock.now();
        this.#silenceMs = SILENT_INTERVALS * event.value.pingIntervalMs || HELLO_TIMEOUT_MS;
        this.client.serverOffers(event.value.capabilities);
        return this.listener.hello(event.value);
      case 'execute':
        return this.listener.execute?.(event.value);
      case 'unblock':
        return this.listener.unblock(event.value);
      case 'drain':
        this.#draining = true;
        return this.listener.lapsed();
    }
  }

  #watch(): void {
    this.#timer?.cancel();
    this.#timer = this.client.clock.after(this.#silenceMs, () => {
      this.log.warn({ silentMs: this.#silenceMs }, 'dispatch stream is silent');
      this.#reconnect();
    });
  }

  #ended(stream: ClientReadableStream<DispatchResponse>, error?: ResonateError): void {
    if (stream !== this.#stream) return;
    if (error && isFinal(error)) {
      this.stop();
      this.listener.lapsed();
      this.log.error({ code: error.code, reason: error.reason }, 'dispatch stream has ended for good');
      return this.listener.failed(error);
    }
    this.log.warn({ code: error?.code, reason: error?.reason, problem: error?.message }, 'dispatch stream has ended');
    this.#reconnect();
  }

  #reconnect(): void {
    const { clock } = this.client;
    if (this.#helloAt !== undefined && clock.now() - this.#helloAt >= STABLE_MS) this.#failures = 0;
    const backoff = this.#draining ? { initialMs: DRAIN_SPREAD_MS, maxMs: DRAIN_SPREAD_MS } : CALL_BACKOFF;
    const delay = backoffDelay(backoff, this.#failures, clock);
    this.#failures += 1;
    this.#leave();
    this.listener.lapsed();
    this.#timer?.cancel();
    this.#timer = clock.after(delay, () => this.start());
  }

  /** What the stream says from now on, its own end included, is not heard. */
  #leave(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.cancel();
  }
}

/** Coming back would meet the same end. */
function isFinal(error: ResonateError): boolean {
  return error.reason === 'SESSION_REPLACED' || error.code === Code.INVALID_ARGUMENT;
}
