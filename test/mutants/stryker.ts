/** Small faults put into the code one at a time: which of them do the tests not notice? */
import { Stryker } from '@stryker-mutator/core';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RUNNER } from './mocha-runner.js';
import { rewrite, type Mutant } from './mutant.js';

/** What is mutated. Every mutator of Stryker runs, and no line is exempt: what cannot be noticed is in `equivalents.ts`. */
export const MUTATED: readonly string[] = ['src/protocol/**/*.ts', 'src/store/lmdb/**/*.ts'];

/** A test has failed, has not come to an end, or its process has crashed. What no test reaches is not noticed. */
const NOTICED: ReadonlySet<string> = new Set(['Killed', 'Timeout', 'RuntimeError']);

/** Runs Stryker in the working directory, on all of these files. */
export async function mutate(files: readonly string[]): Promise<Mutant[]> {
  const stryker = new Stryker({
    mutate: [...files],
    plugins: [fileURLToPath(new URL('mocha-runner.js', import.meta.url))],
    testRunner: RUNNER,
    coverageAnalysis: 'perTest',
    concurrency: 2,
    // Only what does not come to an end at all takes so long, on a slow machine too.
    timeoutMS: 60_000,
    buildCommand: 'tsc',
    // The mutated copy of the project.
    tempDirName: 'dist/.stryker',
    // What the copy does not need, and what other toolchains have left there.
    ignorePatterns: ['/dist', '/clients/go', '/clients/java', '/clients/python', '/clients/rust'],
    reporters: ['progress-append-only'],
    allowEmpty: false,
  });
  const results = await stryker.runMutationTest();
  return results.map(({ fileName, location, replacement = '', status }) => ({
    file: relative('.', fileName),
    lineNumber: location.start.line,
    ...rewrite(readFileSync(fileName, 'utf8'), location.start, location.end, replacement),
    isNoticed: NOTICED.has(status),
  }));
}
