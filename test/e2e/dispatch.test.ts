import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { DispatchRecorder, type RecorderRequest } from '../support/dispatch-recorder.js';
import { DispatchFixture } from './dispatch-fixture.js';
import { Code } from '../../clients/typescript/index.js';

describe('Dispatch', () => {
  const fixture = new DispatchFixture();
  let group: string;

  before(() => fixture.start({ flags: ['--max-in-flight', '70', '--retry-timeout-ms', '3600000'] }));
  after(() => fixture.stop());
  beforeEach(() => (group = fixture.name('group')));
  afterEach(() => fixture.closeStreams());

  describe('hello', () => {
    it('comes first and states the session, the server and the limits in force', async () => {
      const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
      await fixture.create(`any@${group}`);
      const worker = await fixture.connect({ group, pid: 'p', maxInFlight: 3 });
      await worker.executed(1);
      const { sessionId, ...rest } = await worker.hello();
      expect(worker.kinds).to.deep.equal(['hello', 'execute']);
      expect(sessionId).to.not.be.empty;
      expect(rest).to.deep.equal({
        serverVersion: version,
        pingIntervalMs: 15_000,
        limits: { maxInFlight: 3, maxRequestBytes: 1_048_576, retryTimeoutMs: 3_600_000 },
        capabilities: ['pipeline'],
      });
    });

    it('names another session on every stream', async () => {
      const first = await fixture.connect({ group, pid: 'p' });
      const second = await fixture.connect({ group, pid: 'q' });
      expect((await first.hello()).sessionId).to.not.equal((await second.hello()).sessionId);
    });

    it("states the server's own max_in_flight when the request names none", async () => {
      const worker = await fixture.connect({ group, pid: 'p' });
      expect((await worker.hello()).limits?.maxInFlight).to.equal(70);
      await fixture.createMany(`any@${group}`, 75);
      await fixture.barrier(worker, { group, pid: 'p' });
      expect(worker.pushed).to.have.length(70);
    });
  });

  const REFUSED: readonly (readonly [field: string, request: Partial<RecorderRequest>])[] = [
    ['max_in_flight', { maxInFlight: -1 }],
    ['group', { group: '' }],
    ['group', { group: 'a\0b' }],
    ['group', { group: 'g'.repeat(513) }],
    ['pid', { pid: '' }],
    ['pid', { pid: 'a\0b' }],
    ['pid', { pid: 'é'.repeat(257) }],
  ];
  for (const [field, wrong] of REFUSED) {
    it(`refuses ${JSON.stringify(wrong).slice(0, 40)}`, async () => {
      const stream = DispatchRecorder.open(fixture.server.address, { group, pid: 'p', ...wrong });
      const error = await stream.ended;
      stream.close();
      expect(error).to.include({ code: Code.INVALID_ARGUMENT, reason: 'INVALID_REQUEST' });
      expect(error?.metadata).to.include({ field });
      expect(stream.events).to.be.empty;
    });
  }

  describe('delivery', () => {
    it('pushes a task when it is created', async () => {
      const worker = await fixture.connect({ group, pid: 'p' });
      const [id] = await fixture.create(`any@${group}`);
      expect(await worker.execute(id!)).to.deep.equal({ taskId: id, version: 0 });
    });

    it('gives a late worker the backlog, oldest first, many to a frame', async () => {
      const ids = await fixture.create(`any@${group}`, 60);
      const worker = await fixture.connect({ group, pid: 'p' });
      await worker.executed(60);
      expect(worker.pushed).to.deep.equal(ids);
      expect(worker.frames.length).to.be.lessThan(20);
    });

    it('gives a worker what is its alone and what is for anybody in one order', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 10; i++) {
        ids.push(...(await fixture.create(i % 2 === 0 ? `any@${group}` : `uni@${group}/p`)));
      }
      const worker = await fixture.connect({ group, pid: 'p' });
      await worker.executed(10);
      expect(worker.pushed).to.deep.equal(ids);
    });

    it('pushes the new version after a release', async () => {
      const worker = await fixture.connect({ group, pid: 'p' });
      const [id] = await fixture.create(`any@${group}`);
      await worker.execute(id!);
      await fixture.client.taskRelease(await fixture.acquire('p', id!));
      expect(await worker.execute(id!, 1)).to.deep.equal({ taskId: id, version: 1 });
    });

    it('holds a delayed task back until its instant', async () => {
      const worker = await fixture.connect({ group, pid: 'p' });
      const promise = (id: string, delay: number) => ({
        id,
        timeoutAtMs: Date.now() + 60_000,
        tags: new Map([
          ['resonate:target', group],
          ['resonate:delay', String(delay)],
        ]),
      });
      const late = fixture.name('task');
      const soon = fixture.name('task');
      await fixture.client.promiseCreate({ promise: promise(late, Date.now() + 50_000) });
      await fixture.client.promiseCreate({ promise: promise(soon, Date.now() + 50) });
      await worker.execute(soon);
      expect(worker.pushed).to.deep.equal([soon]);
    });

    it('sends nothing for an empty target', async () => {
      const worker = await fixture.connect({ group, pid: 'p' });
      await fixture.create('');
      const [id] = await fixture.create(group);
      await worker.execute(id!);
      expect(worker.pushed).to.deep.equal([id]);
    });

    it('serves 200 streams at once', async () => {
      const pids = Array.from({ length: 200 }, (_, i) => `p${i}`);
      const workers = await Promise.all(pids.map((pid) => fixture.connect({ group, pid, maxInFlight: 2 })));
      const own = await Promise.all(pids.map(async (pid) => (await fixture.create(`uni@${group}/${pid}`))[0]!));
      const shared = await fixture.createMany(`any@${group}`, 200);
      await Promise.all(workers.map((worker) => worker.executed(2)));
      workers.forEach((worker, i) => expect(worker.pushed).to.include(own[i]));
      expect(workers.flatMap(({ pushed }) => pushed)).to.have.members([...own, ...shared]);
    });
  });

  describe('addresses', () => {
    it('uni waits for its process and goes nowhere else', async () => {
      const other = await fixture.connect({ group, pid: 'other' });
      const [id] = await fixture.create(`uni@${group}/p`);
      await fixture.barrier(other, { group, pid: 'other' });
      const worker = await fixture.connect({ group, pid: 'p' });
      await worker.execute(id!);
      worker.close();
      await fixture.barrier(other, { group, pid: 'other' });
      expect(other.pushed).to.be.empty;
    });

    it('any with a pid goes to that process, and to another while it has no credit', async () => {
      const other = await fixture.connect({ group, pid: 'other', maxInFlight: 50 });
      const preferred = await fixture.connect({ group, pid: 'p', maxInFlight: 3 });
      const ids = await fixture.create(`any@${group}/p`, 5);
      await preferred.executed(3);
      await other.executed(2);
      expect(preferred.pushed).to.deep.equal(ids.slice(0, 3));
      expect(other.pushed).to.deep.equal(ids.slice(3));
    });

    it('any with the pid of nobody goes to another', async () => {
      const worker = await fixture.connect({ group, pid: 'p' });
      const [id] = await fixture.create(`any@${group}/nobody`);
      await worker.execute(id!);
    });

    it('any goes to the one with most free credits', async () => {
      const small = await fixture.connect({ group, pid: 'small', maxInFlight: 2 });
      const large = await fixture.connect({ group, pid: 'large', maxInFlight: 6 });
      const ids = await fixture.create(`any@${group}`, 8);
      await small.executed(2);
      await large.executed(6);
      expect(large.pushed.slice(0, 4)).to.deep.equal(ids.slice(0, 4));
      expect([...small.pushed, ...large.pushed]).to.have.members(ids);
    });

    it('ignores the scheme', async () => {
      const worker = await fixture.connect({ group, pid: 'p' });
      const other = await fixture.connect({ group, pid: 'other' });
      const [a] = await fixture.create(`poll://any@${group}/p`);
      const [b] = await fixture.create(`local+x.y-1://uni@${group}/p`);
      await worker.executed(2);
      expect(worker.pushed).to.deep.equal([a, b]);
      await fixture.barrier(other, { group, pid: 'other' });
      expect(other.pushed).to.be.empty;
    });

    for (const text of ['plain', 'http://host:1/path', 'uni@nopid', 'any@', 'two@words/x', '1://any@x', 'ünïcode']) {
      it(`takes ${text} for the name of a group`, async () => {
        const name = fixture.name(text);
        const worker = await fixture.connect({ group: text === 'any@' ? 'any@' : name, pid: 'p' });
        const [id] = await fixture.create(text === 'any@' ? 'any@' : name);
        await worker.execute(id!);
      });
    }

    it('keeps groups apart', async () => {
      const worker = await fixture.connect({ group, pid: 'p' });
      const [elsewhere] = await fixture.create(`any@${group}x`);
      const [here] = await fixture.create(`any@${group}`);
      await worker.execute(here!);
      const other = await fixture.connect({ group: `${group}x`, pid: 'p' });
      await other.execute(elsewhere!);
      expect(worker.pushed).to.deep.equal([here]);
    });
  });
});
