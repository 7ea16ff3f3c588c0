/** Puts in every named fault, one after the other, and has the tests that are to find it run. */
import { availableParallelism } from 'node:os';
import { inParallel } from '../../support/in-parallel.js';
import { compileFaulty, type Fault } from './fault.js';
import type { TestResult } from './test-child.js';
import { runTests } from './test-process.js';
import { Tree } from './tree.js';

export interface Verdict {
  readonly fault: Fault;
  /** The test that has found it, by an assertion. */
  readonly killedBy?: string;
  /** Why the fault has survived. */
  readonly problem?: string;
}

export interface FaultReport {
  readonly verdicts: readonly Verdict[];
  /** What is wrong with the same tests where there is no fault. Nothing may be. */
  readonly unsound: readonly string[];
}

/** Tells of each verdict as it comes. Throws a `StaleFault` before anything runs. */
export async function runFaults(
  faults: readonly Fault[],
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<FaultReport> {
  const codes = faults.map(compileFaulty);
  const verdicts: Verdict[] = [];
  const unsound: string[] = [];

  const files = new Set(faults.map(({ foundBy: [file] }) => file));
  const controls = [...files].map((file) => async (tree: Tree) => {
    const titles = faults.filter(({ foundBy }) => foundBy[0] === file).map(({ foundBy }) => foundBy[1]);
    unsound.push(...(await control(file, titles, () => runTests(tree, file, titles))));
  });
  const trials = faults.map((fault, i) => async (tree: Tree) => {
    const [file, title] = fault.foundBy;
    const run = () => tree.withFaulty(fault.file, codes[i]!, () => runTests(tree, file, [title]));
    const verdict = { fault, ...(await judge(run)) };
    verdicts[i] = verdict;
    onVerdict(verdict);
  });
  await inTrees([...controls, ...trials]);
  return { verdicts, unsound };
}

/** Does each job in a tree of its own, as many at one time as there are processors. */
async function inTrees(jobs: readonly ((tree: Tree) => Promise<void>)[]): Promise<void> {
  const trees = Array.from({ length: availableParallelism() }, () => new Tree());
  const free = [...trees];
  try {
    await inParallel(jobs.length, trees.length, async (i) => {
      const tree = free.pop()!;
      await jobs[i]!(tree);
      free.push(tree);
    });
  } finally {
    for (const tree of trees) tree.remove();
  }
}

/** An error may come from a fault that merely breaks the code. Only an assertion says that a test looks at what is wrong. */
async function judge(run: () => Promise<readonly TestResult[]>): Promise<Omit<Verdict, 'fault'>> {
  try {
    const results = await run();
    const found = results.find(({ failure }) => failure?.isAssertion);
    if (found !== undefined) return { killedBy: found.title };
    const { title, failure } = results.find((result) => result.failure !== undefined) ?? {};
    return {
      problem: failure ? `no assertion fails: ${title}: ${failure.message}` : `none of ${results.length} tests fails`,
    };
  } catch (error) {
    return { problem: String(error) };
  }
}

/** Without a fault every test passes, and each title is that of one. */
async function control(
  file: string,
  titles: readonly string[],
  run: () => Promise<readonly TestResult[]>,
): Promise<string[]> {
  const results = await run();
  const missing = titles.filter((title) => !results.some((result) => result.title.includes(title)));
  return [
    ...results.flatMap(({ title, failure }) => (failure ? [`${file}: ${title}: ${failure.message}`] : [])),
    ...missing.map((title) => `${file}: no test has ${JSON.stringify(title)} in its title`),
  ];
}
