/** The adapter on real sockets. */
import { once } from 'node:events';
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { credentials, Metadata, Server, ServerCredentials, status, type ServiceError } from '@grpc/grpc-js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { expect } from 'chai';
import {
  DispatchRequest,
  DispatchServiceClient,
  type DispatchEvent,
  type DispatchResponse,
} from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import { PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import type { EndReason, SessionEvent } from '../../src/dispatch/session-stream.js';
import { systemTimers } from '../../src/engine/timers.js';
import type { PromiseObject } from '../../src/protocol/objects.js';
import { DispatchStream, dispatchServiceDefinition } from '../../src/server/dispatch-stream.js';
import { ManualTimers } from './harness.js';

type Call = ServerWritableStream<DispatchRequest, DispatchResponse>;

const CODES: Record<EndReason, status> = {
  draining: status.UNAVAILABLE,
  session_replaced: status.ABORTED,
  session_stalled: status.RESOURCE_EXHAUSTED,
  fault: status.INTERNAL,
};

function toError(reason: EndReason): ServiceError {
  return Object.assign(new Error(reason), { code: CODES[reason], details: reason, metadata: new Metadata() });
}

const execute = (i: number): SessionEvent => ({ kind: 'execute', taskId: `t${i}`, version: i });

function promise(id: string, bytes: number): PromiseObject {
  return {
    id,
    state: 'resolved',
    param: { headers: new Map() },
    value: { headers: new Map([['k', 'v']]), data: new Uint8Array(bytes) },
    tags: new Map([['__proto__', 'kept']]),
    timeoutAt: 100,
    createdAt: 1,
    settledAt: 2,
    timeoutArmed: false,
  };
}

describe('dispatch stream on grpc-js', () => {
  const timers = new ManualTimers();
  let server: Server;
  let address: string;
  let client: DispatchServiceClient;
  /** What the handler does with the next call. */
  let handle: (call: Call) => void;

  before(async () => {
    server = new Server();
    server.addService(dispatchServiceDefinition, { dispatch: (call: Call) => handle(call) });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    address = `127.0.0.1:${port}`;
    client = new DispatchServiceClient(address, credentials.createInsecure());
  });

  after(() => {
    client.close();
    server.forceShutdown();
  });

  const streamOn = (call: Call, its = timers) =>
    new DispatchStream(call, {
      serverVersion: '1.2.3',
      maxRequestBytes: 77,
      capabilities: ['x'],
      toError,
      timers: its,
    });

  const request = { group: 'g', pid: 'p', maxInFlight: undefined, autoAcknowledgeUnblocks: false };

  /** Opens a stream and has it say these events; answers with both ends. */
  async function open(events: readonly SessionEvent[], written?: () => void) {
    const served = new Promise<DispatchStream>((resolve) => {
      handle = (call) => {
        const stream = streamOn(call);
        stream.send(events, written);
        resolve(stream);
      };
    });
    const call = client.dispatch(request);
    const frames: DispatchEvent['event'][][] = [];
    call.on('data', (frame: DispatchResponse) => frames.push(frame.events.map(({ event }) => event)));
    const ended = new Promise<ServiceError>((resolve) => call.on('error', resolve));
    return { call, frames, ended, stream: await served };
  }

  it('carries each kind of event, several to a frame, in order', async () => {
    const { frames, ended, stream } = await open([
      { kind: 'hello', sessionId: 's', pingInterval: 15, maxInFlight: 3, retryTimeout: 5 },
      execute(7),
      { kind: 'unblock', promise: promise('p', 3), address: 'any@g' },
      { kind: 'ping' },
      { kind: 'drain' },
    ]);
    stream.end('draining');
    const { code } = await ended;
    expect(code).to.equal(status.UNAVAILABLE);
    expect(frames).to.have.length(1);
    const [hello, pushed, unblock, ping, drain] = frames[0] ?? [];
    const limits = { maxInFlight: 3, maxRequestBytes: 77, retryTimeoutMs: 5 };
    const said = { sessionId: 's', serverVersion: '1.2.3', pingIntervalMs: 15, limits, capabilities: ['x'] };
    expect(hello).to.deep.equal({ $case: 'hello', value: said });
    expect(pushed).to.deep.equal({ $case: 'execute', value: { taskId: 't7', version: 7 } });
    expect(ping).to.deep.equal({ $case: 'ping', value: {} });
    expect(drain).to.deep.equal({ $case: 'drain', value: {} });
    if (unblock?.$case !== 'unblock') throw new Error('no unblock');
    expect(unblock.value.address).to.equal('any@g');
    expect(unblock.value.promise).to.deep.include({
      id: 'p',
      state: PromiseState.PROMISE_STATE_RESOLVED,
      tags: new Map([['__proto__', 'kept']]),
      timeoutAtMs: 100,
      createdAtMs: 1,
      settledAtMs: 2,
    });
    expect(unblock.value.promise?.value?.data?.length).to.equal(3);
  });

  it('closes a frame after fifty events, and before it grows beyond 64 KiB', async () => {
    const many = Array.from({ length: 120 }, (_, i) => execute(i));
    const large = [30_000, 30_000, 30_000, 200_000, 10].map((bytes, i): SessionEvent => {
      return { kind: 'unblock', promise: promise(`p${i}`, bytes), address: 'any@g' };
    });
    const { frames, ended, stream } = await open([...many, ...large]);
    stream.end('draining');
    await ended;
    expect(frames.map((events) => events.length)).to.deep.equal([50, 50, 22, 1, 1, 1]);
    const ids = frames.flat().flatMap((event) => (event?.$case === 'execute' ? [event.value.taskId] : []));
    expect(ids).to.deep.equal(many.map((_, i) => `t${i}`));
  });

  for (const [reason, code] of Object.entries(CODES) as [EndReason, status][]) {
    it(`ends with the status of ${reason}, behind what was sent`, async () => {
      const { frames, ended, stream } = await open([execute(1)]);
      stream.end(reason);
      stream.send([execute(2)]);
      stream.end('draining');
      const error = await ended;
      expect(error).to.include({ code, details: reason });
      expect(frames.flat()).to.have.length(1);
    });
  }

  it('counts what is unsent until it is written, tells of progress, and then says so', async () => {
    let written: () => void = () => {};
    const done = new Promise<void>((resolve) => (written = resolve));
    const { call, stream } = await open([execute(1), execute(2)], () => written());
    let progress = 0;
    stream.onProgress(() => progress++);
    // Handed over in the same turn as the call came; the socket takes it in a later one.
    await done;
    stream.send([execute(3)]);
    expect(stream.unsentFrames).to.equal(1);
    expect(stream.unsentBytes).to.be.within(5, 20);
    await new Promise<void>((resolve) => stream.send([execute(4)], resolve));
    expect(stream).to.include({ unsentFrames: 0, unsentBytes: 0 });
    expect(progress).to.be.at.least(2);
    call.cancel();
  });

  it('says that it is closed when the client cancels, once, and takes nothing more', async () => {
    const { call, ended, stream } = await open([execute(1)]);
    let closes = 0;
    const closed = new Promise<void>((resolve) =>
      stream.onClose(() => {
        closes++;
        resolve();
      }),
    );
    call.cancel();
    await Promise.all([closed, ended]);
    stream.send([execute(2)], () => expect.fail('written'));
    stream.end('draining');
    let again = false;
    stream.onClose(() => (again = true));
    expect(again).to.equal(true);
    expect(closes).to.equal(1);
  });

  describe('with a client that does not read', () => {
    let session: ClientHttp2Session;
    let raw: ClientHttp2Stream;

    /** A bare HTTP/2 client with a window of 64 KiB that it never opens again. */
    async function openUnread(): Promise<{ stream: DispatchStream; closed: Promise<void> }> {
      const served = new Promise<DispatchStream>((resolve) => (handle = (call) => resolve(streamOn(call))));
      session = connect(`http://${address}`);
      session.on('error', () => {});
      raw = session.request({
        ':method': 'POST',
        ':path': dispatchServiceDefinition.dispatch.path,
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      raw.on('error', () => {});
      raw.pause();
      const message = DispatchRequest.encode(request).finish();
      const header = Buffer.alloc(5);
      header.writeUInt32BE(message.length, 1);
      raw.end(Buffer.concat([header, message]));
      const stream = await served;
      return { stream, closed: new Promise((resolve) => stream.onClose(resolve)) };
    }

    afterEach(() => session.destroy());

    const megabyte: SessionEvent = { kind: 'unblock', promise: promise('p', 1024 * 1024), address: 'any@g' };

    it('what it does not read stays unsent, and is reset after a grace when the stream ends', async () => {
      const { stream, closed } = await openUnread();
      stream.send([execute(1)]);
      stream.send([megabyte, megabyte]);
      await once(raw, 'response');
      expect(stream.unsentFrames).to.equal(2);
      expect(stream.unsentBytes).to.be.greaterThan(2 * 1024 * 1024);
      stream.end('session_stalled');
      const reset = new Promise((resolve) => raw.once('close', resolve));
      while (timers.turn(timers.now + 5_000));
      raw.resume();
      await Promise.all([reset, closed]);
      // For a gRPC client: RESOURCE_EXHAUSTED. Never CANCELLED, on which workers stop for good.
      expect(raw.rstCode).to.equal(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });

    it('is not reset when it has read to the end within the grace', async () => {
      const { stream, closed } = await openUnread();
      stream.send([megabyte]);
      await once(raw, 'response');
      stream.end('session_stalled');
      const trailers = once(raw, 'trailers');
      raw.resume();
      const [headers] = (await trailers) as [Record<string, string>];
      expect(headers['grpc-status']).to.equal(String(status.RESOURCE_EXHAUSTED));
      await Promise.all([closed, raw.closed ? undefined : once(raw, 'close')]);
      expect(timers.size).to.equal(0);
      expect(raw.rstCode).to.equal(constants.NGHTTP2_NO_ERROR);
    });

    it('a cut connection closes the stream, whatever is unsent', async () => {
      const { stream, closed } = await openUnread();
      stream.send([megabyte, megabyte]);
      await once(raw, 'response');
      session.destroy();
      await closed;
    });
  });

  it('is closed from the start on a call that is cut already', async () => {
    const late = new Promise<DispatchStream>((resolve) => {
      handle = (served) => {
        served.once('close', () => resolve(streamOn(served)));
        call.cancel();
      };
    });
    const call = client.dispatch(request);
    call.on('error', () => {});
    const stream = await late;
    let isClosed = false;
    stream.onClose(() => (isClosed = true));
    expect(isClosed).to.equal(true);
    stream.send([execute(1)]);
    expect(stream.unsentFrames).to.equal(0);
  });

  it('works with the timers of the system', async () => {
    const served = new Promise<DispatchStream>((resolve) => {
      handle = (call) =>
        resolve(
          new DispatchStream(call, {
            serverVersion: '',
            maxRequestBytes: 1,
            capabilities: [],
            toError,
            timers: systemTimers,
          }),
        );
    });
    const call = client.dispatch(request);
    call.on('data', () => {});
    const ended = once(call, 'error').catch((error: unknown) => [error]);
    (await served).end('draining');
    const [error] = (await ended) as [ServiceError];
    expect(error.code).to.equal(status.UNAVAILABLE);
  });
});
