/** What grpc-js answers to broken framing, as `test/README.md` lists it: none of it reaches the server's own code. */
import { once } from 'node:events';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { expect } from 'chai';
import { Code } from '../../clients/typescript/index.js';
import { PromiseGetRequest } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TestServer } from './fixture.js';

const MESSAGE = PromiseGetRequest.encode({ id: 'p' }).finish();
const FRAME = frame(MESSAGE);

function frame(message: Uint8Array, compressed = false): Buffer {
  const head = Buffer.of(Number(compressed), 0, 0, 0, 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

describe('framing', () => {
  let server: TestServer;
  let session: ClientHttp2Session;

  before(async () => {
    server = await TestServer.start();
    session = connect(`http://${server.process.address}`);
  });

  after(async () => {
    session.destroy();
    await server.end();
  });

  /** Sends a promise.get for an unknown id as these headers and bytes, and returns the HTTP status and the gRPC code. */
  async function answer(headers: OutgoingHttpHeaders, bytes: Uint8Array): Promise<{ http: number; grpc: number }> {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/resonate_grpc.v1.PromiseService/PromiseGet',
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    let answered: IncomingHttpHeaders = {};
    const take = (headers: IncomingHttpHeaders): void => void (answered = { ...answered, ...headers });
    // An error comes with the headers, and may come in trailers.
    stream.on('response', take).on('trailers', take).resume().end(bytes);
    await once(stream, 'close');
    return { http: Number(answered[':status']), grpc: Number(answered['grpc-status']) };
  }

  const cases: readonly (readonly [string, Code, OutgoingHttpHeaders, Uint8Array])[] = [
    ['a sound request', Code.NOT_FOUND, {}, FRAME],
    ['no message', Code.UNIMPLEMENTED, {}, Buffer.of()],
    ['two messages', Code.UNIMPLEMENTED, {}, Buffer.concat([FRAME, FRAME])],
    ['a message that is cut off', Code.UNIMPLEMENTED, {}, FRAME.subarray(0, -1)],
    ['an unknown method', Code.UNIMPLEMENTED, { ':path': '/resonate_grpc.v1.PromiseService/Nothing' }, FRAME],
    ['an unknown encoding', Code.UNIMPLEMENTED, { 'grpc-encoding': 'br' }, frame(MESSAGE, true)],
    ['broken compression', Code.INTERNAL, { 'grpc-encoding': 'gzip' }, frame(MESSAGE, true)],
    ['a malformed grpc-timeout', Code.INTERNAL, { 'grpc-timeout': 'soon' }, FRAME],
  ];
  for (const [name, code, headers, bytes] of cases) {
    it(`${name}: ${Code[code]}`, async () => {
      expect(await answer(headers, bytes)).to.deep.equal({ http: 200, grpc: code });
    });
  }

  it('another content type: HTTP 415', async () => {
    expect(await answer({ 'content-type': 'application/json' }, FRAME)).to.have.property('http', 415);
  });
});
