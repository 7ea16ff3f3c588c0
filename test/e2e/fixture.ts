/** A real server with the debug service, and every way to talk to it: typed calls, the service itself, raw bytes. */
import { Client, credentials, type CallOptions, type ChannelOptions, type ServiceError } from '@grpc/grpc-js';
import { expect } from 'chai';
import { CALLS, type CallName } from '../../clients/typescript/calls.js';
import { fromServiceError } from '../../clients/typescript/errors.js';
import {
  DebugServiceService,
  type DebugSnapshotResponse,
} from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { DispatchServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import type { PromiseRecord } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskRecord, TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type { Value } from '../../clients/typescript/gen/resonate_grpc/v1/value.js';
import { Code, ResonateClient, ResonateError, type ReasonName } from '../../clients/typescript/index.js';
import { removeDirectory, ServerProcess, type StartOptions } from '../support/server-process.js';

/** Where requests go: a unary RPC, or the stream. */
export type Rpc = CallName | 'dispatch';

export const RPCS = [...Object.keys(CALLS), 'dispatch'] as readonly Rpc[];

/** What a refusal must consist of. `metadata` without the protocol status, which `status` says. */
export interface Refused {
  readonly code: Code;
  readonly reason: ReasonName;
  readonly status?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** How long no test waits for anything, in ms. */
const FAR = 100_000_000;

/** How a call of bytes is made. */
export interface RawOptions extends CallOptions {
  /** Whether the answer is a stream, of which the first message counts. */
  readonly isStream?: boolean;
}

/** Sends bytes, and what comes back is what the server answered: nothing is completed, checked or tried again. */
export class RawClient {
  readonly channel: Client;

  constructor(address: string, options: ChannelOptions = {}) {
    const limits = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };
    this.channel = new Client(address, credentials.createInsecure(), { ...limits, ...options });
  }

  /** Resolves with the (first) response, rejects with a `ResonateError`. */
  send(rpc: Rpc, bytes: Uint8Array): Promise<Buffer> {
    const { path } = rpc === 'dispatch' ? DispatchServiceService.dispatch : CALLS[rpc];
    return this.call(path, bytes, { isStream: rpc === 'dispatch' });
  }

  /** The same, for whatever method is at this path. */
  call(path: string, bytes: Uint8Array, { isStream = false, ...options }: RawOptions = {}): Promise<Buffer> {
    const identity = (buffer: Buffer): Buffer => buffer;
    const request = Buffer.from(bytes);
    return new Promise((resolve, reject) => {
      const fail = (error: ServiceError): void => reject(fromServiceError(error));
      if (!isStream) {
        this.channel.makeUnaryRequest(path, identity, identity, request, options, (error, response) =>
          error ? fail(error) : resolve(response as Buffer),
        );
        return;
      }
      const stream = this.channel.makeServerStreamRequest(path, identity, identity, request, options);
      stream.on('error', fail);
      stream.once('data', (response: Buffer) => {
        stream.cancel();
        resolve(response);
      });
    });
  }

  close(): void {
    this.channel.close();
  }
}

export class TestServer {
  readonly client: ResonateClient;
  readonly #raw: RawClient;
  /** The instant at which the clock stands. */
  now = 0;

  private constructor(readonly process: ServerProcess) {
    this.client = new ResonateClient({ address: process.address });
    this.#raw = new RawClient(process.address);
  }

  /** Starts a server with the debug service and stops its clock. */
  static async start(options: StartOptions = {}): Promise<TestServer> {
    const flags = ['--debug', ...(options.flags ?? [])];
    const server = new TestServer(await ServerProcess.start({ ...options, flags }));
    await server.setClock((await server.snapshot()).nowMs + 5_000);
    return server;
  }

  /** Ends the process and removes its data. */
  async end(): Promise<void> {
    this.client.close();
    this.#raw.close();
    await this.process.kill();
    removeDirectory(this.process.data);
  }

  /** A deadline that no test reaches unless it wants to. */
  get far(): number {
    return this.now + FAR;
  }

  async setClock(now: number): Promise<void> {
    await this.#debug('debugSetClock', { nowMs: now });
    this.now = now;
  }

  /** Lets time pass, and what is due fire. Returns how many timeouts fired. */
  async advance(ms: number): Promise<number> {
    const { fired } = await this.#debug('debugAdvance', { nowMs: this.now + ms });
    this.now += ms;
    return fired;
  }

  snapshot(): Promise<DebugSnapshotResponse> {
    return this.#debug('debugSnapshot', {});
  }

  async reset(): Promise<void> {
    await this.#debug('debugReset', {});
  }

  /** See `RawClient`. */
  send(rpc: Rpc, bytes: Uint8Array): Promise<Buffer> {
    return this.#raw.send(rpc, bytes);
  }

  /** The call is refused like this, and changes nothing. Returns the error. */
  async refuses(call: () => Promise<unknown>, refused: Refused): Promise<ResonateError> {
    const before = await this.snapshot();
    const error = await failureOf(call());
    expectRefusal(error, refused);
    expect(await this.snapshot()).to.deep.equal(before);
    return error;
  }

  // Arrangements, each through the calls that lead there.

  /** A pending promise; with a target, its task is pending at version 0. */
  async create(id: string, tags: Readonly<Record<string, string>> = {}, timeoutAtMs = this.far): Promise<void> {
    await this.client.promiseCreate({
      promise: { id, timeoutAtMs, param: value(`for ${id}`), tags: new Map(Object.entries(tags)) },
    });
  }

  /** A task that `pid` holds at version 1 for 1,000 ms. */
  async acquired(id: string): Promise<void> {
    await this.create(id, TARGETED);
    await this.client.taskAcquire({ id, version: 0, pid: 'pid', ttlMs: 1_000 });
  }

  async settle(id: string): Promise<void> {
    await this.client.promiseSettle({ settlement: { id, state: 1, value: value(`of ${id}`) } });
  }

  /** The record of a promise that has just been created, to be changed by `fields`. */
  promise(id: string, fields: Partial<PromiseRecord> = {}): PromiseRecord {
    return {
      id,
      state: PromiseState.PROMISE_STATE_PENDING,
      param: value(`for ${id}`),
      value: EMPTY,
      tags: new Map(),
      timeoutAtMs: this.far,
      createdAtMs: this.now,
      settledAtMs: undefined,
      ...fields,
    };
  }

  #debug<Name extends keyof typeof DebugServiceService>(name: Name, request: object): Promise<DebugResponse<Name>> {
    const { path, requestSerialize, responseDeserialize } = DebugServiceService[name];
    return new Promise((resolve, reject) => {
      this.#raw.channel.makeUnaryRequest(
        path,
        requestSerialize as (request: object) => Buffer,
        responseDeserialize as (bytes: Buffer) => DebugResponse<Name>,
        request,
        (error, response) => (error ? reject(fromServiceError(error)) : resolve(response as DebugResponse<Name>)),
      );
    });
  }
}

