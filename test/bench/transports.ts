/** A lean client: gRPC framed by hand over node:http2, so that the client is not what is measured. */
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import { CALLS } from '../../clients/typescript/calls.js';
import { DispatchRequest, DispatchResponse } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import {
  PipelineRequest,
  PipelineResponse,
  type PipelineCall,
} from '../../clients/typescript/gen/resonate_grpc/v1/pipeline.js';
import { WireWriter } from '../../src/server/wire-writer.js';

/** Any unary request. */
export type Request = NonNullable<PipelineCall['request']>;

/** One way to call. Rejects if the answer is not a success: a benchmark of errors is worthless. */
export interface Transport {
  readonly name: string;
  call(request: Request): Promise<void>;
  close(): void;
}

const HEAD_BYTES = 5;
/** As many calls as a frame carries. */
const FRAME_CALLS = 64;

function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEAD_BYTES);
  return frame;
}

function open(session: ClientHttp2Session, path: string): ClientHttp2Stream {
  return session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
}

/** Takes the messages out of what a stream brings. */
function onMessage(stream: ClientHttp2Stream, listener: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + rest.readUInt32BE(1);
      if (rest.length < end) break;
      listener(rest.subarray(HEAD_BYTES, end));
      rest = rest.subarray(end);
    }
  });
}

/** What a worker's stream brings. */
export interface WorkerEvents {
  /** A task was pushed. */
  readonly onExecute: (taskId: string) => void;
  /** The stream broke: nothing is pushed any more. */
  readonly onBroken: (error: Error) => void;
}

/** Opens a worker's stream. Resolves once the server knows it. */
export function joinGroup(
  address: string,
  member: { readonly group: string; readonly pid: string },
  { onExecute, onBroken }: WorkerEvents,
): Promise<{ readonly close: () => void }> {
  const session = connect(`http://${address}`);
  const stream = open(session, '/resonate_grpc.v1.DispatchService/Dispatch');
  return new Promise((resolve, reject) => {
    const broken = (error: Error): void => {
      onBroken(error);
      reject(error);
    };
    stream.on('error', broken);
    stream.on('close', () => broken(new Error("the worker's stream has ended")));
    onMessage(stream, (message) => {
      for (const { event } of DispatchResponse.decode(message).events) {
        if (event?.$case === 'hello') resolve({ close: () => session.destroy() });
        else if (event?.$case === 'execute') onExecute(event.value.taskId);
      }
    });
    const request = DispatchRequest.encode({ ...member, maxInFlight: 1_000, autoAcknowledgeUnblocks: true });
    stream.end(framed(request.finish()));
  });
}

/** Calls of any server, by path and message. */
export interface RawClient {
  call(path: string, message: Uint8Array): Promise<void>;
  close(): void;
}

export function rawClient(address: string): RawClient {
  const session = connect(`http://${address}`);
  const call = (path: string, message: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const stream = open(session, path);
      let status: unknown;
      stream.on('response', (headers) => (status = headers['grpc-status']));
      stream.on('trailers', (trailers: IncomingHttpHeaders) => (status = trailers['grpc-status']));
      stream.on('error', reject);
      stream.on('end', () => {
        if (status === '0') resolve();
        else reject(new Error(`${path} ended with ${String(status)}`));
      });
      stream.resume();
      stream.end(framed(message));
    });
  return { call, close: () => session.destroy() };
}

/** Each call on a stream of its own. */
export function unaryTransport(address: string): Transport {
  const client = rawClient(address);
  const call = ({ $case, value }: Request): Promise<void> => {
    const { path, requestSerialize } = CALLS[$case];
    return client.call(path, requestSerialize(value as never));
  };
  return { name: 'unary', call, close: () => client.close() };
}

/** All calls on one stream; those that are ready in the same turn share frames. */
export function pipelineTransport(address: string): Transport {
  const session = connect(`http://${address}`);
  const stream = open(session, '/resonate_grpc.v1.PipelineService/Pipeline');
  const waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  const writer = new WireWriter();
  let ready: PipelineCall[] = [];
  let nextId = 1;

  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  stream.on('error', fail);
  stream.on('close', () => fail(new Error('the pipeline has ended')));
  onMessage(stream, (message) => {
    for (const { callId, outcome } of PipelineResponse.decode(message).answers) {
      const caller = waiting.get(callId);
      waiting.delete(callId);
      if (outcome?.$case === 'refusal') caller?.reject(new Error(outcome.value.message));
      else caller?.resolve();
    }
  });
  const flush = (): void => {
    for (let i = 0; i < ready.length; i += FRAME_CALLS) {
      writer.reset();
      PipelineRequest.encode({ calls: ready.slice(i, i + FRAME_CALLS) }, writer);
      stream.write(framed(writer.finish()));
    }
    ready = [];
  };
  const call = (request: Request): Promise<void> =>
    new Promise((resolve, reject) => {
      const callId = nextId++;
      waiting.set(callId, { resolve, reject });
      if (ready.length === 0) setImmediate(flush);
      ready.push({ callId, request });
    });
  return { name: 'pipelined', call, close: () => session.destroy() };
}

/** One open stream on which the bare server says back what it hears. */
export function echoStream(address: string): { readonly echo: () => Promise<void>; readonly close: () => void } {
  const session = connect(`http://${address}`);
  const stream = open(session, '/bare.Service/Echo');
  const message = framed(Buffer.alloc(100, 'x'));
  let heard: (() => void) | undefined;
  onMessage(stream, () => heard?.());
  const echo = (): Promise<void> =>
    new Promise((resolve, reject) => {
      heard = resolve;
      stream.once('error', reject);
      stream.write(message, () => stream.off('error', reject));
    });
  return { echo, close: () => session.destroy() };
}
