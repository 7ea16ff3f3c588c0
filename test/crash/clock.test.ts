/** The wall clock steps, under a running server and between two. */
import { expect } from 'chai';
import { PromiseServiceService as P, PromiseState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { DispatchRecorder } from '../support/dispatch-recorder.js';
import { removeDirectory, runToEnd, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { promiseSpec, Stubs } from '../support/stubs.js';
import { Shim } from './shim/shim.js';

const HOUR = 3_600_000;
const ADDRESS = 'any@g';

describe('a wall clock that steps by an hour', function () {
  this.timeout(60_000);
  let shim: Shim;
  let data: string;
  let server: ServerProcess | undefined;
  /** Every instant that the server has shown, in order. */
  let instants: number[];
  let promises: number;

  beforeEach(() => {
    shim = new Shim();
    data = temporaryDirectory();
    [server, instants, promises] = [undefined, [], 0];
  });

  afterEach(async () => {
    await server?.kill();
    shim.close();
    removeDirectory(data);
  });

  async function start(...flags: string[]): Promise<ServerProcess> {
    return (server = await ServerProcess.start({ data, flags, env: shim.env }));
  }

  /** Creates a promise that times out so many ms after the server's present, and returns its id. */
  async function create(stubs: Stubs, timeout: number): Promise<string> {
    const id = `p${promises++}`;
    const before = await stubs.call(P.promiseCreate, { promise: promiseSpec(`${id}-now`) });
    const { createdAtMs } = before.promise!;
    const promise = { ...promiseSpec(id), timeoutAtMs: createdAtMs + timeout };
    const created = await stubs.call(P.promiseCreate, { promise });
    instants.push(createdAtMs, created.promise!.createdAtMs);
    return id;
  }

  async function listen(stubs: Stubs, id: string): Promise<void> {
    await stubs.call(P.promiseRegisterListener, { awaitedId: id, address: ADDRESS });
  }

  function expectNothingWentBack(): void {
    expect(instants).to.deep.equal([...instants].sort((a, b) => a - b));
  }

  it('moves nothing while the server runs, and every timeout fires once', async () => {
    const { address } = await start();
    const stubs = new Stubs(address);
    const worker = await DispatchRecorder.connect(address, { group: 'g', pid: 'w', autoAcknowledgeUnblocks: true });
    const ids: string[] = [];
    for (const step of [HOUR, -HOUR, 0, HOUR, 0]) {
      shim.shiftWallClock(step);
      const id = await create(stubs, 100);
      await listen(stubs, id);
      const { promise } = await stubs.call(P.promiseWait, { id });
      expect(promise!.state).to.equal(PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT);
      expect(promise!.settledAtMs).to.equal(promise!.timeoutAtMs);
      ids.push(id);
    }
    const far = await create(stubs, HOUR / 2);
    await listen(stubs, far);
    await worker.until(() => worker.unblocked.length >= ids.length);
    expect(worker.unblocked).to.deep.equal(ids);
    const { promise } = await stubs.call(P.promiseGet, { id: far });
    expect(promise!.state, 'half an hour has not passed').to.equal(PromiseState.PROMISE_STATE_PENDING);
    expectNothingWentBack();
    expect(Math.max(...instants) - Math.min(...instants), 'no step shows').to.be.lessThan(HOUR / 2);
    worker.close();
    stubs.close();
  });

  it('forward between two runs: what fell due meanwhile fires once, what has not does not', async () => {
    let stubs = new Stubs((await start()).address);
    const [due, later] = [await create(stubs, HOUR / 2), await create(stubs, 2 * HOUR)];
    await listen(stubs, due);
    await listen(stubs, later);
    stubs.close();
    await server!.kill();

    shim.shiftWallClock(HOUR);
    const { address } = await start();
    stubs = new Stubs(address);
    const worker = await DispatchRecorder.connect(address, { group: 'g', pid: 'w' });
    await worker.until(() => worker.unblocked.length > 0);
    await create(stubs, HOUR);
    expect(worker.unblocked).to.deep.equal([due]);
    expect((await stubs.call(P.promiseGet, { id: due })).promise!.state).to.equal(
      PromiseState.PROMISE_STATE_REJECTED_TIMEDOUT,
    );
    expect((await stubs.call(P.promiseGet, { id: later })).promise!.state).to.equal(PromiseState.PROMISE_STATE_PENDING);
    expectNothingWentBack();
    worker.close();
    stubs.close();
  });

  it('back between two runs: the next one refuses to start, unless it is told to run on', async () => {
    let stubs = new Stubs((await start()).address);
    const due = await create(stubs, 1);
    const shown = (await stubs.call(P.promiseWait, { id: due })).promise!;
    const pending = await create(stubs, HOUR / 2);
    stubs.close();
    await server!.kill();

    shim.shiftWallClock(-HOUR);
    const refused = await runToEnd(['--data', data, '--port', '0'], { env: shim.env });
    expect(refused.code).to.equal(1);
    expect(refused.stderr.trimEnd().split('\n')).to.have.length(1);
    expect(refused.stderr).to.match(/^resonate-grpc: the wall clock is \d+ s behind .*--allow-clock-lead/);

    stubs = new Stubs((await start('--allow-clock-lead')).address);
    await create(stubs, HOUR);
    expect((await stubs.call(P.promiseGet, { id: due })).promise).to.deep.equal(shown);
    expect((await stubs.call(P.promiseGet, { id: pending })).promise!.state).to.equal(
      PromiseState.PROMISE_STATE_PENDING,
    );
    expectNothingWentBack();
    stubs.close();
  });
});
