import { Cron } from 'croner';

/** What the protocol's cron expressions are made of; the library knows more (`L`, `W`, `#`, `@hourly`), the protocol does not. */
const FIELD = /^(?:\*|[0-9]+|[A-Za-z]{3})(?:-(?:[0-9]+|[A-Za-z]{3}))?(?:\/[0-9]+)?$/;
/** The last instant of the calendar that JavaScript can compute with, in ms. */
const LAST_INSTANT = 8_640_000_000_000_000;
/** Parsed expressions are kept, up to this many: a schedule asks for the same one at every instant. */
const CACHE_SIZE = 1_000;

const cache = new Map<string, Cron>();

/** Five fields with an optional leading one for seconds, in UTC. Undefined for a text that is not such an expression. */
function parseCron(expression: string): Cron | undefined {
  const cached = cache.get(expression);
  if (cached !== undefined) return cached;
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) return undefined;
  if (!fields.every((field) => field.split(',').every((part) => FIELD.test(part)))) return undefined;
  try {
    // domAndDow false: when day of month and day of week are both restricted, either matches.
    const cron = new Cron(fields.join(' '), { timezone: 'UTC', paused: true, domAndDow: false });
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(expression, cron);
    return cron;
  } catch {
    return undefined;
  }
}

export function isCron(expression: string): boolean {
  return parseCron(expression) !== undefined;
}

/** The first instant of the expression strictly after `after`, in ms; undefined if there is none or it does not parse. */
export function nextCron(expression: string, after: number): number | undefined {
  if (after >= LAST_INSTANT) return undefined;
  return parseCron(expression)?.nextRun(new Date(after))?.getTime();
}
