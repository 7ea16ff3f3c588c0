/** Connections that no client makes: the server ends them or lives with them, serves everybody else, and changes nothing. */
import { expect } from 'chai';
import { TestServer } from '../e2e/fixture.js';
import { encode, VALID } from '../e2e/requests.js';
import { grpcMessage } from '../support/http2-call.js';
import { forgetPeak, peakMegabytes } from '../support/memory.js';
import {
  callHeaders,
  END_HEADERS,
  END_STREAM,
  frame,
  FrameType,
  headerBlock,
  PREFACE,
  RawConnection,
  type Frame,
} from './raw-connection.js';
import { arrange } from './world.js';

const { DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION } = FrameType;
const CREATE = '/resonate_grpc.v1.PromiseService/PromiseCreate';
const REQUEST = grpcMessage(encode('promiseCreate', VALID.promiseCreate));
/** CANCEL. */
const CANCELLED = Buffer.of(0, 0, 0, 8);
/** As much as a frame holds. */
const FULL = 16_384;
/** What one connection may cost in memory, in MB. */
const MOST_MEGABYTES = 100;
/** The server asks a connection for a sign of life after 25 s, and gives it 10 s. On a machine that is busy with much else. */
const PATIENCE = 120_000;

const times = (n: number, bytes: Uint8Array): Buffer => Buffer.concat(Array.from({ length: n }, () => bytes));
const begin = (stream: number, flags = END_HEADERS, path = CREATE): Buffer =>
  frame(HEADERS, flags, stream, headerBlock(callHeaders(path)));

const isGoaway = ({ type }: Frame): boolean => type === GOAWAY;
const isReset = ({ type }: Frame): boolean => type === RST_STREAM;
const isAnswer = ({ type }: Frame): boolean => type === HEADERS;

/** Writes the same again and again, until the connection is closed or has had enough. */
async function flood(connection: RawConnection, bytes: Uint8Array, count: number): Promise<void> {
  for (let i = 0; i < count && !connection.isClosed; i++) await connection.write(bytes);
}

/** A request that is reset before it can be answered, again and again. */
async function rapidReset(connection: RawConnection, path: string): Promise<void> {
  for (let i = 0; i < 5_000 && !connection.isClosed; i++) {
    const stream = 1 + 2 * i;
    await connection.write(begin(stream, END_HEADERS, path), frame(RST_STREAM, 0, stream, CANCELLED));
  }
}

/** Ends with a frame that says so, or by closing the connection; either is an end. */
type End = (frame: Frame) => boolean;

const ABUSE: readonly (readonly [what: string, abuse: (connection: RawConnection) => Promise<void>, end: End])[] = [
  ['rapid resets', (c) => rapidReset(c, CREATE), isGoaway],
  ['rapid resets of an unknown method', (c) => rapidReset(c, '/nothing'), isGoaway],
  ['a flood of settings', (c) => flood(c, times(1_000, frame(SETTINGS, 0, 0)), 100), isGoaway],
  [
    'settings of 2,700 entries',
    (c) => c.write(frame(SETTINGS, 0, 0, times(2_700, Buffer.of(0, 3, 0, 0, 0, 9)))),
    isGoaway,
  ],
  [
    'a flood of pings by one who does not read',
    async (c) => {
      c.socket.pause();
      await flood(c, times(1_000, frame(PING, 0, 0, Buffer.alloc(8))), 100);
      c.socket.resume();
    },
    isGoaway,
  ],
  [
    'a flood of continuations',
    async (c) => {
      await c.write(begin(1, 0));
      await flood(c, frame(CONTINUATION, 0, 1, headerBlock({ x: 'y'.repeat(FULL - 20) })), 1_000);
    },
    isGoaway,
  ],
  [
    'a flood of empty continuations',
    async (c) => {
      await c.write(begin(1, 0));
      await flood(c, times(1_000, frame(CONTINUATION, 0, 1)), 100);
    },
    isGoaway,
  ],
  [
    'a header of 1 MB',
    async (c) => {
      const block = headerBlock({ ...callHeaders(CREATE), x: 'y'.repeat(1 << 20) });
      await c.write(frame(HEADERS, 0, 1, block.subarray(0, FULL)));
      for (let at = FULL; at < block.length; at += FULL) {
        const flags = at + FULL < block.length ? 0 : END_HEADERS;
        await c.write(frame(CONTINUATION, flags, 1, block.subarray(at, at + FULL)));
      }
    },
    isGoaway,
  ],
  [
    '1,500 headers',
    (c) => c.request(1, CREATE, Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`k${i}`, 'v']))),
    isReset,
  ],
  ['a frame larger than any may be', (c) => c.write(frame(DATA, 0, 1, Buffer.alloc(FULL + 1))), isGoaway],
  ['data for a stream that nobody began', (c) => c.write(frame(DATA, 0, 7, REQUEST)), isGoaway],
  ['a push by the client', (c) => c.write(frame(5, END_HEADERS, 1, Buffer.of(0, 0, 0, 2))), isGoaway],
  [
    'a window that overflows',
    (c) => c.write(times(2, frame(WINDOW_UPDATE, 0, 0, Buffer.of(127, 255, 255, 255)))),
    isGoaway,
  ],
  ['headers that are no HPACK', (c) => c.write(frame(HEADERS, END_HEADERS, 1, Buffer.alloc(9, 0xff))), isGoaway],
  ['HTTP/1.1', (c) => c.write(Buffer.from('GET / HTTP/1.1\r\n\r\n')), isGoaway],
  [
    'a call with HEAD',
    async (c) => {
      await c.request(1, CREATE.replace('Create', 'Get'), { ':method': 'HEAD' });
      await c.write(frame(DATA, END_STREAM, 1, grpcMessage(encode('promiseGet', VALID.promiseGet))));
    },
    isAnswer,
  ],
  [
    'a million empty messages in one call',
    async (c) => {
      await c.request(1, CREATE);
      await flood(c, frame(DATA, 0, 1, Buffer.alloc(16_000)), 300);
    },
    isAnswer,
  ],
];

