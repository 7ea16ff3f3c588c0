import { expect } from 'chai';
import type { Failure } from '../support/server-process.js';

/** The server did not start: one clear line on stderr that names the cause, no stack trace, and an exit code that tells. */
export function expectOneLine({ code, stderr, stdout }: Failure, ...named: readonly string[]): void {
  expect(stderr).to.match(/^[^\n]+\n$/);
  expect(stderr).to.not.match(/^\s*at |\(.*:\d+:\d+\)|node:|undefined|\[object/);
  for (const each of named) expect(stderr).to.include(each);
  expect(code).to.be.a('number').and.to.not.equal(0);
  expect(stdout).to.equal('');
}
