/** Faults of delivery: which message goes to whom, and when. */
import type { Fault } from './fault.js';

const EXECUTES = 'src/dispatch/executes.ts';
const UNBLOCKS = 'src/dispatch/unblocks.ts';
const FEED = 'src/dispatch/feed.ts';
const LANE = 'src/dispatch/lane.ts';

export const deliveryFaults: readonly Fault[] = [
  {
    name: 'push lost on the end of its stream',
    harm: 'A worker dies, and what it was sent is delivered to nobody until it times out, or for ever.',
    file: EXECUTES,
    text: `this.giveBack(session);
    this.#lanes.leave(session);`,
    replacement: 'this.#lanes.leave(session);',
    foundBy: ['dispatch/executes', 'a session that ends gives what it did not acquire to another at once'],
  },
  {
    name: 'push lost on a failed write',
    harm: 'What could not be sent is never sent again.',
    file: 'src/dispatch/session.ts',
    text: "hooks.failed('fault', error);",
    replacement: '',
    foundBy: ['dispatch/sessions', 'ends with a fault when an event cannot be sent, and loses nothing'],
  },
  {
    name: 'newest first',
    harm: 'New work starves the backlog of an outage.',
    file: FEED,
    text: '(a, b) => a.order < b.order ||',
    replacement: '(a, b) => a.order > b.order ||',
    foundBy: ['dispatch/known-failures', 'camunda#59631: new work does not starve the backlog of an outage'],
  },
  {
    name: 'given back to the end of the queue',
    harm: 'What was sent to workers that die is overtaken by everything newer, again and again.',
    file: FEED,
    text: `    if (!this.#entries.has(entry)) return;
    this.#ready.put(entry);`,
    replacement: `    if (!this.#entries.has(entry)) return;
    entry.order = this.#newest + 1;
    this.#ready.put(entry);`,
    foundBy: ['dispatch/feed', 'gives back to the old place'],
  },
  {
    name: 'push that starts a lease',
    harm: 'A push that got lost locks its task for the whole lease.',
    file: EXECUTES,
    text: 'session.sendExecute(entry.row.taskId, entry.row.version);',
    replacement: `
      const { taskId: id, version } = entry.row;
      void this.#options.engine.submit({ name: 'task.acquire', request: { id, version, pid: session.pid, ttl: 60_000 } });
      session.sendExecute(id, version);`,
    foundBy: ['dispatch/known-failures', 'camunda#59354, #8759: a push locks nothing'],
  },
  {
    name: 'push that never expires',
    harm: 'A worker that is frozen keeps what it was sent for as long as its connection stands.',
    file: EXECUTES,
    text: 'timer: timers.after(config.retryTimeout, () => this.#expire(pushes))',
    replacement: 'timer: timers.after(2 ** 40, () => this.#expire(pushes))',
    foundBy: ['dispatch/unacquired', 'a push that nobody acquires is taken back after the retry timeout'],
  },
  {
    name: 'push pushed again while it is in flight',
    harm: 'Each sweep sends every worker once more what it has already.',
    file: FEED,
    text: 'if (!index.has(keyOf(row))) this.#add(row);',
    replacement: 'this.#add(row);',
    foundBy: ['dispatch/scale', 'pushes nothing twice, and drops nothing'],
  },
  {
    name: 'push pushed again while its retry is being written',
    harm: 'Two workers are sent the same task at the same time.',
    file: EXECUTES,
    text: 'for (const entry of entries) this.#retrying.add(entry);',
    replacement: 'for (const entry of entries) entry.feed.giveBack(entry);',
    foundBy: ['dispatch/unacquired', 'is not pushed while the retry is being written'],
  },
  {
    name: 'push of a stale version',
    harm: 'A worker is sent to acquire what it can only be refused.',
    file: EXECUTES,
    text: 'else if (entry.row.version !== row.version) this.#replace(entry, queue, row);',
    replacement: 'else if (entry.row.version !== row.version) this.#pushAgain(entry);',
    foundBy: ['dispatch/executes', 'follows the last that was sent, whatever was said in between'],
  },
  {
    name: 'push of what was withdrawn',
    harm: 'The same, for a task that was halted, settled or taken by another.',
    file: EXECUTES,
    text: 'if (entry !== undefined && !isCurrent(entry, task)) this.#drop(entry);',
    replacement: '',
    foundBy: ['dispatch/executes', 'is not pushed when it was withdrawn after it was loaded'],
  },
  {
    name: 'push from inside a commit',
    harm: 'One frame for every task instead of one for fifty, and streams that are written to in the middle of a batch.',
    file: 'src/dispatch/wakeup.ts',
    text: 'this.#timer = this.#timers.after(0, () => this.#run());',
    replacement: 'this.#run();',
    foundBy: ['dispatch/routing', 'hands nothing over from inside a commit'],
  },
  {
    name: 'message for one process given to another',
    harm: 'What only one process can do is sent to one that cannot.',
    file: LANE,
    text: 'else this.#members.get(queue.pid)?.own.announce(row);',
    replacement: 'else this.#shared.announce(row);',
    foundBy: ['dispatch/routing', 'uni goes to that pid only, and waits for it'],
  },
  {
    name: 'preference that waits',
    harm: 'One slow worker delays everything behind the task that prefers it.',
    file: LANE,
    text: 'preferred !== undefined && preferred.room > 0 ? preferred : widest',
    replacement: 'preferred ?? widest',
    foundBy: ['dispatch/known-failures', 'resonate#1067: one slow worker delays nobody'],
  },
  {
    name: 'queue of a busy process in front of all others',
    harm: 'Tasks for a process without credits hold up those that anybody could take.',
    file: LANE,
    text: 'if (hasRoom && head !== undefined) {',
    replacement: 'if (head !== undefined) {',
    foundBy: ['dispatch/routing', 'uni waits for a credit of its pid while others have some'],
  },
  {
    name: 'no turns between groups',
    harm: 'A long queue in one group holds up all other groups.',
    file: 'src/dispatch/lanes.ts',
    text: 'const [lane] = this.#dirty;',
    replacement: 'const lane = [...this.#dirty].sort((a, b) => (a.group < b.group ? -1 : 1))[0];',
    foundBy: ['dispatch/routing', 'works in slices, and groups take turns'],
  },
  {
    name: 'no sweep of the outbox',
    harm: 'One lost wake-up, and what it told of waits until a worker reconnects.',
    file: 'src/dispatch/dispatcher.ts',
    text: `engine.onCommit((changes) => this.#onCommit(changes));
    this.#armSweep();`,
    replacement: 'engine.onCommit((changes) => this.#onCommit(changes));',
    foundBy: ['dispatch/known-failures', 'resonate-legacy-server#80: a lost wake-up heals'],
  },
  {
    name: 'sweep that reads on from where it was',
    harm: 'The same, for whatever is older than the newest.',
    file: FEED,
    text: `    this.#cursor = -1;
    this.#complete = false;`,
    replacement: '    this.#complete = false;',
    foundBy: ['dispatch/scale', 'finds a row older than what is loaded'],
  },
  {
    name: 'whole queue read into memory',
    harm: 'A million tasks that wait for workers take the server down.',
    file: 'src/dispatch/feed.ts',
    text: '(this.#complete && this.#ready.size < this.#options.pageSize)',
    replacement: 'this.#complete',
    foundBy: ['dispatch/scale', 'rows that arrive while nobody has room stay in the store'],
  },
  {
    name: 'unblock deleted before it is sent',
    harm: 'The stream is cut, and a caller waits for ever for an outcome that was there.',
    file: UNBLOCKS,
    text: 'this.#sent.set(entry.key, sent);',
    replacement: 'this.#sent.set(entry.key, sent); void this.#options.engine.acknowledgeUnblocks([entry.row]);',
    foundBy: ['dispatch/unblocks', 'acknowledgement is what takes it out of the outbox'],
  },
  {
    name: 'unblock acknowledged by the session before it is written',
    harm: 'The same, where the stream acknowledges by itself.',
    file: 'src/dispatch/session.ts',
    text: 'this.#stream.send(events, written.length > 0 ? () => hooks.unblocksWritten(written) : undefined);',
    replacement: 'this.#stream.send(events); if (written.length > 0) hooks.unblocksWritten(written);',
    foundBy: [
      'dispatch/known-failures',
      'resonate#1084, resonate-sdk-ts#319: an unblock is in the outbox until somebody has it',
    ],
  },
  {
    name: 'unblock taken for written when it is handed over',
    harm: 'The same, one layer below.',
    file: 'src/server/dispatch-stream.ts',
    text: 'this.#unsentBytes += bytes;',
    replacement: 'this.#unsentBytes += bytes; written?.(); written = undefined;',
    foundBy: ['dispatch/dispatch-stream', 'counts what is unsent until it is written'],
  },
  {
    name: 'acknowledgement believed before it is stored',
    harm: 'It could not be stored, and the unblock comes again after a restart though nobody was told that it would.',
    file: UNBLOCKS,
    text: 'await this.#options.engine.acknowledgeUnblocks(refs);',
    replacement: 'const stored = this.#options.engine.acknowledgeUnblocks(refs); stored.catch(() => {});',
    foundBy: ['dispatch/unblocks', 'acknowledgement rejects when it could not be stored, and then the unblock stays'],
  },
  {
    name: 'unblock lost on the end of its stream',
    harm: 'It was sent and not read, and nobody else gets it while the server runs.',
    file: UNBLOCKS,
    text: `      this.#forget(sent);
      sent.entry.feed.giveBack(sent.entry);`,
    replacement: '      this.#forget(sent);',
    foundBy: ['dispatch/unblocks', 'is missing when a session ends: another that is there gets it at once'],
  },
  {
    name: 'unblock of a broken promise given up',
    harm: 'A record that could not be read once, and the caller is never told.',
    file: UNBLOCKS,
    text: `      // The next sweep finds it again.
      entry.feed.drop(entry);`,
    replacement: '',
    foundBy: ['dispatch/unblocks', 'skips one whose promise cannot be read, says so, and tries again'],
  },
];
