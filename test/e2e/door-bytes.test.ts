/** Requests as bytes: their size, what no generated stub sends, and what must come back as it went in. */
import type { ServiceError } from '@grpc/grpc-js';
import { expect } from 'chai';
import type { ResonateError } from '../../clients/typescript/index.js';
import { Code, ResonateClient, type Value } from '../../clients/typescript/index.js';
import { expectRefusal, failureOf, invalidRequest, RPCS, TestServer, type Rpc } from './fixture.js';
import { encode, NOT_UTF8, VALID, type Fields } from './requests.js';

const LIMIT = 1_048_576;

describe('e2e: requests as bytes', () => {
  let server: TestServer;
  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(() => server.reset());

  /** The code of the answer. */
  async function codeOf(rpc: Rpc, bytes: Uint8Array): Promise<string> {
    return server.send(rpc, bytes).then(
      () => 'OK',
      (error: ResonateError) => Code[error.code],
    );
  }

  /** Whatever comes back, it is about the request, and the server is none the worse. */
  async function survives(rpc: Rpc, bytes: Uint8Array): Promise<void> {
    const answers = ['OK', 'INVALID_ARGUMENT', 'NOT_FOUND', 'FAILED_PRECONDITION', 'ABORTED', 'UNIMPLEMENTED'];
    expect(await codeOf(rpc, bytes), Buffer.from(bytes).toString('hex')).to.be.oneOf(answers);
  }

  async function isMalformed(rpc: Rpc, bytes: Uint8Array): Promise<void> {
    expectRefusal(await failureOf(server.send(rpc, bytes)), invalidRequest('request'));
  }

  afterEach(() => {
    const faults = server.process.log.filter(({ level }) => Number(level) >= 50);
    expect(faults).to.deep.equal([]);
  });

  describe('size', () => {
    /** A field that nobody knows fills the request up to this size. */
    function padded(bytes: Uint8Array, size: number): Uint8Array {
      const rest = size - bytes.length - 5;
      // Field 1,000, of 3 bytes of length.
      const head = [0xc2, 0x3e, (rest & 0x7f) | 0x80, ((rest >> 7) & 0x7f) | 0x80, rest >> 14];
      return Buffer.concat([bytes, Buffer.from(head), Buffer.alloc(rest)]);
    }

    for (const rpc of RPCS)
      it(`${rpc}: 1 MiB and not a byte more`, async () => {
        const valid = encode(rpc, VALID[rpc]);
        const before = await server.snapshot();
        const error = await failureOf(server.send(rpc, padded(valid, LIMIT + 1)));
        expectRefusal(error, invalidRequest('request'));
        expect(error.message)
          .to.include(String(LIMIT + 1))
          .and.to.include(String(LIMIT));
        expect(await server.snapshot()).to.deep.equal(before);
        expect(await codeOf(rpc, padded(valid, LIMIT))).to.not.equal('INVALID_ARGUMENT');
      });

    it('far above: RESOURCE_EXHAUSTED from the library', async () => {
      const bytes = encode('promiseCreate', { promise: { id: 'p', param: { data: Buffer.alloc(5 * LIMIT) } } });
      const { code, reason } = await failureOf(server.send('promiseCreate', bytes));
      expect([Code[code], reason]).to.deep.equal(['RESOURCE_EXHAUSTED', undefined]);
      expect((await server.snapshot()).promises).to.deep.equal([]);
    });

    it('whatever was let in comes back: the largest param and the largest value', async () => {
      const promise = { id: 'p', timeoutAtMs: server.far, param: { data: Buffer.alloc(LIMIT - 100, 'p') } };
      const settlement = { id: 'p', state: 1, value: { data: Buffer.alloc(LIMIT - 100, 'v') } };
      await server.client.promiseCreate({ promise });
      await server.client.promiseSettle({ settlement });
      const { promise: stored } = await server.client.promiseGet({ id: 'p' });
      expect(Buffer.compare(stored?.param?.data ?? Buffer.of(), promise.param.data)).to.equal(0);
      expect(Buffer.compare(stored?.value?.data ?? Buffer.of(), settlement.value.data)).to.equal(0);
    });

    it('compressed requests are read', async () => {
      const client = new ResonateClient({
        address: server.process.address,
        channelOptions: { 'grpc.default_compression_algorithm': 2 },
      });
      const promise = { id: 'p', timeoutAtMs: server.far, param: { data: Buffer.alloc(10_000) } };
      await client.promiseCreate({ promise });
      client.close();
      expect((await server.client.promiseGet({ id: 'p' })).promise?.param?.data).to.have.length(10_000);
    });
  });

  describe('not a message of this type', () => {
    for (const rpc of RPCS) {
      it(`${rpc}: cut anywhere`, async () => {
        const before = await server.snapshot();
        const bytes = encode(rpc, VALID[rpc]);
        for (let length = 1; length < bytes.length; length++) await survives(rpc, bytes.subarray(0, length));
        await isMalformed(rpc, bytes.subarray(0, -1));
        expect(await server.snapshot()).to.deep.equal(before);
      });

      it(`${rpc}: random bytes`, async () => {
        const before = await server.snapshot();
        const random = randomNumbers(rpc.length);
        for (let i = 0; i < 40; i++) {
          const bytes = Uint8Array.from({ length: 1 + (random() % 64) }, () => random() % 256);
          await survives(rpc, bytes);
        }
        expect(await server.snapshot()).to.deep.equal(before);
      });

      it(`${rpc}: one byte changed`, async () => {
        const random = randomNumbers(rpc.length);
        const bytes = encode(rpc, VALID[rpc]);
        for (const i of bytes.keys()) {
          const changed = Uint8Array.from(bytes);
          changed[i]! ^= 1 + (random() % 255);
          await survives(rpc, changed);
        }
      });

      it(`${rpc}: groups without end, and an end without a group`, async () => {
        const before = await server.snapshot();
        await isMalformed(rpc, Buffer.alloc(500_000, 0x0b));
        await isMalformed(rpc, Buffer.concat([Buffer.of(0x0c), encode(rpc, VALID[rpc])]));
        await isMalformed(rpc, Buffer.alloc(20, 0xff));
        expect(await server.snapshot()).to.deep.equal(before);
      });
    }

    it('the required fields of an empty request are named', async () => {
      expectRefusal(await failureOf(server.send('promiseGet', Buffer.of())), invalidRequest('id'));
      expectRefusal(await failureOf(server.send('promiseCreate', Buffer.of())), invalidRequest('promise'));
    });
  });

  describe('what went in comes out', () => {
    const KEYS = ['', '__proto__', 'constructor', 'toString', '\ufeffk', '\0', '😀', 'k'];
    const map = new Map(KEYS.map((key, i) => [key, `${key}${i}`]));

    async function roundTrip(id: string, param: Value, tags = new Map<string, string>()) {
      await server.client.promiseCreate({ promise: { id, timeoutAtMs: server.far, param, tags } });
      await server.client.promiseSettle({ settlement: { id, state: 1, value: param } });
      return (await server.client.promiseGet({ id })).promise;
    }

    it('keys of tags and headers, `__proto__` among them', async () => {
      const promise = await roundTrip('p', { headers: map, data: undefined }, map);
      expect(promise?.tags).to.deep.equal(map);
      expect(promise?.param?.headers).to.deep.equal(map);
      expect(promise?.value?.headers).to.deep.equal(map);
      const promiseParam = { headers: map, data: undefined };
      const schedule = { id: 's', cron: '* * * * *', promiseId: 'p', promiseParam, promiseTags: map };
      await server.client.scheduleCreate({ schedule });
      const { schedule: stored } = await server.client.scheduleGet({ id: 's' });
      expect(stored?.promiseTags).to.deep.equal(map);
      expect(stored?.promiseParam).to.deep.equal(promiseParam);
    });

    it('ids: one that begins with a byte order mark is another', async () => {
      const ids = ['p', '\ufeffp', 'p\ufeff', '__proto__', 'é', 'e\u0301', ' p', '\ud7ff', '\u{10ffff}'];
      for (const id of ids) expect((await roundTrip(id, { headers: new Map(), data: undefined }))?.id).to.equal(id);
      expect((await server.snapshot()).promises).to.have.length(ids.length);
    });

    it('data: absent, empty, and every byte', async () => {
      const absent = await roundTrip('absent', { headers: new Map(), data: undefined });
      expect([absent?.param?.data, absent?.value?.data]).to.deep.equal([undefined, undefined]);
      const empty = await roundTrip('empty', { headers: new Map(), data: Buffer.of() });
      expect([empty?.param?.data?.length, empty?.value?.data?.length]).to.deep.equal([0, 0]);
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
      const every = await roundTrip('every', { headers: new Map(), data: bytes });
      expect(Buffer.compare(every?.param?.data ?? Buffer.of(), bytes)).to.equal(0);
    });
  });

  describe('the details of an error stay under 4 KB', () => {
    const worst = ['\u0001', '😀', '€', '"', '\\', '%', '\u007f'].map((c) =>
      c.repeat(Math.floor(512 / Buffer.byteLength(c))),
    );

    async function isSmall(rpc: Rpc, fields: Fields, code: Code): Promise<void> {
      const error = await failureOf(server.send(rpc, encode(rpc, fields)));
      expect(Code[error.code]).to.equal(Code[code]);
      expect(error.reason).to.not.equal(undefined);
      const { details, metadata } = error.cause as ServiceError;
      const [packed] = metadata.get('grpc-status-details-bin');
      const bytes = (packed as Buffer).toString('base64').length + encodeURI(details).length;
      expect(bytes).to.be.lessThan(4_000);
    }

    for (const id of worst)
      it(`of ${JSON.stringify(id.slice(0, 2))}`, async () => {
        // Cut in the middle of a pair of surrogates too.
        const odd = `x${id.slice(2)}`;
        for (const absent of [id, odd]) {
          await isSmall('promiseGet', { id: absent }, Code.NOT_FOUND);
          await isSmall('dispatchDrain', { sessionId: absent }, Code.NOT_FOUND);
        }
        await server.create(id, { 'resonate:target': 'worker' });
        await server.client.taskAcquire({ id, version: 0, pid: id, ttlMs: 1_000 });
        await isSmall('taskAcquire', { id, version: 0, pid: odd, ttlMs: 1 }, Code.ABORTED);
        await isSmall('taskRelease', { id, version: Number.MAX_SAFE_INTEGER }, Code.ABORTED);
        await isSmall('taskSuspend', { id, version: 1, awaitedIds: [odd] }, Code.FAILED_PRECONDITION);
        const tags = new Map([[odd, NOT_UTF8]]);
        await isSmall('promiseCreate', { promise: { id, tags } }, Code.INVALID_ARGUMENT);
        await isSmall('promiseSettle', { settlement: { id: id.repeat(100) } }, Code.INVALID_ARGUMENT);
      });
  });
});

/** Numbers of 31 bits, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state >> 8;
  };
}
