/** Mutants that nobody can tell from the original: not a caller, nor a reader of the store or of the outbox. Each says why. */
export interface Equivalent {
  readonly file: string;
  /** The lines that it touches, as the report prints them: a mutant is found by its text, wherever it moves to. */
  readonly line: string;
  readonly becomes: readonly string[];
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [
  ...['actions/T-06-task.suspend', 'settlement', 'tasks'].map((name) => ({
    file: `src/protocol/${name}.ts`,
    line: 'if (task.resumes > 0) tx.clearResumes(task.id);',
    becomes: ['if (true) tx.clearResumes(task.id);', 'if (task.resumes >= 0) tx.clearResumes(task.id);'],
    reason: 'emptying what is empty changes nothing: the guard saves a look into the store',
  })),
  {
    file: 'src/protocol/address.ts',
    line: 'const [, kind, group = address, pid] = FORM.exec(address) ?? [];',
    becomes: ['const [, kind, group = address, pid] = FORM.exec(address) ?? ["Stryker was here"];'],
    reason: 'the first element, the whole match, is not read',
  },
  {
    file: 'src/protocol/outcome.ts',
    line: 'return outcome.status >= 400;',
    becomes: ['return outcome.status > 400;'],
    reason: 'no outcome has the status 400, and its type has none',
  },
  {
    file: 'src/protocol/registration.ts',
    line: 'if (awaited.timeoutArmed) return awaited;',
    becomes: ['if (false) return awaited;'],
    reason: 'sets the promise that is there: the same record, and no change is reported for a pending one',
  },
  {
    file: 'src/store/lmdb/codec.ts',
    line: '} catch { return undefined; }',
    becomes: ['} catch {}'],
    reason: 'a function that ends without a return answers undefined too',
  },
  {
    file: 'src/store/lmdb/entries.ts',
    line: 'const NO_TASK: TaskEntry = { task: undefined, execute: undefined, hasAwaited: false };',
    becomes: ['const NO_TASK: TaskEntry = {};'],
    reason: 'its fields are only read by name, and read as undefined either way',
  },
  {
    file: 'src/store/lmdb/entries.ts',
    line: 'this.#add({ id: stored.id, number, isNew: false, promise: unchanged(stored), task: undefined });',
    becomes: ['this.#add({});'],
    reason: 'it keeps what was read, unchanged so far; without it the same is read once more',
  },
  {
    file: 'src/store/lmdb/entries.ts',
    line: 'if (entry.number !== undefined) this.#byNumber.set(entry.number, entry);',
    becomes: ['if (true) this.#byNumber.set(entry.number, entry);'],
    reason: 'nobody looks for the number undefined',
  },
  {
    file: 'src/store/lmdb/entries.ts',
    line: 'if (isNew) this.#rows.putNumber(indexKey(id), number);',
    becomes: ['if (true) this.#rows.putNumber(indexKey(id), number);'],
    reason: 'the number of an id never changes: it writes the row that is there',
  },
  {
    file: 'src/store/lmdb/entries.ts',
    line: 'if (promise !== undefined && (isNew || promise.current !== promise.stored)) {',
    becomes: ['if (promise !== undefined && (true)) {'],
    reason: 'what is unchanged is written as it is stored: the guard saves the write',
  },
  {
    file: 'src/store/lmdb/entries.ts',
    line: 'if (task !== undefined && task.current !== task.stored) {',
    becomes: ['if (task !== undefined && true) {'],
    reason: 'what is unchanged is written as it is stored: the guard saves the write',
  },
  {
    file: 'src/store/lmdb/outbox.ts',
    line: 'if (from === to) return;',
    becomes: ['if (false) return;'],
    reason: 'the same row is removed and put again under the same key: the guard saves the writes',
  },
  {
    file: 'src/store/lmdb/outbox.ts',
    line: 'for (let start: Buffer = table; found.length < limit;) {',
    becomes: ['for (let start: Buffer = table; found.length <= limit;) {'],
    reason: 'once the limit is reached the further queues are read with a limit of 0, which finds nothing in them',
  },
  {
    file: 'src/store/lmdb/schedules.ts',
    line: 'if (!this.#stored.has(id)) {',
    becomes: ['if (true) {'],
    reason: 'the row holds what was read from it, or written by the last flush: it is read once more',
  },
  {
    file: 'src/store/lmdb/sets.ts',
    line: 'if (!rows.has(head)) return [];',
    becomes: ['if (false) return [];'],
    reason: 'a set without a head has no members, so its range is empty too',
  },
  {
    file: 'src/store/lmdb/store.ts',
    line: 'const MAP_SIZE = 16 * 1024 ** 3;',
    becomes: ['const MAP_SIZE = 16 / 1024 ** 3;'],
    reason: 'where to start: lmdb maps a larger file anew by itself, which takes a moment',
  },
  {
    file: 'src/store/lmdb/store.ts',
    line: 'overlappingSync: false,',
    becomes: ['overlappingSync: true,'],
    reason:
      'transactionSync, the only way to write here, waits for both syncs in any case (by the shim of test/crash nothing is early with it on); ' +
      'false says so by name, and holds for other ways of writing',
  },
  {
    file: 'src/store/lmdb/store.ts',
    line: 'const isEmpty = [...this.#db.getKeys({ limit: 1 })].length === 0;',
    becomes: ['const isEmpty = [...this.#db.getKeys({})].length === 0;'],
    reason: 'whether there is a key does not depend on how many are read',
  },
  {
    file: 'src/store/lmdb/timeout-index.ts',
    line: 'if (from?.dueAt === to?.dueAt && from?.pid === to?.pid) return;',
    becomes: ['if (false) return;'],
    reason: 'the same row is removed and put again under the same key: the guard saves the writes',
  },
];
