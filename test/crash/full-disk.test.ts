/** A disk without room under the real server: as the file system says it, and as a limit of the file's size does. */
import type { ServiceError } from '@grpc/grpc-js';
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { PromiseServiceService as P } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { Code, fromServiceError } from '../../clients/typescript/errors.js';
import { inParallel } from '../support/in-parallel.js';
import { removeDirectory, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { promiseSpec, Stubs } from '../support/stubs.js';
import { Shim } from './shim/shim.js';

/** Not at the edge of a page: there lmdb-js, refused all of a write and not a part, may abort the process. */
const LIMIT_BYTES = 1024 ** 2 + 2_048;
const PARAM = { headers: new Map<string, string>(), data: Buffer.alloc(20_000, 'x') };
const MOST_CREATES = 1_000;

describe('a full disk under the server', function () {
  this.timeout(60_000);
  let shim: Shim;
  let data: string;
  let server: ServerProcess | undefined;
  let stubs: Stubs;
  let created: string[];
  let names: number;

  beforeEach(() => {
    shim = new Shim();
    data = temporaryDirectory();
    [server, created, names] = [undefined, [], 0];
  });

  afterEach(async () => {
    stubs.close();
    await server?.kill();
    shim.close();
    removeDirectory(data);
  });

  async function start(wrapper: readonly string[] = []): Promise<void> {
    server = await ServerProcess.start({ data, env: shim.env, wrapper });
    stubs = new Stubs(server.address);
  }

  /** Resolves with the error, if there is one. */
  async function create(): Promise<ServiceError | undefined> {
    const id = `p${names++}`;
    try {
      await stubs.call(P.promiseCreate, { promise: { ...promiseSpec(id, 'any@g'), param: PARAM } });
      created.push(id);
      return undefined;
    } catch (error) {
      return error as ServiceError;
    }
  }

  async function expectFull(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const error = fromServiceError((await create())!);
      expect([Code[error.code], error.reason]).to.deep.equal(['RESOURCE_EXHAUSTED', 'STORAGE_FULL']);
    }
  }

  /** Everything that was acknowledged can be read. */
  async function expectNothingLost(): Promise<void> {
    expect(created).not.to.be.empty;
    await inParallel(created.length, 16, async (i) => {
      const id = created[i]!;
      const { promise } = await stubs.call(P.promiseGet, { id });
      expect(promise!.param?.data).to.deep.equal(PARAM.data);
    });
  }

  async function fill(): Promise<void> {
    for (let i = 0; i < MOST_CREATES; i++) if ((await create()) !== undefined) return;
    throw new Error('the disk did not fill');
  }

  it('refuses writes, serves reads, and goes on once there is room (ENOSPC)', async () => {
    await start();
    for (let i = 0; i < 10; i++) expect(await create()).to.equal(undefined);
    shim.fillDisk(true);
    await fill();
    await expectFull();
    await expectNothingLost();
    shim.fillDisk(false);
    expect(await create()).to.equal(undefined);
    await expectNothingLost();
    await stopAndReopen();
  });

  it('refuses writes, serves reads, and goes on once there is room (a limit of the file size)', async () => {
    await start(['prlimit', `--fsize=${LIMIT_BYTES}:unlimited`]);
    await fill();
    await expectFull();
    await expectNothingLost();
    const raised = spawnSync('prlimit', ['--pid', String(server!.pid), '--fsize=unlimited']);
    expect(raised.status).to.equal(0);
    expect(await create()).to.equal(undefined);
    await expectNothingLost();
    await stopAndReopen();
  });

  async function stopAndReopen(): Promise<void> {
    stubs.close();
    expect(await server!.stop()).to.equal(0);
    await start();
    await expectNothingLost();
    expect(await create()).to.equal(undefined);
  }
});
