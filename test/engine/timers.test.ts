import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const TIMERS = new URL('../../src/engine/timers.js', import.meta.url);

/** A process that does nothing but hold a port open, as a server does that nobody calls. */
const IDLE = `
  import { createServer } from 'node:net';
  import { systemTimers } from '${TIMERS.href}';
  createServer().listen(0, () => setTimeout(() => systemTimers.after(0, () => process.exit(7)), 50));
`;

describe('the system timers', () => {
  it('call back at once in a process that is idle', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', IDLE], { timeout: 10_000 });
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).to.equal(7);
  });
});
