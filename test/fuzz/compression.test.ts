/** Compressed requests: broken ones, and bombs. */
import { connect, type ClientHttp2Session } from 'node:http2';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Code } from '../../clients/typescript/index.js';
import { TestServer } from '../e2e/fixture.js';
import { encode, VALID } from '../e2e/requests.js';
import { callOverHttp2, grpcMessage, type Answer } from '../support/http2-call.js';
import { forgetPeak, peakMegabytes } from '../support/memory.js';

const PATH = '/resonate_grpc.v1.PromiseService/PromiseGet';
const LIMIT = 1_048_576;
const MESSAGE = encode('promiseGet', VALID.promiseGet);

/** Zeros, of which gzip makes a thousandth; members of it stand one after another, and count as one. */
const MEMBER = gzipSync(Buffer.alloc(16 * LIMIT));
const GIGABYTE = Buffer.concat(Array.from({ length: 64 }, () => MEMBER));
/** As large as the library alone would let it become. */
const LARGEST = gzipSync(Buffer.alloc(4 * LIMIT));
/** So many at a time. The library would hold 4 MiB and more for each. */
const MANY = 200;

describe('fuzz: compressed requests', function () {
  this.timeout(60_000);

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

  const send = (encoding: string, bytes: Uint8Array): Promise<Answer> =>
    callOverHttp2(session, PATH, grpcMessage(bytes, { compressed: true }), { headers: { 'grpc-encoding': encoding } });

  const sound = { gzip: gzipSync(MESSAGE), deflate: deflateSync(MESSAGE), identity: MESSAGE };
  for (const [encoding, bytes] of Object.entries(sound)) {
    it(`${encoding} is read`, async () => expect((await send(encoding, bytes)).grpc).to.equal(Code.NOT_FOUND));
  }

  const broken: readonly (readonly [what: string, encoding: string, bytes: Uint8Array])[] = [
    ['no gzip', 'gzip', MESSAGE],
    ['nothing', 'gzip', Buffer.of()],
    ['gzip that is cut', 'gzip', sound.gzip.subarray(0, -1)],
    ['gzip with more behind', 'gzip', Buffer.concat([sound.gzip, Buffer.from('more')])],
    [
      'gzip with another checksum',
      'gzip',
      sound.gzip.map((byte, i) => (i === sound.gzip.length - 8 ? byte ^ 1 : byte)),
    ],
    ['gzip as deflate', 'deflate', sound.gzip],
    ['deflate that is cut', 'deflate', sound.deflate.subarray(0, -1)],
  ];
  for (const [what, encoding, bytes] of broken)
    it(`${what}: INVALID_ARGUMENT`, async () => {
      const { grpc, message } = await send(encoding, bytes);
      expect([grpc, message]).to.deep.equal([Code.INVALID_ARGUMENT, `request: not valid ${encoding}`]);
    });

  const bombs: readonly (readonly [what: string, encoding: string, bytes: Uint8Array])[] = [
    ['one byte over the limit', 'gzip', gzipSync(Buffer.alloc(LIMIT + 1))],
    ['1 GB in gzip', 'gzip', GIGABYTE],
    ['100 MB in deflate', 'deflate', deflateSync(Buffer.alloc(100 * LIMIT))],
  ];
  for (const [what, encoding, bytes] of bombs)
    it(`${what}: INVALID_ARGUMENT, and memory stays flat`, async () => {
      forgetPeak(server.process.pid);
      const before = peakMegabytes(server.process.pid);
      const { grpc, message } = await send(encoding, bytes);
      expect([grpc, message]).to.deep.equal([
        Code.INVALID_ARGUMENT,
        `request: more than ${LIMIT} bytes, which is the limit`,
      ]);
      expect(peakMegabytes(server.process.pid) - before).to.be.lessThan(100);
    });

  it(`${MANY} bombs at a time: memory stays flat`, async () => {
    forgetPeak(server.process.pid);
    const before = peakMegabytes(server.process.pid);
    const answers = await Promise.all(Array.from({ length: MANY }, () => send('gzip', LARGEST)));
    expect(new Set(answers.map(({ grpc }) => grpc))).to.deep.equal(new Set([Code.INVALID_ARGUMENT]));
    expect(peakMegabytes(server.process.pid) - before).to.be.lessThan(MANY);
  });
});
