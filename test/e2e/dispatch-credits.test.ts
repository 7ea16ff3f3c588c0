import { expect } from 'chai';
import type { DispatchRecorder } from '../support/dispatch-recorder.js';
import { DebugServiceService } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import type { TaskRef } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { inAnHour } from '../support/stubs.js';
import { DispatchFixture, TTL } from './dispatch-fixture.js';

describe('Dispatch credits', () => {
  const fixture = new DispatchFixture();
  const pid = 'p';
  let group: string;
  let worker: DispatchRecorder;

  before(() => fixture.start({ flags: ['--debug', '--retry-timeout-ms', '3600000'] }));
  after(() => fixture.stop());
  beforeEach(() => (group = fixture.name('group')));
  afterEach(() => fixture.closeStreams());

  /** What gives a held task up, and with it its credit. */
  const GIVES_BACK: Readonly<Record<string, (task: TaskRef) => Promise<unknown>>> = {
    fulfil: (task) => fixture.fulfill(task),
    release: (task) => fixture.client.taskRelease(task),
    halt: ({ id }) => fixture.client.taskHalt({ id }),
    'settlement of the promise': ({ id }) => fixture.settle(id),
    suspend: async (task) => fixture.client.taskSuspend({ ...task, awaitedIds: [await fixture.promise()] }),
    'a lost lease': async () => {
      const { nowMs } = await worker.stubs.snapshot();
      await worker.stubs.call(DebugServiceService.debugAdvance, { nowMs: nowMs + TTL });
    },
  };
  for (const [name, giveBack] of Object.entries(GIVES_BACK)) {
    it(`come back with ${name}`, async () => {
      worker = await fixture.connect({ group, pid, maxInFlight: 1 });
      const ids = await fixture.create(`uni@${group}/${pid}`, name === 'fulfil' ? 10 : 4);
      for (const [i, id] of ids.entries()) {
        await worker.execute(id);
        await fixture.barrier(worker, { group, pid });
        expect(worker.pushed, 'one is pushed').to.deep.equal(ids.slice(0, i + 1));
        const task = await fixture.acquire(pid, id);
        await fixture.barrier(worker, { group, pid });
        expect(worker.pushed, 'one is held').to.deep.equal(ids.slice(0, i + 1));
        await giveBack(task);
      }
    });
  }

  /** What takes a task from under a push that nobody has acquired yet. */
  const VOIDS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    halt: (id) => fixture.client.taskHalt({ id }),
    settlement: (id) => fixture.settle(id),
    'an acquire by another': (id) => fixture.acquire('other', id),
  };
  for (const [name, take] of Object.entries(VOIDS)) {
    it(`of a push come back with ${name}`, async () => {
      worker = await fixture.connect({ group, pid, maxInFlight: 1 });
      const ids = await fixture.create(`uni@${group}/${pid}`, 3);
      for (const [i, id] of ids.entries()) {
        await worker.execute(id);
        await fixture.barrier(worker, { group, pid });
        expect(worker.pushed).to.deep.equal(ids.slice(0, i + 1));
        await take(id);
      }
    });
  }

  it('count what the process held before it connected', async () => {
    const [held] = await fixture.create(`any@${group}`);
    const task = await fixture.acquire(pid, held!);
    const [waiting] = await fixture.create(`any@${group}`);
    worker = await fixture.connect({ group, pid, maxInFlight: 1 });
    await fixture.barrier(worker, { group, pid });
    expect(worker.pushed).to.be.empty;
    await fixture.fulfill(task);
    await worker.execute(waiting!);
  });

  it('count a task that the process created for itself', async () => {
    worker = await fixture.connect({ group, pid, maxInFlight: 1 });
    const promise = { id: fixture.name('task'), timeoutAtMs: inAnHour() };
    const { task } = await fixture.client.taskCreate({ pid, ttlMs: TTL, promise });
    const [id] = await fixture.create(`any@${group}`);
    await fixture.barrier(worker, { group, pid });
    expect(worker.pushed).to.be.empty;
    await fixture.fulfill({ id: promise.id, version: task!.version });
    await worker.execute(id!);
  });

  it('of 0 mean unblocks only', async () => {
    worker = await fixture.connect({ group, pid, maxInFlight: 0 });
    expect((await worker.hello()).limits?.maxInFlight).to.equal(0);
    const [id] = await fixture.create(`uni@${group}/${pid}`);
    await fixture.barrier(worker, { group, pid });
    expect(worker.kinds).to.deep.equal(['hello', 'unblock']);
    const other = await fixture.connect({ group, pid, maxInFlight: 1 });
    await other.execute(id!);
  });

  it('hold while four workers take 100 tasks one at a time', async () => {
    const ids = await fixture.createMany(`any@${group}`, 100);
    const done = new Set<string>();
    const work = async (pid: string): Promise<void> => {
      const stream = await fixture.connect({ group, pid, maxInFlight: 1 });
      for (let taken = 0; ; taken++) {
        const enough = () => done.size === ids.length || stream.executes.length > taken;
        await stream.until(enough).catch(() => {});
        if (done.size === ids.length) return;
        const { taskId, version } = stream.executes[taken]!;
        const task = await fixture.acquire(pid, taskId, version);
        // At this moment the one credit is taken: nothing more may have been pushed.
        expect(stream.executes).to.have.length(taken + 1);
        expect(done, 'given to one only').to.not.include(taskId);
        done.add(taskId);
        if (done.size === ids.length) fixture.closeStreams();
        await fixture.fulfill(task);
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(work));
    expect([...done]).to.have.members(ids);
  });
});
