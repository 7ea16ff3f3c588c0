import { expect } from 'chai';
import { Code, Worker, type RunOver } from '../../clients/typescript/index.js';
import { refusal } from './failing.js';
import { settledRecord } from './scripted-server.js';
import { OpenRuns, WorkerFixture } from './worker-fixture.js';

describe('client: worker that stops', () => {
  let f: WorkerFixture;
  let runs: OpenRuns;

  beforeEach(() => {
    f = new WorkerFixture();
    runs = new OpenRuns();
  });

  afterEach(() => f.close());

  it('drains: takes nothing new, lets handlers finish, ends the stream', async () => {
    await f.open(runs.handler);
    await f.give('t');
    const { end, context } = await runs.next();
    const stopped = f.worker.stop();
    const drain = await f.server.next('dispatchDrain');
    expect(drain.request).to.deep.equal({ sessionId: 'session' });
    f.stream.execute('u', 0);
    f.stream.send({ $case: 'unblock', value: { promise: settledRecord('p'), address: 'x' } });
    (await f.server.next('dispatchAcknowledge')).reply({});
    drain.reply({});
    expect(context.signal.aborted).to.equal(false);
    end('done');
    (await f.server.next('taskFulfill')).reply({ promise: settledRecord('t') });
    await stopped;
    await f.stream.cancelled;
    await f.worker.done;
    await f.worker.stop();
    expect(f.server.waiting('taskAcquire')).to.equal(0);
    expect(f.clock.lengths).to.deep.equal([]);
  });

  it('gives back what is left after the grace period', async () => {
    await f.open(runs.handler);
    await f.give('t', 2);
    const { context } = await runs.next();
    const stopped = f.worker.stop({ graceMs: 700 });
    (await f.server.next('dispatchDrain')).reply({});
    await f.clock.armed(700);
    f.clock.advance(700);
    const release = await f.server.next('taskRelease');
    expect(release.request).to.deep.equal({ id: 't', version: 3 });
    expect((context.signal.reason as RunOver).end).to.equal('stopped');
    release.reply({});
    await stopped;
  });

  it('gives back at once what failed, and what it acquires too late', async () => {
    await f.open(runs.handler);
    await f.give('failed');
    (await runs.next()).fail(new Error('no'));
    await f.clock.armed(1_000);
    f.stream.execute('late', 0);
    const acquire = await f.server.next('taskAcquire');
    const stopped = f.worker.stop();
    (await f.server.next('dispatchDrain')).reply({});
    const failed = await f.server.next('taskRelease');
    expect(failed.request.id).to.equal('failed');
    failed.reply({});
    f.grant(acquire);
    const late = await f.server.next('taskRelease');
    expect(late.request.id).to.equal('late');
    late.reply({});
    await stopped;
    expect(runs.size).to.equal(0);
  });

  it('does not ask again for a task whose answer was lost', async () => {
    await f.open(runs.handler);
    f.stream.execute('t', 0);
    const acquire = await f.server.next('taskAcquire');
    const stopped = f.worker.stop();
    (await f.server.next('dispatchDrain')).reply({});
    acquire.lose();
    await stopped;
    expect(f.server.waiting('taskAcquire')).to.equal(0);
  });

  it('drains a stream that it opened again meanwhile, too', async () => {
    await f.open(runs.handler);
    await f.give('t');
    await runs.next();
    const stopped = f.worker.stop({ graceMs: 9_000 });
    (await f.server.next('dispatchDrain')).reply({});
    await f.clock.armed(9_000);
    f.stream.fail({ code: Code.UNAVAILABLE });
    await f.clock.armed(100);
    f.clock.advance(100);
    (await f.server.streams.next()).hello('session 2');
    const drain = await f.server.next('dispatchDrain');
    expect(drain.request).to.deep.equal({ sessionId: 'session 2' });
    drain.reply({});
    f.clock.advance(9_000);
    (await f.server.next('taskRelease')).reply({});
    await stopped;
  });

  it('before it has started opens no stream', async () => {
    await f.server.start();
    f.create(runs.handler);
    await f.worker.stop();
    await f.worker.start();
    await f.worker.done;
    expect(f.clock.lengths).to.deep.equal([]);
  });

  it('begins with a signal', async () => {
    await f.open(runs.handler);
    f.worker.drainOnSignals(['SIGUSR2']);
    process.emit('SIGUSR2', 'SIGUSR2');
    expect(process.listenerCount('SIGUSR2')).to.equal(0);
    (await f.server.next('dispatchDrain')).reply({});
    await f.worker.done;
  });

  it('is forced by another process with its pid: it gives back what it holds, and done rejects', async () => {
    await f.open(runs.handler);
    await f.give('t');
    await runs.next();
    f.stream.fail({ code: Code.ABORTED, reason: 'SESSION_REPLACED' });
    const done = refusal(f.worker.done);
    await f.clock.armed(0);
    f.clock.advance(0);
    (await f.server.next('taskRelease')).reply({});
    expect((await done).reason).to.equal('SESSION_REPLACED');
  });

  it('is forced by a refused stream: start rejects', async () => {
    await f.server.start();
    f.create(runs.handler);
    const started = refusal(f.worker.start());
    (await f.server.streams.next()).fail({ code: Code.INVALID_ARGUMENT, reason: 'INVALID_REQUEST' });
    expect((await started).reason).to.equal('INVALID_REQUEST');
  });

  it('leaves a client that it was given open', async () => {
    await f.open(runs.handler);
    const stopped = f.worker.stop();
    (await f.server.next('dispatchDrain')).reply({});
    await stopped;
    const answer = f.client.promiseGet({ id: 'p' });
    (await f.server.next('promiseGet')).reply({ promise: settledRecord('p') });
    expect((await answer).promise?.id).to.equal('p');
  });

  it('closes a client of its own', async () => {
    await f.open(runs.handler);
    const worker = new Worker({ address: f.server.address, group: 'g', pid: 'w2', handler: runs.handler });
    const started = worker.start();
    const stream = await f.server.streams.next();
    stream.hello('session 2');
    await started;
    const stopped = worker.stop({ graceMs: 0 });
    (await f.server.next('dispatchDrain')).reply({});
    await stopped;
    await stream.cancelled;
  });
});
