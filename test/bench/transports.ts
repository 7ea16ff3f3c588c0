/** A lean client: gRPC framed by hand over node:http2, so that the client is not what is measured. */
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import { DispatchRequest, DispatchResponse } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import {
  PipelineRequest,
  PipelineResponse,
  type PipelineCall,
} from '../../clients/typescript/gen/resonate_grpc/v1/pipeline.js';
import { WireWriter } from '../../src/server/wire-writer.js';

/** A call, in both its forms. */
export type Request = NonNullable<PipelineCall['request']>;

/** One way to call. Rejects if the answer is not a success: a benchmark of errors is worthless. */
export interface Transport {
  readonly name: string;
  call(path: string, message: Buffer, request: Request): Promise<void>;
  close(): void;
}

const HEAD_BYTES = 5;
/** As many calls as a frame carries. */
const FRAME_CALLS = 64;

function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, HEAD_BYTES);
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

/** A worker's stream: calls back with the id of each task that is pushed. Resolves once the server knows it. */
export function joinGroup(
  address: string,
  group: string,
  onExecute: (taskId: string) => void,
): Promise<{ readonly close: () => void }> {
  const session = connect(`http://${address}`);
  const stream = open(session, '/resonate_grpc.v1.DispatchService/Dispatch');
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    onMessage(stream, (message) => {
      for (const { event } of DispatchResponse.decode(message).events) {
        if (event?.$case === 'hello') resolve({ close: () => session.destroy() });
        else if (event?.$case === 'execute') onExecute(event.value.taskId);
      }
    });
    const request = DispatchRequest.encode({ group, pid: 'bench', maxInFlight: 1_000, autoAcknowledgeUnblocks: true });
    stream.end(framed(Buffer.from(request.finish())));
  });
}

/** Each call on a stream of its own. */
export function unaryTransport(address: string): Transport {
  const session = connect(`http://${address}`);
  const call = (path: string, message: Buffer): Promise<void> =>
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
  return { name: 'unary', call, close: () => session.destroy() };
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
  const call = (_path: string, _message: Buffer, request: Request): Promise<void> =>
    new Promise((resolve, reject) => {
      const callId = nextId++;
      waiting.set(callId, { resolve, reject });
      if (ready.length === 0) setImmediate(flush);
      ready.push({ callId, request });
    });
  return { name: 'pipelined', call, close: () => session.destroy() };
}
