/** What the server finds when it starts: a port or a directory that it cannot have, and data that is not its own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { open } from 'lmdb';
import { removeDirectory, runToEnd, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { expectOneLine } from './failures.js';

describe('e2e: start', () => {
  let directory: string;
  beforeEach(() => (directory = temporaryDirectory()));
  afterEach(() => removeDirectory(directory));

  const start = (data: string, ...flags: string[]) => runToEnd(['--data', data, '--port', '0', ...flags]);

  it('creates its data directory, and those above', async () => {
    const server = await ServerProcess.start({ data: join(directory, 'a', 'b.c') });
    expect(await server.stop()).to.equal(0);
  });

  it('port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const failure = await runToEnd(['--data', directory, '--port', String(port)]);
    expectOneLine(failure, String(port), 'in use');
    other.close();
  });

  it('an address that this machine does not have', async () => {
    expectOneLine(await start(directory, '--host', '192.0.2.1', '--insecure'), '192.0.2.1');
  });

  it('a host that does not exist', async () => {
    expectOneLine(await start(directory, '--host', 'host.invalid', '--insecure'), 'host.invalid');
  });

  it('beyond loopback without --insecure', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
      expectOneLine(await start(directory, '--host', host), host, '--insecure');
    }
  });

  it('listens on an address of IPv6', async () => {
    const server = await ServerProcess.start({ data: directory, flags: ['--host', '::1'] }).catch(
      (error: Error) => error,
    );
    // A container may have none.
    if (server instanceof Error) expect(server.message).to.include('no such address');
    else expect(await server.stop()).to.equal(0);
  });

  it('data directory in use by another server, which goes on', async () => {
    const server = await ServerProcess.start({ data: directory });
    expectOneLine(await start(directory), directory, 'in use', String(server.pid));
    expect(await server.stop()).to.equal(0);
  });

  it('a data directory that a killed server has left is free', async () => {
    const killed = await ServerProcess.start({ data: directory });
    await killed.kill();
    const server = await ServerProcess.start({ data: directory });
    expect(await server.stop()).to.equal(0);
  });

  it('the data directory is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, 'text');
    expectOneLine(await start(file), file);
    expect(readFileSync(file, 'utf8')).to.equal('text');
  });

  it('the data directory is below a file', async () => {
    expectOneLine(await start('/dev/null/data'), '/dev/null/data');
  });

  it('a data directory that cannot be written', async () => {
    // Permissions do not stop root, this file system does.
    if (process.platform !== 'linux') return;
    expectOneLine(await start('/proc/self/data'), '/proc/self/data');
    expectOneLine(await start('/proc'), '/proc');
  });

  const contents: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['text', Buffer.from('not a database, but somebody’s text\n'.repeat(1_000))],
    ['a few bytes', Buffer.from('short')],
    ['zeros', Buffer.alloc(65_536)],
  ];
  for (const [what, bytes] of contents)
    it(`a data file that holds ${what} is refused, and left alone`, async () => {
      const file = join(directory, 'data.mdb');
      writeFileSync(file, bytes);
      expectOneLine(await start(directory), file);
      expect(readFileSync(file).equals(bytes)).to.equal(true);
    });

  it('a data file that is a directory', async () => {
    mkdirSync(join(directory, 'data.mdb'));
    expectOneLine(await start(directory), 'data.mdb');
  });

  it('a data file of another program is refused', async () => {
    const foreign = open<string, string>({ path: directory, noSubdir: false });
    await foreign.put('key', 'value');
    await foreign.close();
    expectOneLine(await start(directory), 'data.mdb', 'not written by this server');
    const again = open<string, string>({ path: directory, noSubdir: false });
    expect(again.get('key')).to.equal('value');
    await again.close();
  });

  it('a truncated data file is refused', async () => {
    const server = await ServerProcess.start({ data: directory });
    await server.stop();
    const file = join(directory, 'data.mdb');
    writeFileSync(file, readFileSync(file).subarray(0, 6_000));
    expectOneLine(await start(directory), file, 'truncated');
  });

  it('gives the directory free when it cannot listen', async () => {
    expectOneLine(await start(directory, '--host', 'host.invalid', '--insecure'));
    const server = await ServerProcess.start({ data: directory });
    expect(await server.stop()).to.equal(0);
  });
});
