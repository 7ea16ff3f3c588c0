/** Faults of the one writer: what is shown before it is durable, what is half written, what is never answered. */
import type { Fault } from './fault.js';

const WRITER = 'src/engine/writer.ts';

export const writingFaults: readonly Fault[] = [
  {
    name: 'answer before the commit',
    harm: 'A write that was acknowledged is not there: the commit failed after its answer.',
    file: WRITER,
    text: 'answers.push(job.work(tx, now));',
    replacement: 'const answer = job.work(tx, now); job.resolve(answer); answers.push(answer);',
    foundBy: ['engine/writer', 'answers a full disk, writes nothing'],
  },
  {
    name: 'push before the commit',
    harm: 'A worker starts on a task, or a caller is told of an outcome, that a failed commit has taken back.',
    file: WRITER,
    text: 'answers.push(job.work(tx, now));',
    replacement: 'answers.push(job.work(tx, now)); this.#publish(tx.changes);',
    foundBy: ['engine/writer', 'tells the listeners nothing of what could not be committed'],
  },
  {
    name: 'cache of what was undone',
    harm: 'An operation goes by a write that a failed transaction has taken back.',
    file: 'src/store/lmdb/store.ts',
    text: '    } finally {\n      this.#open = undefined;',
    replacement: '    } finally {\n      tx.remember();\n      this.#open = undefined;',
    foundBy: ['store/entry-cache', 'has nothing of a transaction that was undone'],
  },
  {
    name: 'cache that outlives a clear',
    harm: 'A debug server that was reset still knows the promises of before.',
    file: 'src/store/lmdb/store.ts',
    text: 'this.#cache.clear();',
    replacement: '',
    foundBy: ['store/entry-cache', 'has nothing of a store that was cleared'],
  },
  {
    name: 'record that does not say it is awaited',
    harm: 'A settlement wakes nobody: whoever waits for the promise waits for ever.',
    file: 'src/store/lmdb/tx.ts',
    text: 'this.#entries.setPromise(id, { isAwaited: true });',
    replacement: '{}',
    foundBy: ['store/contract', 'are a set in order of registration, gone once taken, and no callbacks'],
  },
  {
    name: 'commit that returns before its sync',
    harm: 'After a power cut an acknowledged write is gone, and so is what a read has shown.',
    file: 'src/store/lmdb/store.ts',
    text: 'overlappingSync: false,',
    replacement: 'overlappingSync: false, noMetaSync: true,',
    foundBy: ['crash/durability', 'shows in no answer, no push and no read before it is on disk'],
  },
  {
    name: 'read of a timeout past the queue',
    harm: 'A read shows a promise as timed out, and the settlement that was received before it then wins.',
    file: WRITER,
    text: '(wouldProject(tx, operation, now) ? undefined : run(tx, now))',
    replacement: 'run(tx, now)',
    foundBy: ['engine/writer', 'that would show a timeout take their turn behind what was received before'],
  },
  {
    name: 'faulty request not rolled back',
    harm: 'A request is answered with INTERNAL, and half of it is written: a settled promise whose awaiters sleep for ever.',
    file: WRITER,
    text: 'answers.push(job.work(tx, now));',
    replacement: `
        try {
          answers.push(job.work(tx, now));
        } catch (error) {
          job.reject(this.#fault(error));
          answers.push(undefined);
        }`,
    foundBy: ['engine/writer', 'undoes all that a faulty operation had written'],
  },
  {
    name: 'batch undone for the fault of one',
    harm: 'One broken record fails the requests of everybody else who calls at the same moment.',
    file: WRITER,
    text: 'batch = batch.filter((job) => job !== faulty);',
    replacement: 'for (const job of batch) job.reject(this.#fault(error)); batch = [];',
    foundBy: ['engine/writer', 'undoes a faulty operation alone'],
  },
  {
    name: 'rest of a batch dropped',
    harm: 'Under load calls are never answered.',
    file: WRITER,
    text: 'this.#queue.unshift(...batch.slice(committed.result.length));',
    replacement: '',
    foundBy: ['engine/writer', 'leaves what does not fit into the time of a batch to the next, in its place'],
  },
  {
    name: 'rest of a batch behind those who came later',
    harm: 'Calls overtake each other: a settle that was sent second is run first.',
    file: WRITER,
    text: 'this.#queue.unshift(...batch',
    replacement: 'this.#queue.push(...batch',
    foundBy: ['engine/writer', 'leaves what does not fit into the time of a batch to the next, in its place'],
  },
  {
    name: 'cancelled call run',
    harm: 'A caller that has given up finds its write done, seconds later, on a server that has no time for it.',
    file: WRITER,
    text: 'if (job.isCancelled?.() !== true) return true;',
    replacement: 'return true;',
    foundBy: ['engine/writer', 'drops a cancelled call unrun'],
  },
  {
    name: 'cancelled call disowned after its write',
    harm: 'A caller is told that nothing ran, and it did.',
    file: WRITER,
    text: 'return committed.result.forEach((answer, i) => batch[i]?.resolve(answer));',
    replacement: `
      return committed.result.forEach((answer, i) => {
        const job = batch[i]!;
        if (job.isCancelled?.()) job.reject(new EngineError('cancelled', 'the call ended before it ran'));
        else job.resolve(answer);
      });`,
    foundBy: ['engine/writer', 'answers a call that was cancelled after it had run'],
  },
  {
    name: 'no bound on the queue',
    harm: 'Under overload memory grows until the process dies, and every call with it.',
    file: WRITER,
    text: 'this.#queue.length >= MAX_QUEUED',
    replacement: 'false',
    foundBy: ['engine/writer', 'refuses requests while too many wait'],
  },
  {
    name: 'timeouts refused as overload',
    harm: 'Under overload no deadline fires, no lease is lost and no schedule runs.',
    file: WRITER,
    text: 'enqueue: (work) => this.#enqueue(work),',
    replacement: 'enqueue: (work) => this.#request(work),',
    foundBy: ['engine/writer', 'refuses requests while too many wait, and fires timeouts all the same'],
  },
  {
    name: 'stop that does not wait',
    harm: 'A call that was accepted meets a store that is closed.',
    file: WRITER,
    text: `this.#sweeper.stop();
    await this.#drained();`,
    replacement: 'this.#sweeper.stop();',
    foundBy: ['engine/writer', 'refuses what comes after stop, and finishes what came before'],
  },
  {
    name: 'full disk taken for the end',
    harm: 'A full disk stops the server, which could still serve reads, and go on once there is room.',
    file: WRITER,
    text: "if (error instanceof StoreError && error.kind === 'full') {",
    replacement: 'if (false) {',
    foundBy: ['engine/writer', 'answers a full disk, writes nothing'],
  },
  {
    name: 'wait that looks before it listens',
    harm: 'A settlement in between is missed, and the caller waits for a minute.',
    file: 'src/engine/promise-waits.ts',
    text: `const woken = this.#register(id, signal);
      try {
        const outcome = await this.#engine.submit({ name: 'promise.get', request: { id } }, { inTurn });`,
    replacement: `const outcome = await this.#engine.submit({ name: 'promise.get', request: { id } }, { inTurn });
      const woken = this.#register(id, signal);
      try {`,
    foundBy: ['engine/promise-waits', 'sees a settlement that is committed while it looks'],
  },
  {
    name: 'wait that does not watch the deadline',
    harm: 'A caller is told of a timeout up to a minute late.',
    file: 'src/engine/promise-waits.ts',
    text: 'woken.atDeadline(outcome.promise, least);',
    replacement: '',
    foundBy: ['engine/promise-waits', 'answers at the deadline'],
  },
];
