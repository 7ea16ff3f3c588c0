/** The end of a server, and the next one on the same data. */
import { once } from 'node:events';
import { expect } from 'chai';
import { PromiseGetRequest } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { Code, ResonateClient, type ResonateError } from '../../clients/typescript/index.js';
import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { removeDirectory, runToEnd, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { expectOneLine } from './failures.js';
import { RawClient, TARGETED, TestServer } from './fixture.js';
import { encode } from './requests.js';

const FAR = 9_000_000_000_000;

describe('e2e: stop and restart', () => {
  let data: string;
  beforeEach(() => (data = temporaryDirectory()));
  afterEach(() => removeDirectory(data));

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`${signal}: every call that was accepted is answered, every stream is ended, exit 0`, async () => {
      const server = await ServerProcess.start({ data });
      const raw = new RawClient(server.address);
      const stream = DispatchRecorder.open(server.address, { group: 'g', pid: 'p' });
      await stream.until(() => stream.kinds.includes('hello'));

      const ids = Array.from({ length: 300 }, (_, i) => `p${i}`);
      const create = (id: string) =>
        raw.send('promiseCreate', encode('promiseCreate', { promise: { id, timeoutAtMs: FAR } }));
      const answers = ids.map((id) =>
        create(id).then(
          () => 'OK',
          (error: ResonateError) => Code[error.code],
        ),
      );
      await Promise.race(answers);
      expect(await server.signal(signal)).to.equal(0);
      expect((await stream.ended)?.code).to.equal(Code.UNAVAILABLE);
      stream.close();
      raw.close();

      // A call without an answer has left nothing.
      const codes = await Promise.all(answers);
      expect(new Set(codes)).to.satisfy((all: Set<string>) =>
        [...all].every((code) => ['OK', 'UNAVAILABLE'].includes(code)),
      );
      const next = await ServerProcess.start({ data });
      const again = new RawClient(next.address);
      const found = await Promise.all(
        ids.map((id) =>
          again.send('promiseGet', PromiseGetRequest.encode({ id }).finish()).then(
            () => 'OK',
            () => 'UNAVAILABLE',
          ),
        ),
      );
      expect(found).to.deep.equal(codes);
      again.close();
      await next.kill();
    });

  it('a second signal stops at once', async () => {
    const server = await ServerProcess.start({ data, flags: ['--drain-ms', '600000'] });
    const ended = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    server.child.kill('SIGINT');
    expect((await ended)[0]).to.equal(1);
    const next = await ServerProcess.start({ data });
    expect(await next.stop()).to.equal(0);
  });

  it('everything is still there after a stop, and after a kill', async () => {
    let server = await TestServer.start({ data });
    await server.create('p', { k: 'v' });
    await server.create('q');
    await server.settle('q');
    await server.acquired('held');
    await server.acquired('parked');
    await server.client.taskSuspend({ id: 'parked', version: 1, awaitedIds: ['p'] });
    await server.create('pending', TARGETED);
    await server.client.promiseRegisterListener({ awaitedId: 'p', address: 'caller' });
    await server.client.scheduleCreate({ schedule: { id: 's', cron: '0 0 1 1 *', promiseId: '{{.timestamp}}' } });
    const before = await server.snapshot();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await server.process.signal(signal);
      server.client.close();
      server = await TestServer.start({ data });
      expect({ ...(await server.snapshot()), nowMs: 0 }).to.deep.equal({ ...before, nowMs: 0 });
    }
    await server.end();
  });

  describe('the clock', () => {
    async function createdAt(address: string, id: string): Promise<number> {
      const client = new ResonateClient({ address });
      const { promise } = await client.promiseCreate({ promise: { id, timeoutAtMs: FAR } });
      client.close();
      return promise?.createdAtMs as number;
    }

    /** Data that has seen a time this much ahead of the clock. Returns the instant that it has seen. */
    async function seen(lead: number): Promise<number> {
      const server = await TestServer.start({ data });
      await server.setClock(Date.now() + lead);
      const at = await createdAt(server.process.address, 'first');
      expect(at).to.equal(server.now);
      await server.process.kill();
      server.client.close();
      return at;
    }

    it('does not go back over restarts, of any kind', async () => {
      let latest = 0;
      for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL'] as const) {
        const server = await ServerProcess.start({ data });
        for (let i = 0; i < 3; i++) {
          const at = await createdAt(server.address, `after ${signal} ${latest} ${i}`);
          expect(at).to.be.at.least(latest);
          latest = at;
        }
        await server.signal(signal);
      }
    });

    it('does not go back when the data is ahead of it', async () => {
      const at = await seen(30_000);
      const server = await ServerProcess.start({ data });
      expect(await createdAt(server.address, 'second')).to.be.at.least(at);
      await server.kill();
    });

    it('more than a minute ahead: refuses to start, and says why; --allow-clock-lead runs on', async () => {
      const at = await seen(3_600_000);
      const failure = await runToEnd(['--data', data, '--port', '0']);
      expectOneLine(failure, 'clock', '--allow-clock-lead');
      const server = await ServerProcess.start({ data, flags: ['--allow-clock-lead'] });
      expect(await createdAt(server.address, 'second')).to.be.at.least(at);
      await server.kill();
    });
  });
});
