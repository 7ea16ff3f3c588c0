/** The clients in other languages than ours have tests of their own, in the framework of their language. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

/** What test.sh exits with if its toolchain is not there. */
const ABSENT = 3;
/** The first run fetches and compiles all that the client depends on. */
const TIMEOUT_MS = 20 * 60_000;

describe('the clients in other languages', () => {
  const languages = readdirSync('clients').filter((name) => existsSync(join('clients', name, 'test.sh')));

  it('have tests of their own', () => {
    expect(languages).to.include.members(['go', 'java', 'python', 'rust']);
  });

  for (const language of languages)
    it(`${language}: its tests pass`, async function () {
      this.timeout(TIMEOUT_MS);
      const child = spawn(join('clients', language, 'test.sh'), { stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code === ABSENT && process.env['REQUIRE_ALL_LANGUAGES'] !== '1') {
        console.log(`left out: ${language}: ${output.trim()}`);
        this.skip();
      }
      expect(code, output).to.equal(0);
    });
});
