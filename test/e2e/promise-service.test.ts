import { expect } from 'chai';
import { PromiseState, SettleState } from '../../clients/typescript/index.js';
import { EMPTY, failedPrecondition, NOT_IMPLEMENTED, notFound, TARGETED, TestServer, value } from './fixture.js';

describe('e2e: PromiseService', () => {
  let server: TestServer;
  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(() => server.reset());

  describe('PromiseGet', () => {
    it('answers with the promise', async () => {
      await server.create('p', { k: 'v' });
      const { promise } = await server.client.promiseGet({ id: 'p' });
      expect(promise).to.deep.equal(server.promise('p', { tags: new Map([['k', 'v']]) }));
    });

    it('shows a promise past its deadline as timed out, and writes nothing', async () => {
      await server.create('p', {}, server.now + 10);
      const pending = server.promise('p', { timeoutAtMs: server.now + 10 });
      await server.setClock(server.now + 10);
      const before = await server.snapshot();
      const { promise } = await server.client.promiseGet({ id: 'p' });
      const state = PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT;
      expect(promise).to.deep.equal({ ...pending, state, settledAtMs: pending.timeoutAtMs });
      expect(await server.snapshot()).to.deep.equal(before);
    });

    it('404', () => server.refuses(() => server.client.promiseGet({ id: 'p' }), notFound('PROMISE_NOT_FOUND', 'p')));
  });

  describe('PromiseCreate', () => {
    it('creates a promise', async () => {
      const { promise } = await server.client.promiseCreate({
        promise: { id: 'p', timeoutAtMs: server.far, param: value('for p'), tags: new Map([['k', 'v']]) },
      });
      expect(promise).to.deep.equal(server.promise('p', { tags: new Map([['k', 'v']]) }));
      expect((await server.snapshot()).promises).to.deep.equal([{ promise, callbacks: [], listeners: [] }]);
    });

    it('takes an absent param for an empty one', async () => {
      const { promise } = await server.client.promiseCreate({ promise: { id: 'p', timeoutAtMs: server.far } });
      expect(promise).to.deep.equal(server.promise('p', { param: EMPTY }));
    });

    it('creates a settled promise when its deadline has passed', async () => {
      const timeoutAtMs = server.now;
      const { promise } = await server.client.promiseCreate({ promise: { id: 'p', timeoutAtMs } });
      const state = PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT;
      const times = { timeoutAtMs, createdAtMs: timeoutAtMs, settledAtMs: timeoutAtMs };
      expect(promise).to.deep.equal(server.promise('p', { param: EMPTY, state, ...times }));
    });

    it('creates a resolved timer when its deadline has passed', async () => {
      const tags = new Map([['resonate:timer', 'true']]);
      const { promise } = await server.client.promiseCreate({ promise: { id: 'p', timeoutAtMs: 0, tags } });
      const state = PromiseState.PROMISE_STATE_RESOLVED;
      const times = { timeoutAtMs: 0, createdAtMs: 0, settledAtMs: 0 };
      expect(promise).to.deep.equal(server.promise('p', { param: EMPTY, tags, state, ...times }));
    });

    it('answers with the promise that stands', async () => {
      await server.create('p');
      const before = await server.snapshot();
      const { promise } = await server.client.promiseCreate({
        promise: { id: 'p', timeoutAtMs: 1, param: value('x') },
      });
      expect(promise).to.deep.equal(server.promise('p'));
      expect(await server.snapshot()).to.deep.equal(before);
    });
  });

  describe('PromiseSettle', () => {
    for (const [settle, state] of [
      [SettleState.SETTLE_STATE_RESOLVED, PromiseState.PROMISE_STATE_RESOLVED],
      [SettleState.SETTLE_STATE_REJECTED, PromiseState.PROMISE_STATE_REJECTED],
      [SettleState.SETTLE_STATE_REJECTED_CANCELED, PromiseState.PROMISE_STATE_REJECTED_CANCELED],
    ] as const)
      it(`settles a promise as ${PromiseState[state]}`, async () => {
        await server.create('p');
        const created = server.promise('p');
        await server.setClock(server.now + 1);
        const settlement = { id: 'p', state: settle, value: value('done') };
        const { promise } = await server.client.promiseSettle({ settlement });
        expect(promise).to.deep.equal({ ...created, state, value: value('done'), settledAtMs: server.now });
        expect((await server.client.promiseGet({ id: 'p' })).promise).to.deep.equal(promise);
      });

    it('answers with the outcome that stands', async () => {
      await server.create('p');
      await server.settle('p');
      const before = await server.snapshot();
      const settlement = { id: 'p', state: SettleState.SETTLE_STATE_REJECTED, value: value('late') };
      const { promise } = await server.client.promiseSettle({ settlement });
      const state = PromiseState.PROMISE_STATE_RESOLVED;
      expect(promise).to.deep.equal(server.promise('p', { state, value: value('of p'), settledAtMs: server.now }));
      expect(await server.snapshot()).to.deep.equal(before);
    });

    it('404', () =>
      server.refuses(
        () => server.client.promiseSettle({ settlement: { id: 'p', state: 1 } }),
        notFound('PROMISE_NOT_FOUND', 'p'),
      ));
  });

  describe('PromiseRegisterCallback', () => {
    const request = { awaitedId: 'p', awaiterId: 'awaiter' };

    it('registers', async () => {
      await server.create('p');
      await server.create('awaiter', TARGETED);
      const { promise } = await server.client.promiseRegisterCallback(request);
      expect(promise).to.deep.equal(server.promise('p'));
      const { promises } = await server.snapshot();
      expect(promises.map(({ callbacks }) => callbacks)).to.deep.equal([[], ['awaiter']]);
    });

    it('registers nothing on a settled promise', async () => {
      await server.create('p');
      await server.create('awaiter', TARGETED);
      await server.settle('p');
      const before = await server.snapshot();
      const { promise } = await server.client.promiseRegisterCallback(request);
      expect(promise).to.include({ state: PromiseState.PROMISE_STATE_RESOLVED, settledAtMs: server.now });
      expect(await server.snapshot()).to.deep.equal(before);
    });

    it('404', async () => {
      await server.create('awaiter', TARGETED);
      await server.refuses(() => server.client.promiseRegisterCallback(request), notFound('PROMISE_NOT_FOUND', 'p'));
    });

    it('422 without the awaiter', async () => {
      await server.create('p');
      await server.refuses(
        () => server.client.promiseRegisterCallback(request),
        failedPrecondition('AWAITER_NOT_FOUND', 'awaiter'),
      );
    });

    it('422 for an awaiter without a target', async () => {
      await server.create('p');
      await server.create('awaiter');
      await server.refuses(
        () => server.client.promiseRegisterCallback(request),
        failedPrecondition('AWAITER_WITHOUT_TARGET', 'awaiter'),
      );
    });
  });

  describe('PromiseRegisterListener', () => {
    const request = { awaitedId: 'p', address: 'uni@group/pid' };

    it('registers, and an unblock is sent at settlement', async () => {
      await server.create('p');
      const { promise } = await server.client.promiseRegisterListener(request);
      expect(promise).to.deep.equal(server.promise('p'));
      expect((await server.snapshot()).promises[0]?.listeners).to.deep.equal([request.address]);
      await server.settle('p');
      const message = { $case: 'unblockPromiseId', value: 'p' };
      expect((await server.snapshot()).outbox).to.deep.equal([{ address: request.address, message }]);
    });

    it('registers nothing on a settled promise', async () => {
      await server.create('p');
      await server.settle('p');
      const before = await server.snapshot();
      const { promise } = await server.client.promiseRegisterListener(request);
      expect(promise?.settledAtMs).to.equal(server.now);
      expect(await server.snapshot()).to.deep.equal(before);
    });

    it('404', () =>
      server.refuses(() => server.client.promiseRegisterListener(request), notFound('PROMISE_NOT_FOUND', 'p')));
  });

  it('PromiseSearch: 501, whatever the request', async () => {
    const tags = new Map([['k', 'v']]);
    const state = PromiseState.PROMISE_STATE_PENDING;
    for (const request of [{}, { state, tags, limit: 10, cursor: 'c' }]) {
      await server.refuses(() => server.client.promiseSearch(request), NOT_IMPLEMENTED);
    }
  });
});
