import {
  Client,
  credentials as grpcCredentials,
  Metadata,
  type CallOptions as GrpcOptions,
  type ChannelCredentials,
  type ChannelOptions,
  type ClientReadableStream,
} from '@grpc/grpc-js';
import { backoffDelay, CALL_BACKOFF } from './backoff.js';
import { CALLS, type Call, type CallName, type CallOptions, type Calls } from './calls.js';
import { sleep, systemClock, type Clock } from './clock.js';
import { cancelled, Code, fromServiceError, ResonateError } from './errors.js';
import {
  DispatchRequest,
  DispatchServiceService,
  type DispatchResponse,
  type DeepPartial,
} from './gen/resonate_grpc/v1/dispatch.js';
import { Pipeline, type PipelinedRequest } from './pipeline.js';

/** How to reach a server. */
export interface ClientOptions {
  /** `host:port`, or any name that gRPC understands. */
  readonly address: string;
  /** Absent: no TLS. */
  readonly credentials?: ChannelCredentials;
  /** Over the defaults below. */
  readonly channelOptions?: ChannelOptions;
  /** How long a call may take unless it says otherwise, in ms. Absent: 30,000. */
  readonly deadlineMs?: number;
  /** False: every call is one of its own, also where the server offers to take many on one stream. Absent: true. */
  readonly pipeline?: boolean;
  /** For tests. */
  readonly clock?: Clock;
}

const DEFAULT_DEADLINE_MS = 30_000;
/** grpc-js lets deadlines of 25 to 50 days expire at once. */
const LONGEST_DEADLINE_MS = 24 * 86_400_000;

const CHANNEL_OPTIONS: ChannelOptions = {
  // The server bounds its messages by its own limit on requests, which its operator may have raised.
  'grpc.max_receive_message_length': -1,
  // A connection that a network swallowed is found out even while only a Dispatch stream is open.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  // The default waits up to two minutes before it looks whether the server is back.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 5_000,
  'grpc.enable_channelz': 0,
};

/** One channel to a server, with a promise-based method for every unary RPC. Calls share a stream once the server offers it. */
class BaseConnection {
  /** For tests. */
  readonly clock: Clock;
  readonly #channel: Client;
  readonly #pipeline: Pipeline | undefined;
  readonly #deadlineMs: number;

  constructor(options: ClientOptions) {
    this.clock = options.clock ?? systemClock;
    this.#deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
    this.#channel = new Client(options.address, options.credentials ?? grpcCredentials.createInsecure(), {
      ...CHANNEL_OPTIONS,
      ...options.channelOptions,
    });
    this.#pipeline = options.pipeline === false ? undefined : new Pipeline(this.#channel, this.clock);
    for (const name of Object.keys(CALLS) as CallName[]) {
      const call = CALLS[name] as Call<unknown, unknown>;
      const method = (partial: unknown, options?: CallOptions) => this.#call(name, call, partial, options);
      Object.defineProperty(this, name, { value: method });
    }
  }

  /** Opens a Dispatch stream as it is: no deadline, no reconnect. `DispatchStream` keeps one open. */
  dispatch(request: DeepPartial<DispatchRequest>): ClientReadableStream<DispatchResponse> {
    const { path, requestSerialize, responseDeserialize } = DispatchServiceService.dispatch;
    const complete = DispatchRequest.fromPartial(request);
    return this.#channel.makeServerStreamRequest(path, requestSerialize, responseDeserialize, complete);
  }

  /** What the server has said it can do, see `DispatchHello.capabilities`; nothing once nobody listens any more. */
  serverOffers(capabilities: readonly string[]): void {
    this.#pipeline?.offer(capabilities.includes('pipeline'));
  }

  /** Closes the channel. Calls that are under way fail. */
  close(): void {
    this.#pipeline?.close();
    this.#channel.close();
  }

  async #call<Request, Response>(
    name: CallName,
    call: Call<Request, Response>,
    partial: unknown,
    { deadlineMs = this.#deadlineMs, signal }: CallOptions = {},
  ): Promise<Response> {
    const request = call.fromPartial(partial as never);
    const endAt = this.clock.now() + deadlineMs;
    for (let failures = 0; ; failures += 1) {
      try {
        return await this.#attempt(name, call, request, { deadlineMs: bounded(endAt - this.clock.now()), signal });
      } catch (error) {
        if (!call.retrySafe || !(error instanceof ResonateError) || error.code !== Code.UNAVAILABLE) throw error;
        const delay = backoffDelay(CALL_BACKOFF, failures, this.clock);
        if (this.clock.now() + delay >= endAt) throw error;
        await sleep(this.clock, delay, signal);
      }
    }
  }

  #attempt<Request, Response>(
    name: CallName,
    call: Call<Request, Response>,
    request: Request,
    options: AttemptOptions,
  ): Promise<Response> {
    // A wait is cancelled when nobody waits any more, which only a call of its own can be.
    const pipelined = name === 'promiseWait' ? undefined : this.#pipeline?.call(requestOf(name, request), options);
    return (pipelined as Promise<Response> | undefined) ?? this.#unary(call, request, options);
  }

  #unary<Request, Response>(
    call: Call<Request, Response>,
    request: Request,
    { deadlineMs, signal }: AttemptOptions,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled(signal));
      const options: GrpcOptions = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
      const { path, requestSerialize, responseDeserialize } = call;
      const cancel = (): void => running.cancel();
      const running = this.#channel.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        new Metadata(),
        options,
        (error, response) => {
          signal?.removeEventListener('abort', cancel);
          if (!error) resolve(response as Response);
          else reject(signal?.aborted ? cancelled(signal) : fromServiceError(error));
        },
      );
      signal?.addEventListener('abort', cancel);
    });
  }
}

interface AttemptOptions {
  /** Absent: none. */
  readonly deadlineMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

function bounded(deadlineMs: number): number | undefined {
  return deadlineMs > LONGEST_DEADLINE_MS ? undefined : deadlineMs;
}

function requestOf(name: CallName, request: unknown): PipelinedRequest {
  return { $case: name, value: request } as PipelinedRequest;
}

/** `BaseConnection` with the methods that its constructor defines from the table. */
export const Connection = BaseConnection as new (options: ClientOptions) => BaseConnection & Calls;
