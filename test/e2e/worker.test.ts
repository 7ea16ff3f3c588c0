import { expect } from 'chai';
import {
  PromiseState,
  Reject,
  ResonateClient,
  TaskState,
  unwrap,
  UnblockListener,
  Worker,
  type Handler,
  type TaskContext,
  type WorkerOptions,
} from '../../clients/typescript/index.js';
import { DebugServiceService } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { ScriptProcess } from '../support/script-process.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { inAnHour, Stubs } from '../support/stubs.js';

const WORKER = new URL('./worker-process.js', import.meta.url);
const timeoutMs = 600_000;

describe('the worker runtime on a real server', () => {
  let server: ServerProcess;
  let client: ResonateClient;
  let stubs: Stubs;
  let workers: Worker[];
  let processes: ScriptProcess[];

  beforeEach(async () => {
    workers = [];
    processes = [];
    server = await ServerProcess.start({ flags: ['--debug'] });
    client = new ResonateClient({ address: server.address });
    stubs = new Stubs(server.address);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop({ graceMs: 0 })));
    for (const { child } of processes) child.kill('SIGKILL');
    client.close();
    stubs.close();
    await server.kill();
    removeDirectory(server.data);
  });

  async function work(handler: Handler, options: Partial<WorkerOptions> = {}): Promise<Worker> {
    const { address } = server;
    const attemptBackoff = { initialMs: 10, maxMs: 50 };
    const worker = new Worker({ address, group: 'g', ttl: 60_000, attemptBackoff, handler, ...options });
    workers.push(worker);
    await worker.start();
    return worker;
  }

  async function workProcess(pid: string, maxInFlight: number): Promise<ScriptProcess> {
    const worker = new ScriptProcess(WORKER, [server.address, 'g', pid, String(maxInFlight)]);
    processes.push(worker);
    await worker.line('worker connected');
    return worker;
  }

  async function restart(): Promise<void> {
    const { data, port } = server;
    await server.kill();
    server = await ServerProcess.start({ data, port, flags: ['--debug'] });
  }

  const create = (id: string, param?: unknown) =>
    client.promiseCreate({
      promise: {
        id,
        timeoutAtMs: inAnHour(),
        tags: new Map([['resonate:target', 'any@g']]),
        ...(param === undefined ? {} : { param: { data: Buffer.from(JSON.stringify(param)) } }),
      },
    });

  /** Sums what its children return; the children have numbers for params. */
  async function fanOut(context: TaskContext): Promise<unknown> {
    if (typeof context.param === 'number') return context.param;
    const { count } = context.param as { count: number };
    const children = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        context.create({ id: `${context.promise.id}.${i}`, target: 'any@g', param: i }),
      ),
    );
    const outcomes = await context.awaitAll(children);
    return outcomes.map(unwrap).reduce((sum: number, value) => sum + (value as number), 0);
  }

  it('fans out, suspends, resumes and fulfils', async () => {
    let rootRuns = 0;
    const handler: Handler = (context) => {
      if (context.promise.id === 'root') rootRuns++;
      return fanOut(context);
    };
    await work(handler, { pid: 'a' });
    await work(handler, { pid: 'b' });
    const outcome = await client.invoke({ id: 'root', target: 'any@g', param: { count: 20 }, timeoutMs });
    expect(unwrap(outcome)).to.equal(190);
    expect(rootRuns).to.be.greaterThan(1);
    const { task } = await client.taskGet({ id: 'root' });
    expect(task).to.include({ state: TaskState.TASK_STATE_FULFILLED, version: rootRuns });
  });

  it('finds the same work when it is invoked again', async () => {
    let runs = 0;
    await work(() => ++runs);
    const spec = { id: 'once', target: 'any@g', timeoutMs };
    const outcomes = await Promise.all([client.invoke(spec), client.invoke(spec), client.invoke(spec)]);
    expect(outcomes.map(unwrap)).to.deep.equal([1, 1, 1]);
    expect(unwrap(await client.invoke(spec))).to.equal(1);
  });

  it('sleeps on a timer, without holding the task', async () => {
    const untilMs = Date.now() + 500;
    let runs = 0;
    await work(async (context) => {
      runs++;
      await context.sleep(`${context.promise.id}.timer`, untilMs);
      return 'awake';
    });
    const outcome = await client.invoke({ id: 'sleeper', target: 'any@g', timeoutMs });
    expect(unwrap(outcome)).to.equal('awake');
    expect(runs).to.equal(2);
    expect(outcome.settledAtMs).to.be.at.least(untilMs);
  });

  it('gives a task whose handler throws back, and gets it again', async () => {
    const versions: number[] = [];
    await work(({ task }) => {
      versions.push(task.version);
      if (versions.length < 3) throw new Error('not yet');
      return 'done';
    });
    expect(unwrap(await client.invoke({ id: 'flaky', target: 'any@g', timeoutMs }))).to.equal('done');
    expect(versions).to.deep.equal([1, 2, 3]);
  });

  it('rejects with what the handler rejects with', async () => {
    await work(() => {
      throw new Reject({ code: 7 });
    });
    const outcome = await client.invoke({ id: 'bad', target: 'any@g', timeoutMs });
    expect(outcome.state).to.equal(PromiseState.PROMISE_STATE_REJECTED);
    expect(() => unwrap(outcome))
      .to.throw(Reject)
      .with.property('value')
      .that.deep.equals({ code: 7 });
  });

  it('refuses the writes of a process that was frozen and lost its lease', async () => {
    const zombie = await workProcess('zombie', 1);
    await create('t');
    await zombie.line('holding t 1');
    zombie.signal('SIGSTOP');
    const heir = await work(({ task }) => task.version, { pid: 'heir' });
    const { nowMs } = await stubs.snapshot();
    await stubs.call(DebugServiceService.debugAdvance, { nowMs: nowMs + 30_001 });
    expect(unwrap(await client.wait('t'))).to.equal(2);

    zombie.signal('SIGCONT');
    zombie.say('write');
    expect(await zombie.line('refused')).to.equal('refused TASK_NOT_ACQUIRED');
    zombie.say('finish');
    await zombie.line('task dropped');
    expect(unwrap(await client.wait('t'))).to.equal(2);
    expect(heir.pid).to.equal('heir');
  });

  it('goes on where it was when the server is killed and comes back', async () => {
    let done = 0;
    let halfDone = (): void => {};
    const half = new Promise<void>((resolve) => (halfDone = resolve));
    await work(
      async (context) => {
        const outcome = await fanOut(context);
        if (++done === 20) halfDone();
        return outcome;
      },
      { maxInFlight: 4 },
    );
    const outcome = client.invoke({ id: 'root', target: 'any@g', param: { count: 40 }, timeoutMs });
    await half;
    await restart();
    expect(unwrap(await outcome)).to.equal(780);
    const { tasks } = await stubs.snapshot();
    expect(tasks).to.have.length(41);
    for (const { task } of tasks) expect(task?.state).to.equal(TaskState.TASK_STATE_FULFILLED);
  });

  it('drains on SIGTERM: finishes what it holds, leaves the rest to others, and exits with 0', async () => {
    const leaving = await workProcess('leaving', 2);
    for (const id of ['a', 'b', 'c', 'd']) await create(id);
    await leaving.line('holding a 1');
    await leaving.line('holding b 1');
    leaving.signal('SIGTERM');
    await leaving.line('draining');
    leaving.say('finish');
    expect(await leaving.exit()).to.equal(0);
    for (const id of ['a', 'b']) expect(unwrap(await client.wait(id))).to.equal(1);

    await work(({ task }) => `other ${task.version}`);
    for (const id of ['c', 'd']) expect(unwrap(await client.wait(id))).to.equal('other 1');
  });

  it('gives back what it does not finish in the grace period', async () => {
    let holding = (): void => {};
    const held = new Promise<void>((resolve) => (holding = resolve));
    const leaving = await work(({ signal }) => {
      holding();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    await create('t');
    await held;
    await leaving.stop({ graceMs: 0 });
    const { task } = await client.taskGet({ id: 't' });
    expect(task).to.include({ state: TaskState.TASK_STATE_PENDING, version: 1 });
    await work(({ task }) => task.version);
    expect(unwrap(await client.wait('t'))).to.equal(2);
  });

  it('stops with an error when another process has its pid', async () => {
    const first = await work(() => undefined, { pid: 'same' });
    const ended = first.done.then(
      () => expect.fail('it stopped without an error'),
      (error: unknown) => error,
    );
    await work(() => undefined, { pid: 'same' });
    expect(await ended).to.include({ reason: 'SESSION_REPLACED' });
  });

  describe('an unblock listener', () => {
    let listener: UnblockListener;

    beforeEach(() => {
      listener = new UnblockListener({ client, group: 'callers', pid: 'caller' });
      listener.start();
    });
    afterEach(() => listener.stop());

    it('waits for many promises at once, and acknowledges what it got', async () => {
      await work(({ param }) => param);
      const ids = Array.from({ length: 50 }, (_, i) => `work-${i}`);
      await Promise.all(ids.map((id, i) => create(id, i)));
      const outcomes = await Promise.all(ids.map((id) => listener.listen(id)));
      expect(outcomes.map(unwrap)).to.deep.equal(ids.map((_, i) => i));
      const waiting = async () => (await stubs.snapshot()).outbox.length;
      // The acknowledgement is on its way when the outcome is there.
      while ((await waiting()) > 0);
    });

    it('hears of a promise over a kill and a restart of the server', async () => {
      await create('t', 'hello');
      const outcome = listener.listen('t');
      const registered = async () => (await stubs.snapshot()).promises.some(({ listeners }) => listeners.length > 0);
      while (!(await registered()));
      await restart();
      await work(({ param }) => param);
      expect(unwrap(await outcome)).to.equal('hello');
    });
  });
});
