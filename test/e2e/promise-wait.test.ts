import { expect } from 'chai';
import { PromiseGetRequest, PromiseWaitRequest } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { Code, PromiseState, ResonateClient } from '../../clients/typescript/index.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { expectRefusal, failureOf, notFound, RawClient, TestServer, value } from './fixture.js';

describe('e2e: PromiseWait', () => {
  describe('under a clock that stands still', () => {
    let server: TestServer;
    before(async () => (server = await TestServer.start()));
    after(() => server.end());
    beforeEach(() => server.reset());

    it('answers at once for a settled promise', async () => {
      await server.create('p');
      await server.settle('p');
      const { promise } = await server.client.promiseWait({ id: 'p' });
      const state = PromiseState.PROMISE_STATE_RESOLVED;
      expect(promise).to.deep.equal(server.promise('p', { state, value: value('of p'), settledAtMs: server.now }));
    });

    it('answers when the promise settles, and everybody who waits', async () => {
      await server.create('p');
      const answers = [1, 2, 3].map(() => server.client.promiseWait({ id: 'p' }));
      // Waits have no trace in the state; a call behind them has come after them.
      await server.client.promiseGet({ id: 'p' });
      await server.settle('p');
      const { promise: settled } = await server.client.promiseGet({ id: 'p' });
      for (const { promise } of await Promise.all(answers)) expect(promise).to.deep.equal(settled);
    });

    it('answers at the deadline of a promise that nothing is registered on, and registers nothing', async () => {
      await server.create('p', {}, server.now + 10);
      const before = await server.snapshot();
      const answer = server.client.promiseWait({ id: 'p' });
      await server.client.promiseGet({ id: 'p' });
      expect(await server.snapshot()).to.deep.equal(before);
      await server.setClock(server.now + 10);
      const { promise } = await answer;
      expect(promise?.state).to.equal(PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT);
      expect(promise?.settledAtMs).to.equal(server.now);
    });

    it('404', () => server.refuses(() => server.client.promiseWait({ id: 'p' }), notFound('PROMISE_NOT_FOUND', 'p')));

    it('404 when the promise goes away', async () => {
      await server.create('p');
      const answer = failureOf(server.client.promiseWait({ id: 'p' }));
      await server.client.promiseGet({ id: 'p' });
      await server.reset();
      expectRefusal(await answer, notFound('PROMISE_NOT_FOUND', 'p'));
    });

    it('ends at the deadline of the caller', async () => {
      await server.create('p');
      const error = await failureOf(server.client.promiseWait({ id: 'p' }, { deadlineMs: 50 }));
      expect(error.code).to.equal(Code.DEADLINE_EXCEEDED);
    });

    it('ends when the caller cancels, and the server goes on', async () => {
      await server.create('p');
      const cancel = new AbortController();
      const error = failureOf(server.client.promiseWait({ id: 'p' }, { signal: cancel.signal }));
      await server.client.promiseGet({ id: 'p' });
      cancel.abort();
      expect((await error).code).to.equal(Code.CANCELLED);
      await server.settle('p');
    });
  });

  describe('under the real clock', () => {
    let server: ServerProcess;
    let client: ResonateClient;
    beforeEach(async () => {
      server = await ServerProcess.start();
      client = new ResonateClient({ address: server.address });
    });
    afterEach(async () => {
      client.close();
      await server.kill();
      removeDirectory(server.data);
    });

    it('answers at the deadline of a promise that nothing is registered on', async () => {
      const timeoutAtMs = Date.now() + 300;
      await client.promiseCreate({ promise: { id: 'p', timeoutAtMs } });
      const { promise } = await client.promiseWait({ id: 'p' });
      expect(promise?.state).to.equal(PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT);
      expect(promise?.settledAtMs).to.equal(timeoutAtMs);
    });

    it('ends with UNAVAILABLE when the server stops', async () => {
      await client.promiseCreate({ promise: { id: 'p', timeoutAtMs: Date.now() + 1_000_000 } });
      // The typed client would try again.
      const raw = new RawClient(server.address);
      const answer = failureOf(raw.send('promiseWait', PromiseWaitRequest.encode({ id: 'p' }).finish()));
      await raw.send('promiseGet', PromiseGetRequest.encode({ id: 'p' }).finish());
      expect(await server.stop()).to.equal(0);
      expectRefusal(await answer, { code: Code.UNAVAILABLE, reason: 'DRAINING' });
      raw.close();
    });
  });
});
