/** What grpc-js answers to broken framing, as `test/README.md` lists it: none of it reaches the server's own code. */
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { expect } from 'chai';
import { Code } from '../../clients/typescript/index.js';
import { PromiseGetRequest } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { callOverHttp2, grpcMessage } from '../support/http2-call.js';
import { TestServer } from './fixture.js';

const PATH = '/resonate_grpc.v1.PromiseService/PromiseGet';
const MESSAGE = PromiseGetRequest.encode({ id: 'p' }).finish();
const FRAME = grpcMessage(MESSAGE);
/** 4 times the limit of a request. */
const LIMIT = 4_194_304;
const NO_MESSAGE = Buffer.from([0xff]);

describe('framing', () => {
  let server: TestServer;
  let session: ClientHttp2Session;

  before(async () => {
    server = await TestServer.start();
    // The client's own limit would end the session for a request of 100 MB.
    session = connect(`http://${server.process.address}`, { maxSessionMemory: 1_000 });
  });

  after(async () => {
    session.destroy();
    await server.end();
  });

  const cases: readonly (readonly [string, Code, OutgoingHttpHeaders, Uint8Array])[] = [
    ['a sound request', Code.NOT_FOUND, {}, FRAME],
    ['no message', Code.UNIMPLEMENTED, {}, Buffer.of()],
    ['two messages', Code.UNIMPLEMENTED, {}, Buffer.concat([FRAME, FRAME])],
    ['a message that is cut off', Code.UNIMPLEMENTED, {}, FRAME.subarray(0, -1)],
    ['a message over four times the limit', Code.RESOURCE_EXHAUSTED, {}, grpcMessage(Buffer.alloc(LIMIT + 1))],
    ['a message of 100 MB', Code.RESOURCE_EXHAUSTED, {}, grpcMessage(Buffer.alloc(100_000_000))],
    ['an unknown method', Code.UNIMPLEMENTED, { ':path': '/resonate_grpc.v1.PromiseService/Nothing' }, FRAME],
    ['an unknown method of bytes', Code.UNIMPLEMENTED, { ':path': '/\x80\xff' }, FRAME],
    ['an unknown encoding', Code.UNIMPLEMENTED, { 'grpc-encoding': 'br' }, grpcMessage(MESSAGE, { compressed: true })],
    ['a malformed grpc-timeout', Code.INTERNAL, { 'grpc-timeout': 'soon' }, FRAME],
    ['a malformed health check', Code.INTERNAL, { ':path': '/grpc.health.v1.Health/Check' }, grpcMessage(NO_MESSAGE)],
    [
      'a malformed question to reflection',
      Code.INTERNAL,
      { ':path': '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo' },
      grpcMessage(NO_MESSAGE),
    ],
  ];
  for (const [name, code, headers, bytes] of cases) {
    it(`${name}: ${Code[code]}`, async () => {
      const { http, grpc } = await callOverHttp2(session, PATH, bytes, { headers });
      expect({ http, grpc }).to.deep.equal({ http: 200, grpc: code });
    });
  }

  it('a length of 4 GB - 1, and three bytes: RESOURCE_EXHAUSTED, at once', async () => {
    const bytes = grpcMessage(Buffer.from('abc'), { announced: 0xffff_ffff });
    const { grpc } = await callOverHttp2(session, PATH, bytes, { isEnded: false });
    expect(grpc).to.equal(Code.RESOURCE_EXHAUSTED);
  });

  it('another content type: HTTP 415', async () => {
    const { http } = await callOverHttp2(session, PATH, FRAME, { headers: { 'content-type': 'application/json' } });
    expect(http).to.equal(415);
  });
});