/** Those that begin and do not go on: the server cuts them when they give no sign of life. */
const HALF_OPEN: Readonly<Record<string, (connection: RawConnection) => Promise<void>>> = {
  nothing: () => Promise.resolve(),
  'half a preface': (c) => c.write(PREFACE.subarray(0, 10)),
  'a preface and no settings': (c) => c.write(PREFACE),
  'half a frame': (c) => c.write(PREFACE, frame(SETTINGS, 0, 0), begin(1).subarray(0, 20)),
  'headers without their end': (c) => c.write(PREFACE, frame(SETTINGS, 0, 0), begin(1, 0)),
  'a call without a message': (c) => c.write(PREFACE, frame(SETTINGS, 0, 0), begin(1)),
  'half a message': (c) =>
    c.write(PREFACE, frame(SETTINGS, 0, 0), begin(1), frame(DATA, 0, 1, REQUEST.subarray(0, -1))),
};
const OF_EACH = 50;

describe('fuzz: connections', function () {
  this.timeout(PATIENCE);

  let server: TestServer;
  let arranged: unknown;
  const halfOpen: RawConnection[] = [];

  before(async () => {
    server = await TestServer.start();
    await arrange(server);
    arranged = await server.snapshot();
    for (const begin of Object.values(HALF_OPEN)) {
      for (let i = 0; i < OF_EACH; i++) {
        const connection = await RawConnection.connect(server.process.port);
        halfOpen.push(connection);
        await begin(connection);
      }
    }
  });

  after(async () => {
    for (const connection of halfOpen) connection.destroy();
    await server.end();
  });

  afterEach(async () => {
    expect(await server.snapshot()).to.deep.equal(arranged);
    expect(server.process.log.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
  });

  for (const [what, abuse, end] of ABUSE)
    it(what, async () => {
      const { pid, port } = server.process;
      forgetPeak(pid);
      const megabytes = peakMegabytes(pid);
      const connection = await RawConnection.open(port);
      await Promise.all([abuse(connection), ...Array.from({ length: 5 }, () => server.snapshot())]);
      const ended = await connection.until(end);
      expect(ended !== undefined || connection.isClosed).to.equal(true);
      connection.destroy();
      expect(peakMegabytes(pid) - megabytes).to.be.lessThan(MOST_MEGABYTES);
    });

  it('random frames', async () => {
    for (let round = 0; round < 20; round++) {
      const connection = await RawConnection.open(server.process.port);
      for (let i = 0; i < 50 && !connection.isClosed; i++) {
        const n = round * 50 + i;
        await connection.write(frame(n % 12, (n * 7) % 256, n % 5, Buffer.alloc((n * 13) % 40, n)));
      }
      connection.destroy();
    }
  });

  it('a request that is cut off anywhere', async () => {
    const whole = Buffer.concat([PREFACE, frame(SETTINGS, 0, 0), begin(1), frame(DATA, 0, 1, REQUEST)]);
    for (let length = 0; length <= whole.length; length += 7) {
      const connection = await RawConnection.connect(server.process.port);
      await connection.write(whole.subarray(0, length));
      connection.destroy();
    }
  });

  it(`${OF_EACH} each of connections that begin and do not go on are cut after 35 s`, async () => {
    await Promise.all(halfOpen.map(({ closed }) => closed));
  });
});
