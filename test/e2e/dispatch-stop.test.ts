import { expect } from 'chai';
import { Code } from '../../clients/typescript/index.js';
import { PromiseServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { fromServiceError, type ResonateError } from '../../clients/typescript/errors.js';
import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { Stubs, promiseSpec } from '../support/stubs.js';
import { DispatchFixture } from './dispatch-fixture.js';
import type { ServiceError } from '@grpc/grpc-js';

describe('Dispatch at the end of the server', () => {
  const fixture = new DispatchFixture();
  const group = 'g';

  beforeEach(() => fixture.start());
  afterEach(() => fixture.stop());

  it('announces the stop, ends every stream with UNAVAILABLE, and exits with 0', async () => {
    const streams = [
      await fixture.connect({ group, pid: 'a' }),
      await fixture.connect({ group: 'other', pid: 'b', maxInFlight: 0 }),
    ];
    const exit = fixture.server.stop();
    for (const stream of streams) {
      expect(await stream.ended).to.include({ code: Code.UNAVAILABLE, reason: 'DRAINING' });
      expect(stream.kinds).to.deep.equal(['hello', 'drain']);
    }
    expect(await exit).to.equal(0);
  });

  it('opens no stream once it has announced the stop', async () => {
    const stream = await fixture.connect({ group, pid: 'p' });
    const exit = fixture.server.stop();
    await stream.until(() => stream.kinds.includes('drain'));
    const onNewConnection = DispatchRecorder.open(fixture.server.address, { group, pid: 'new' });
    expect((await onNewConnection.ended)?.code).to.equal(Code.UNAVAILABLE);
    expect(onNewConnection.events).to.be.empty;
    onNewConnection.close();
    expect(await exit).to.equal(0);
  });

  it('answers what it has accepted, and a wait with UNAVAILABLE', async () => {
    const stubs = new Stubs(fixture.server.address);
    await stubs.call(PromiseServiceService.promiseCreate, { promise: promiseSpec('p') });
    const wait = stubs.call(PromiseServiceService.promiseWait, { id: 'p' }).then(
      () => expect.fail('the wait ended'),
      (error: unknown): ResonateError => fromServiceError(error as ServiceError),
    );
    // Behind the wait on the same connection: when this has its answer, the wait has been accepted.
    await stubs.call(PromiseServiceService.promiseGet, { id: 'p' });
    const exit = fixture.server.stop();
    expect(await wait).to.include({ code: Code.UNAVAILABLE, reason: 'DRAINING' });
    expect(await exit).to.equal(0);
    stubs.close();
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`pushes the backlog again after ${signal} and a restart`, async () => {
      const ids = await fixture.create(`any@${group}`, 10);
      const worker = await fixture.connect({ group, pid: 'p', maxInFlight: 5 });
      await worker.executed(5);
      const held = await fixture.acquire('p', ids[1]!);
      await fixture.restart(signal);

      const again = await fixture.connect({ group, pid: 'p', maxInFlight: 5 });
      await again.executed(4);
      await fixture.barrier(again, { group, pid: 'p' });
      const left = ids.filter((_, i) => i !== 1);
      expect(again.pushed, 'what it holds takes a credit').to.deep.equal(left.slice(0, 4));
      await fixture.fulfill(held);
      await again.executed(5);
      expect(again.pushed).to.deep.equal(left.slice(0, 5));
    });
  }
});
