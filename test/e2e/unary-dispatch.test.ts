import { expect } from 'chai';
import { once } from 'node:events';
import type { DispatchResponse } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import { Code } from '../../clients/typescript/index.js';
import { TestServer } from './fixture.js';

describe('e2e: the unary calls of DispatchService', () => {
  let server: TestServer;
  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(() => server.reset());

  it('DispatchAcknowledge removes unblocks, and skips unknown ones', async () => {
    for (const id of ['p', 'q']) {
      await server.create(id);
      await server.client.promiseRegisterListener({ awaitedId: id, address: 'caller' });
      await server.settle(id);
    }
    const unblocks = [
      { promiseId: 'p', address: 'caller' },
      { promiseId: 'q', address: 'another' },
      { promiseId: 'absent', address: 'caller' },
    ];
    for (let i = 0; i < 2; i++) expect(await server.client.dispatchAcknowledge({ unblocks })).to.deep.equal({});
    const message = { $case: 'unblockPromiseId', value: 'q' };
    expect((await server.snapshot()).outbox).to.deep.equal([{ address: 'caller', message }]);
  });

  it('DispatchAcknowledge takes an empty list', async () => {
    expect(await server.client.dispatchAcknowledge({})).to.deep.equal({});
  });

  it('DispatchDrain knows an open stream by the session id that hello named', async () => {
    const stream = server.client.dispatch({ group: 'g', pid: 'pid' });
    stream.on('error', () => {});
    const [{ events }] = (await once(stream, 'data')) as [DispatchResponse];
    const hello = events[0]?.event;
    if (hello?.$case !== 'hello') throw new Error('hello must come first');
    for (let i = 0; i < 2; i++) {
      expect(await server.client.dispatchDrain({ sessionId: hello.value.sessionId })).to.deep.equal({});
    }
    stream.cancel();
  });

  it('DispatchDrain: 404', () =>
    server.refuses(() => server.client.dispatchDrain({ sessionId: 'absent' }), {
      code: Code.NOT_FOUND,
      reason: 'SESSION_NOT_FOUND',
      status: 404,
      metadata: { session_id: 'absent' },
    }));
});
