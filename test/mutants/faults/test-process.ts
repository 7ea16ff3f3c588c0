/** Some tests of a tree, in a process of their own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { TestResult } from './test-child.js';
import type { Tree } from './tree.js';

/** Longer than any of the tests takes, in ms, unless a fault has put it into a loop. */
const LONGEST = 180_000;

/** Runs the tests of a file whose full titles contain one of these. Rejects if the process does not come to their end. */
export async function runTests(tree: Tree, file: string, titles: readonly string[]): Promise<readonly TestResult[]> {
  const child = fork(tree.script('test/mutants/faults/test-child.js'), [file, ...titles], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let results: readonly TestResult[] | undefined;
  child.once('message', (message) => (results = message as readonly TestResult[]));
  const watchdog = setTimeout(() => child.kill('SIGKILL'), LONGEST);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(watchdog);
  if (results === undefined)
    throw new Error(`the tests of ${file} ended with ${signal ?? code}: ${stderr.slice(-2_000)}`);
  return results;
}
