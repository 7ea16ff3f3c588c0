import type { Request } from '../model/operations.js';
import { MAX_NUMBER } from '../model/state.js';
import type { Random } from '../support/random.js';

/** The request with one field that the door does not let in. */
export function spoil(random: Random, operation: Request): Request {
  const fields = Object.entries(operation.request as Readonly<Record<string, unknown>>);
  if (fields.length === 0) return operation;
  const [field, old] = random.pick(fields);
  return { ...operation, request: { ...operation.request, [field]: refused(random, field, old) } } as Request;
}

function refused(random: Random, field: string, old: unknown): unknown {
  if (field === 'state') return random.pick(['pending', 'rejected_timedout']);
  if (field === 'awaited' && Array.isArray(old)) return random.pick([[], [...(old as string[]), '']]);
  if (field === 'cron') return random.pick(['* * * *', '60 * * * *', '0 0 30 2 *', '@hourly', '* * * * mon-fri/0']);
  if (field === 'promiseId') return `{{.timestamp}}${'x'.repeat(497)}`;
  if (field === 'tags' || field === 'promiseTags') {
    return [
      random.pick([
        ['resonate:delay', '-1'],
        ['resonate:delay', 'soon'],
        ['resonate:target', 'g\0'],
      ]),
    ];
  }
  if (field === 'ttl') return random.pick([0, -1, MAX_NUMBER + 1]);
  if (typeof old === 'number') return random.pick([-1, MAX_NUMBER + 1]);
  if (typeof old === 'string') return random.pick(['', 'a\0', 'ü'.repeat(257), '\ud800']);
  return old;
}
