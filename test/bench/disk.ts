/** The floor of everything that is durable. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { removeDirectory, temporaryDirectory } from '../support/server-process.js';
import { percentile } from './load.js';

const PAGE = Buffer.alloc(4_096, 'x');

/** The median of writing one page behind the last and syncing it, in µs. */
export function pageSync(times: number): number {
  const directory = temporaryDirectory();
  const file = openSync(join(directory, 'pages'), 'w');
  const took: number[] = [];
  try {
    for (let i = 0; i < times; i++) {
      const startedAt = performance.now();
      writeSync(file, PAGE);
      fdatasyncSync(file);
      took.push((performance.now() - startedAt) * 1_000);
    }
  } finally {
    closeSync(file);
    removeDirectory(directory);
  }
  return percentile(
    took.sort((a, b) => a - b),
    0.5,
  );
}
