/** A server without a mind of its own: a test takes each call as it comes and says what it answers. */
import { once } from 'node:events';
import {
  Metadata,
  Server,
  ServerCredentials,
  status as Code,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { Any, ErrorInfo } from 'nice-grpc-error-details';
import { Status } from 'nice-grpc-error-details/lib/proto/google/rpc/status.js';
import type { CallName, Calls } from '../../clients/typescript/calls.js';
import {
  DispatchResponse,
  DispatchServiceService,
  type DispatchEvent,
  type DispatchRequest,
} from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import {
  PipelineServiceService,
  type PipelineAnswer,
  type PipelineCall,
  type PipelineRequest,
  type PipelineResponse,
} from '../../clients/typescript/gen/resonate_grpc/v1/pipeline.js';
import {
  PromiseRecord,
  PromiseServiceService,
  PromiseState,
} from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { ScheduleServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import { TaskServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { encodeJson } from '../../clients/typescript/value.js';
import { Inbox } from './inbox.js';

type Request<Name extends CallName> = Parameters<Calls[Name]>[0];
type Response<Name extends CallName> = Awaited<ReturnType<Calls[Name]>>;

/** A refusal as the real server writes it. */
export interface ScriptedRefusal {
  readonly code: Code;
  readonly reason?: string;
  readonly status?: number;
  readonly metadata?: Record<string, string>;
  readonly message?: string;
  readonly domain?: string;
}

/** A unary call that waits for its answer. */
export interface ScriptedCall<Name extends CallName> {
  readonly request: Request<Name>;
  readonly hasDeadline: boolean;
  /** Resolves when the client has given the call up. */
  readonly cancelled: Promise<void>;
  readonly reply: (response: Response<Name>) => void;
  readonly refuse: (refusal: ScriptedRefusal) => void;
  /** What a client sees when the connection breaks before the answer. */
  readonly lose: () => void;
}

/** An open Dispatch stream. */
export interface ScriptedStream {
  readonly request: DispatchRequest;
  readonly cancelled: Promise<void>;
  send(...events: NonNullable<DispatchEvent['event']>[]): void;
  hello(sessionId?: string, pingIntervalMs?: number, capabilities?: string[]): void;
  execute(taskId: string, version: number): void;
  fail(refusal: ScriptedRefusal): void;
  /** With OK, as the real server never does. */
  end(): void;
}

/** An open Pipeline stream. */
export interface ScriptedPipeline {
  /** Each as the client sent it. */
  readonly frames: Inbox<readonly PipelineCall[]>;
  readonly cancelled: Promise<void>;
  /** Resolves when the client has said that nothing more will come. */
  readonly ended: Promise<void>;
  answer(...answers: PipelineAnswer[]): void;
  fail(refusal: ScriptedRefusal): void;
  end(): void;
}

export class ScriptedServer {
  readonly streams = new Inbox<ScriptedStream>('a Dispatch stream');
  readonly pipelines = new Inbox<ScriptedPipeline>('a Pipeline stream');
  readonly #calls = new Map<string, Inbox<ScriptedCall<CallName>>>();
  #server = new Server();
  #port = 0;

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Listens; on the same port as before if it has listened before. */
  async start({ hasPipeline = true } = {}): Promise<void> {
    this.#server = new Server();
    for (const service of [PromiseServiceService, TaskServiceService, ScheduleServiceService, DispatchServiceService]) {
      const handlers: UntypedServiceImplementation = {};
      for (const name of Object.keys(service)) handlers[name] = this.#handler(name);
      this.#server.addService(service, handlers);
    }
    if (hasPipeline) {
      this.#server.addService(PipelineServiceService, {
        pipeline: (call: Pipeline) => this.pipelines.put(scriptedPipeline(call)),
      });
    }
    this.#port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(this.address, ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
  }

  /** Cuts every connection. */
  kill(): void {
    this.#server.forceShutdown();
  }

  /** The next call of this RPC, answered or not by the time it is taken. */
  next<Name extends CallName>(name: Name): Promise<ScriptedCall<Name>> {
    return this.#inbox(name).next() as Promise<unknown> as Promise<ScriptedCall<Name>>;
  }

  /** How many calls of this RPC have come and have not been taken. */
  waiting(name: CallName): number {
    return this.#inbox(name).size;
  }

  #inbox(name: string): Inbox<ScriptedCall<CallName>> {
    const inbox = this.#calls.get(name) ?? new Inbox(name);
    this.#calls.set(name, inbox);
    return inbox;
  }

  #handler(name: string): UntypedHandleCall {
    if (name === 'dispatch') {
      return (call: ServerWritableStream<DispatchRequest, DispatchResponse>) => this.streams.put(scriptedStream(call));
    }
    return (call: ServerUnaryCall<unknown, unknown>, answer: sendUnaryData<unknown>): void =>
      this.#inbox(name).put({
        request: call.request as Request<CallName>,
        hasDeadline: call.getDeadline() !== Infinity,
        cancelled: once(call, 'cancelled').then(() => {}),
        reply: (response) => answer(null, response),
        refuse: (refusal) => answer(toServerError(refusal)),
        lose: () => answer(toServerError({ code: Code.UNAVAILABLE, message: 'Connection dropped' })),
      });
  }
}

