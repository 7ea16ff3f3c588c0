import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireOwnerLock, type OwnerLock } from '../../src/store/owner-lock.js';
import { StoreError } from '../../src/store/store.js';
import { temporaryDirectory } from './lmdb-factory.js';

describe('owner lock', () => {
  let directory: string;
  let locks: OwnerLock[];
  const cwd = process.cwd();

  const acquire = async (path = directory): Promise<OwnerLock> => {
    const lock = await acquireOwnerLock(path);
    locks.push(lock);
    return lock;
  };
  const refusal = async (path = directory): Promise<StoreError> => {
    const error: unknown = await acquire(path).then(
      () => expect.fail('it was given'),
      (error: unknown) => error,
    );
    expect(error).to.be.instanceOf(StoreError).with.property('kind', 'unusable');
    return error as StoreError;
  };

  beforeEach(() => {
    directory = temporaryDirectory();
    locks = [];
  });

  afterEach(async () => {
    process.chdir(cwd);
    for (const lock of locks) await lock.release();
    rmSync(directory, { recursive: true });
  });

  it('is given once, and the second starter is told who has it', async () => {
    await acquire();
    const { message } = await refusal();
    expect(message).to.equal(`data directory ${directory} is in use by process ${process.pid}`);
  });

  it('is given to one of several that start at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => acquire()));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });

  it('is free once released, and leaves no file', async () => {
    const lock = await acquire();
    await lock.release();
    locks = [];
    expect(existsSync(join(directory, 'owner.sock'))).to.equal(false);
    await acquire();
  });

  it('is free once its owner was killed', async () => {
    const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    const { signal } = spawnSync(process.execPath, ['-e', listen, join(directory, 'owner.sock')]);
    expect(signal).to.equal('SIGKILL');
    expect(existsSync(join(directory, 'owner.sock')), 'the socket is left behind').to.equal(true);
    await acquire();
    expect((await refusal()).message).to.include(`process ${process.pid}`);
  });

  it('is held by an owner that does not answer', async () => {
    const listen = `require('net').createServer(() => {}).listen(process.argv[1], () => console.log('listening'))`;
    const owner = spawn(process.execPath, ['-e', listen, join(directory, 'owner.sock')]);
    try {
      await new Promise((resolve) => owner.stdout.once('data', resolve));
      expect((await refusal()).message).to.include('in use by another process');
    } finally {
      owner.kill('SIGKILL');
    }
  });

  it('does not remove a file that is no socket', async () => {
    writeFileSync(join(directory, 'owner.sock'), 'mine');
    expect((await refusal()).message).to.include('owner.sock is not a socket');
    expect(existsSync(join(directory, 'owner.sock'))).to.equal(true);
  });

  it('takes a long path by its short relative form, and refuses one that has none', async () => {
    const long = join(directory, 'a'.repeat(120));
    mkdirSync(long);
    expect((await refusal(long)).message)
      .to.include('too long')
      .and.to.include(long);
    process.chdir(long);
    await acquire(long);
    expect((await refusal(long)).message).to.include(`in use by process ${process.pid}`);
  });

  it('names the directory that cannot be used', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect((await refusal(file)).message)
      .to.include(file)
      .and.to.include('a file is in its place');
  });
});
