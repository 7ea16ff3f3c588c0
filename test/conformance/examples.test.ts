import { expect } from 'chai';
import { removeDirectory, ServerProcess } from '../support/server-process.js';
import { ScriptProcess } from '../support/script-process.js';

const example = (name: string): URL => new URL(`../../clients/typescript/examples/${name}.js`, import.meta.url);

describe('the examples of the TypeScript client', function () {
  this.timeout(60_000);
  let server: ServerProcess;
  let worker: ScriptProcess | undefined;
  before(async () => {
    server = await ServerProcess.start();
  });
  after(async () => {
    worker?.signal('SIGKILL');
    await server.kill();
    removeDirectory(server.data);
  });

  it('work together: the caller hears what the worker has counted, and both end well', async () => {
    const caller = new ScriptProcess(example('caller'), [server.address]);
    await caller.line('created count-');
    // The work waits for a worker.
    worker = new ScriptProcess(example('worker'), [server.address]);
    await worker.line('working for examples');
    expect(await caller.line('11 words')).to.equal('11 words');
    expect(await caller.exit()).to.equal(0);
    await worker.line('counting "or its server,"');
    worker.signal('SIGTERM');
    expect(await worker.exit()).to.equal(0);
  });
});