type Pipeline = ServerDuplexStream<PipelineRequest, PipelineResponse>;

function scriptedPipeline(call: Pipeline): ScriptedPipeline {
  const frames = new Inbox<readonly PipelineCall[]>('a frame');
  call.on('data', ({ calls }: PipelineRequest) => frames.put(calls));
  return {
    frames,
    cancelled: once(call, 'cancelled').then(() => {}),
    ended: once(call, 'end').then(() => {}),
    answer: (...answers) => void call.write({ answers }),
    fail: (refusal) => void call.emit('error', toServerError(refusal)),
    end: () => call.end(),
  };
}

function scriptedStream(call: ServerWritableStream<DispatchRequest, DispatchResponse>): ScriptedStream {
  const send = (...events: NonNullable<DispatchEvent['event']>[]): void => {
    call.write(DispatchResponse.fromPartial({ events: events.map((event) => ({ event })) }));
  };
  return {
    request: call.request,
    cancelled: once(call, 'cancelled').then(() => {}),
    send,
    hello: (sessionId = 'session', pingIntervalMs = 15_000, capabilities = []) =>
      send({
        $case: 'hello',
        value: { sessionId, serverVersion: '0', pingIntervalMs, limits: undefined, capabilities },
      }),
    execute: (taskId, version) => send({ $case: 'execute', value: { taskId, version } }),
    fail: (refusal) => void call.emit('error', toServerError(refusal)),
    end: () => call.end(),
  };
}

function toServerError(refusal: ScriptedRefusal): Error & { code: Code; details: string; metadata: Metadata } {
  const { code, reason, status, metadata = {}, message = 'scripted', domain = 'resonate-grpc' } = refusal;
  const trailers = new Metadata();
  if (reason !== undefined) {
    const all = status === undefined ? metadata : { ...metadata, status: String(status) };
    const info = ErrorInfo.fromPartial({ reason, domain, metadata: all });
    const packed = Any.fromPartial({
      typeUrl: 'type.googleapis.com/google.rpc.ErrorInfo',
      value: ErrorInfo.encode(info).finish(),
    });
    const details = Status.encode(Status.fromPartial({ code, message, details: [packed] })).finish();
    trailers.set('grpc-status-details-bin', Buffer.from(details));
  }
  return Object.assign(new Error(message), { code, details: message, metadata: trailers });
}

/** A promise as the real server shows it. */
export function pendingRecord(id: string, param?: unknown): PromiseRecord {
  return PromiseRecord.fromPartial({
    id,
    state: PromiseState.PROMISE_STATE_PENDING,
    param: encodeJson(param),
    value: {},
    timeoutAtMs: 9_000_000_000_000,
    createdAtMs: 1_000,
  });
}

/** The same, settled. */
export function settledRecord(
  id: string,
  value?: unknown,
  state: PromiseState = PromiseState.PROMISE_STATE_RESOLVED,
): PromiseRecord {
  return { ...pendingRecord(id), state, value: encodeJson(value), settledAtMs: 2_000 };
}
