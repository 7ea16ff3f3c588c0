import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeDirectory, temporaryDirectory } from '../support/server-process.js';
import type { Fault } from './faulty-worker.js';
import { SCENARIOS } from './scenarios/index.js';

const MAIN = pathTo('./main.js');
const FAULTY_WORKER = pathTo('./faulty-worker.js');
const TYPESCRIPT = pathTo('../../../clients/typescript/conformance.sh');
/** That a network swallows all is noticed after most of a minute: `npm run conformance` has the time. */
const TOO_LONG = 'silence';
/** How long a faulty worker is waited for, in ms. */
const PATIENCE_MS = '30000';

function pathTo(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

async function conformance(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('conformance', () => {
  it('is kept by the TypeScript worker', async function () {
    this.timeout(600_000);
    const scenarios = SCENARIOS.map(({ name }) => name).filter((name) => name !== TOO_LONG);
    const { code, output } = await conformance('--language', 'typescript', '--scenario', scenarios.join(','));
    expect(code, output).to.equal(0);
    for (const name of scenarios) expect(output).to.match(new RegExp(`^${name} +ok$`, 'm'));
  });
});

describe('the conformance driver', function () {
  this.timeout(180_000);
  let clients: string;
  beforeEach(() => {
    clients = temporaryDirectory();
  });
  afterEach(() => removeDirectory(clients));

  const add = (language: string, script: string): void => {
    mkdirSync(join(clients, language));
    writeFileSync(join(clients, language, 'conformance.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  const run = (scenario: string, ...args: string[]) =>
    conformance('--clients', clients, '--scenario', scenario, '--patience-ms', PATIENCE_MS, ...args);

  /** What is wrong with a worker, which scenario finds it, and what it says. */
  const faults: readonly (readonly [fault: Fault, scenario: string, says: RegExp])[] = [
    ['dies at once', 'values', /has ended \(with 5\); expected "ready"/],
    ['forgets headers', 'values', /values-faulty-headers.*expected .*__proto__/s],
    ['answers for its children', 'fan-out', /fan-out-faulty-parent: .* but was .*done/s],
    ['takes what it can get', 'max-in-flight', /at once: expected \d+ to be/],
    ['acknowledges before it has handled', 'unblock-twice', /the unblocks that wait|unblocked unblock-twice.*2 times/],
    ['deserts on SIGTERM', 'drain', /has ended \(with 0\); expected "ended drain-faulty-finished 1 returned"/],
    ['ends well whatever happens', 'session-replaced', /the exit code: expected \+?0 to equal 1/],
  ];
  for (const [fault, scenario, says] of faults)
    it(`finds a worker that ${fault}`, async () => {
      add('faulty', `[ "$1" = --build ] || exec ${process.execPath} ${FAULTY_WORKER} '${fault}'`);
      const { code, output } = await run(scenario);
      expect(output)
        .to.match(says)
        .and.to.match(new RegExp(`^${scenario} +FAILED$`, 'm'));
      expect(output, 'the last words of the worker').to.match(/\(faulty, (running|ended: .*)\):$/m);
      expect(code).to.equal(1);
    });

  it('says what is left out for want of a toolchain, and passes; or fails if all is required', async () => {
    add('absent', 'echo there is no compiler >&2; exit 3');
    add('present', `exec ${TYPESCRIPT} "$@"`);
    const { code, output } = await run('settle');
    expect(output).to.include('there is no compiler').and.to.include('left out, for want of their toolchain: absent');
    expect(code, output).to.equal(0);
    expect((await run('settle', '--require-all')).code).to.equal(1);
  });

  it('fails if a language cannot be built, with what its build said', async () => {
    add('broken', 'echo a semicolon is missing; exit 1');
    add('present', `exec ${TYPESCRIPT} "$@"`);
    const { code, output } = await run('settle');
    expect(output)
      .to.include('a semicolon is missing')
      .and.to.match(/^settle +ok$/m);
    expect(code).to.equal(1);
  });

  it('fails if nothing was tried', async () => {
    add('absent', 'exit 3');
    expect((await run('settle')).code).to.equal(1);
  });
});
