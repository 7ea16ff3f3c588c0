/** 10,000 streams of all kinds that stay open and say nothing: they cost little, keep nobody waiting, and leave nothing behind. */
import { once } from 'node:events';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { expect } from 'chai';
import { TestServer } from '../e2e/fixture.js';
import { encode } from '../e2e/requests.js';
import { grpcMessage } from '../support/http2-call.js';
import { forgetPeak, peakMegabytes } from '../support/memory.js';
import { arrange } from './world.js';

const STREAMS = 10_000;
const CONNECTIONS = 20;
/** So much for each stream, in MB: they take about 20 KB. */
const MOST_EACH = 0.05;
const PATIENCE = 300_000;

/** What a stream asks for, and whether the server has something to say at once. */
interface Kind {
  readonly path: string;
  readonly message: (i: number) => Uint8Array;
  readonly isGreeted: boolean;
}

const KINDS: readonly Kind[] = [
  {
    path: '/resonate_grpc.v1.DispatchService/Dispatch',
    message: (i) => grpcMessage(encode('dispatch', { group: `group-${i % 10}`, pid: `pid-${i}` })),
    isGreeted: true,
  },
  { path: '/grpc.health.v1.Health/Watch', message: () => grpcMessage(Buffer.of()), isGreeted: true },
  {
    path: '/resonate_grpc.v1.PromiseService/PromiseWait',
    message: () => grpcMessage(encode('promiseWait', { id: 'pending' })),
    isGreeted: false,
  },
  { path: '/resonate_grpc.v1.PromiseService/PromiseCreate', message: () => Buffer.of(), isGreeted: false },
  {
    path: '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
    message: () => Buffer.of(),
    isGreeted: false,
  },
];

describe('fuzz: idle streams', function () {
  this.timeout(PATIENCE);

  let server: TestServer;
  let arranged: unknown;
  before(async () => {
    server = await TestServer.start();
    await arrange(server);
    arranged = await server.snapshot();
  });
  after(() => server.end());

  /** The log comes a moment later than the answers. */
  const logged = (msg: string): number => server.process.log.filter((entry) => entry.msg === msg).length;

  async function open(sessions: readonly ClientHttp2Session[]): Promise<void> {
    const greetings: Promise<unknown>[] = [];
    for (let i = 0; i < STREAMS; i++) {
      const { path, message, isGreeted } = KINDS[i % KINDS.length]!;
      const stream: ClientHttp2Stream = sessions[i % CONNECTIONS]!.request({
        ...{ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' },
      });
      // They end with their connections.
      stream.on('error', () => {});
      if (isGreeted) greetings.push(once(stream, 'data'));
      stream.write(message(i));
      if (message(i).length > 0) stream.end();
      // Others get their turn.
      if (i % 100 === 0) await server.snapshot();
    }
    await Promise.all(greetings);
  }

  it(`${STREAMS} over ${CONNECTIONS} connections, twice`, async () => {
    const { pid, address } = server.process;
    forgetPeak(pid);
    const before = peakMegabytes(pid);
    for (const round of [1, 2]) {
      const sessions = Array.from({ length: CONNECTIONS }, () => connect(`http://${address}`));
      await open(sessions);
      const sessionsOpen = (): number => logged('session opened') - logged('session ended');
      while (sessionsOpen() !== STREAMS / KINDS.length) await server.snapshot();
      expect(await server.snapshot()).to.deep.equal(arranged);
      // What the first round left behind, the second would add to.
      expect(peakMegabytes(pid) - before, `round ${round}`).to.be.lessThan(MOST_EACH * STREAMS);

      for (const session of sessions) session.destroy();
      while (sessionsOpen() > 0) await server.snapshot();
      await server.create(`round ${round}`);
      await server.settle(`round ${round}`);
      arranged = await server.snapshot();
    }
    expect(server.process.log.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
  });

  it('and stops as it should', async () => {
    expect(await server.process.stop()).to.equal(0);
  });
});
