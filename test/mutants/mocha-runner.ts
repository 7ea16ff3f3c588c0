/**
 * How Stryker runs the tests: mocha in a worker process, its files loaded once, then one run per mutant. (Stryker's own runner
 * reaches into mocha, and finds there what it looks for only up to mocha 11.)
 */
import type { InstrumenterContext } from '@stryker-mutator/api/core';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  toMutantRunResult,
  type DryRunOptions,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import Mocha from 'mocha';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The name of this runner in Stryker's options. */
export const RUNNER = 'mocha-in-process';

/** The rooms whose tests must notice a fault of the protocol or of the LMDB store. */
const ROOMS = ['actions', 'protocol', 'store'];

/** Random tests draw the same each time: a mutant that only luck kills would be a survivor on some days. */
const SEED = 1;

class MochaRunner implements TestRunner {
  readonly #mocha = new Mocha({ timeout: 20_000, reporter: Mocha.reporters.Base });
  /** Shared with the mutated code: which mutant it is to be, and which it has passed by. */
  readonly #context = ((globalThis as { __stryker__?: InstrumenterContext }).__stryker__ ??= {});
  #isLoaded = false;

  /** The modules of a process stay as they were loaded: a mutant that acts while they load needs a new process. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  init(): Promise<void> {
    fc.configureGlobal({ seed: SEED });
    this.#mocha.cleanReferencesAfterRun(false);
    for (const file of ROOMS.flatMap(testFiles)) this.#mocha.addFile(file);
    const context = this.#context;
    this.#mocha.suite.beforeEach('tell the mutated code which test runs', function () {
      context.currentTestId = this.currentTest?.fullTitle();
    });
    return Promise.resolve();
  }

  async dryRun({ disableBail }: DryRunOptions): Promise<DryRunResult> {
    await this.#load(undefined);
    const tests = await this.#run(!disableBail);
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#context.mutantCoverage };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, disableBail, hitLimit, mutantActivation, testFilter } = options;
    this.#context.hitLimit = hitLimit;
    this.#context.hitCount = hitLimit === undefined ? undefined : 0;
    this.#mocha.grep(testFilter === undefined ? /(?:)/ : new RegExp(testFilter.map(exactly).join('|')));
    try {
      await this.#load(mutantActivation === 'static' ? activeMutant.id : undefined);
    } catch (error) {
      return { status: MutantRunStatus.Killed, killedBy: [], failureMessage: String(error), nrOfTests: 0 };
    }
    this.#context.activeMutant = activeMutant.id;
    const tests = await this.#run(!disableBail);
    const looping = determineHitLimitReached(this.#context.hitCount, hitLimit);
    return toMutantRunResult(looping ?? { status: DryRunStatus.Complete, tests });
  }

  async #load(activeMutant: string | undefined): Promise<void> {
    if (this.#isLoaded) return;
    this.#context.activeMutant = activeMutant;
    await this.#mocha.loadFilesAsync();
    this.#isLoaded = true;
  }

  #run(bail: boolean): Promise<TestResult[]> {
    setBail(this.#mocha.suite, bail);
    return new Promise((resolve) => {
      const tests: TestResult[] = [];
      const runner = this.#mocha.run(() => resolve(tests));
      runner.on('pass', (test) => tests.push({ ...identify(test), status: TestStatus.Success }));
      runner.on('fail', (test, error: unknown) =>
        tests.push({ ...identify(test), status: TestStatus.Failed, failureMessage: String(error) }),
      );
    });
  }
}

/** A hook that fails, fails the test that it belongs to. */
function identify(runnable: Mocha.Runnable) {
  const test = runnable instanceof Mocha.Test ? runnable : (runnable.ctx?.currentTest ?? runnable);
  const title = test.fullTitle();
  return { id: title, name: title, timeSpentMs: test.duration ?? 0 };
}

function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail);
  for (const inner of suite.suites) setBail(inner, bail);
}

function testFiles(room: string): string[] {
  const names = readdirSync(join('dist/test', room), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.js')).map((name) => join('dist/test', room, name));
}

function exactly(title: string): string {
  return `^${title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
}

/** Read by Stryker. */
export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, RUNNER, () => new MochaRunner())];
