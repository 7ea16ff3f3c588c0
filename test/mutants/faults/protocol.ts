/**
 * Faults of the protocol's meaning. The random scripts against the model are to find them, without a test of their own; all
 * but the first, which the short run in the tests does not come to.
 */
import type { Fault } from './fault.js';

const SIMULATION = ['simulation/simulation', 'the LMDB store does as the model'] as const;

export const protocolFaults: readonly Fault[] = [
  {
    name: 'wake-up of a task that is held forgotten',
    harm: 'A workflow suspends on what has just settled, and sleeps for ever.',
    file: 'src/protocol/actions/00-resume.ts',
    text: "if (task === undefined || task.state === 'fulfilled') return;",
    replacement: "if (task === undefined || task.state === 'fulfilled' || task.state === 'acquired') return;",
    foundBy: ['actions/00-resume', 'only adds to the resumes of an acquired task: its lease stays as it is'],
  },
  {
    name: 'wake-ups of an acquire kept',
    harm: 'A worker is told of wake-ups that it knows.',
    file: 'src/protocol/tasks.ts',
    text: 'if (task.resumes > 0) tx.clearResumes(task.id);',
    replacement: '',
    foundBy: SIMULATION,
  },
  {
    name: 'callbacks of the settled not scrubbed',
    harm: 'Promises carry the callbacks of workflows that have long ended.',
    file: 'src/protocol/settlement.ts',
    text: 'tx.dropCallbacksOf(promise.id);',
    replacement: '',
    foundBy: SIMULATION,
  },
  {
    name: 'new version with every release',
    harm: 'The next worker is refused: the version that it was pushed is over.',
    file: 'src/protocol/tasks.ts',
    text: `state: 'pending',
    version: task.version,`,
    replacement: `state: 'pending',
    version: task.version + 1,`,
    foundBy: SIMULATION,
  },
  {
    name: 'holder of an older version let in',
    harm: 'Two holders of one task both write.',
    file: 'src/protocol/tasks.ts',
    text: 'if (task.version !== ref.version) return',
    replacement: 'if (task.version < ref.version) return',
    foundBy: SIMULATION,
  },
  {
    name: 'heartbeat of another process',
    harm: 'A lease never runs out, since somebody else keeps it alive.',
    file: 'src/protocol/actions/T-05-task.heartbeat.ts',
    text: ' && task.pid === pid',
    replacement: '',
    foundBy: SIMULATION,
  },
  {
    name: 'suspend that writes before it refuses',
    harm: 'A refused suspend has registered callbacks.',
    file: 'src/protocol/actions/T-06-task.suspend.ts',
    text: 'awaited.push(promise);',
    replacement: 'awaited.push(promise); tx.addCallback(id, task.id);',
    foundBy: SIMULATION,
  },
  {
    name: 'no deadline for what is waited for',
    harm: 'A workflow waits for ever for a promise that nobody settles.',
    file: 'src/protocol/registration.ts',
    text: 'const armed = { ...awaited, timeoutArmed: true };',
    replacement: 'const armed = awaited;',
    foundBy: SIMULATION,
  },
  {
    name: 'due timeout of the awaited not fired first',
    harm: 'A workflow parks on a promise that has timed out already.',
    file: 'src/protocol/operations.ts',
    text: '({ id, awaitedIds }) => [id, ...awaitedIds]',
    replacement: '({ id }) => [id]',
    foundBy: SIMULATION,
  },
  {
    name: 'execute for the dead',
    harm: 'Workers are sent to acquire tasks whose promise has timed out.',
    file: 'src/protocol/tasks.ts',
    text: "target !== '' && isLive(promise, now)",
    replacement: "target !== ''",
    foundBy: SIMULATION,
  },
  {
    name: 'delay ignored',
    harm: 'What should start tomorrow starts now.',
    file: 'src/protocol/actions/P-02-promise.create.ts',
    text: 'const delayed = delayedUntil > now;',
    replacement: 'const delayed = false;',
    foundBy: SIMULATION,
  },
  {
    name: 'occurrences skipped by a catch-up',
    harm: 'A server that was down for an hour runs the hourly job of now, and not the one that it has missed.',
    file: 'src/protocol/actions/02-timeouts.ts',
    text: 'const nextRunAt = tx.config.nextCron(schedule.cron, at);',
    replacement: 'const nextRunAt = tx.config.nextCron(schedule.cron, now);',
    foundBy: SIMULATION,
  },
];