type DebugResponse<Name extends keyof typeof DebugServiceService> = ReturnType<
  (typeof DebugServiceService)[Name]['responseDeserialize']
>;

export const EMPTY: Value = { headers: new Map(), data: undefined };
/** The tags of a promise with a task. */
export const TARGETED = { 'resonate:target': 'worker' };

export function value(text: string): Value {
  return { headers: new Map([['h', text]]), data: Buffer.from(text) };
}

/** The record of a task that has just been created, to be changed by `fields`. */
export function task(id: string, fields: Partial<TaskRecord> = {}): TaskRecord {
  return TaskRecord.fromPartial({ id, state: TaskState.TASK_STATE_PENDING, ...fields });
}

/** The error that the call must end with. */
export async function failureOf(call: Promise<unknown>): Promise<ResonateError> {
  const answer = await call.then(
    (response) => ({ response }),
    (error: unknown) => error,
  );
  if (answer instanceof ResonateError) return answer;
  return expect.fail(`not refused: ${JSON.stringify(answer)}`);
}

export function expectRefusal(error: ResonateError, { code, reason, status, metadata = {} }: Refused): void {
  expect({
    code: Code[error.code],
    reason: error.reason,
    status: error.status,
    metadata: error.metadata,
  }).to.deep.equal({
    code: Code[code],
    reason,
    status,
    metadata: status === undefined ? metadata : { ...metadata, status: String(status) },
  });
  expect(error.message).to.not.equal('');
}

/** 404. */
export function notFound(reason: ReasonName, id: string): Refused {
  return { code: Code.NOT_FOUND, reason, status: 404, metadata: { id } };
}

/** 409. */
export function aborted(reason: ReasonName, metadata: Readonly<Record<string, string>>): Refused {
  return { code: Code.ABORTED, reason, status: 409, metadata };
}

/** 422. */
export function failedPrecondition(reason: ReasonName, id: string): Refused {
  return { code: Code.FAILED_PRECONDITION, reason, status: 422, metadata: { id } };
}

/** 501. */
export const NOT_IMPLEMENTED: Refused = { code: Code.UNIMPLEMENTED, reason: 'NOT_IMPLEMENTED', status: 501 };

/** Refused at the door. */
export function invalidRequest(field: string): Refused {
  return { code: Code.INVALID_ARGUMENT, reason: 'INVALID_REQUEST', metadata: { field } };
}
