/** SPEC "Cron", naively: each field is the list of its values, and the next instant is looked for day by day. In UTC. */

interface Cron {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: readonly number[];
  readonly months: readonly number[];
  readonly daysOfWeek: readonly number[];
  /** When day of month and day of week are both restricted, either matches. */
  readonly eitherDay: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY = 86_400_000;
/** A day of February the 29th on a given weekday comes once in 28 years, over a century's end in 40. */
const LONGEST_WAIT = 41 * 366 * DAY;

const parsed = new Map<string, Cron | undefined>();

export function isCron(expression: string): boolean {
  return parse(expression) !== undefined;
}

/** The first instant strictly after `after`, in ms. Infinity if there is none. */
export function nextCron(expression: string, after: number): number {
  const cron = parse(expression);
  if (cron === undefined) return Infinity;
  for (let day = after - (after % DAY); day <= after + LONGEST_WAIT; day += DAY) {
    if (!matchesDay(cron, new Date(day))) continue;
    for (const hour of cron.hours)
      for (const minute of cron.minutes)
        for (const second of cron.seconds) {
          const instant = day + ((hour * 60 + minute) * 60 + second) * 1000;
          if (instant > after) return instant;
        }
  }
  return Infinity;
}

function matchesDay(cron: Cron, date: Date): boolean {
  if (!cron.months.includes(date.getUTCMonth() + 1)) return false;
  const ofMonth = cron.daysOfMonth.includes(date.getUTCDate());
  const ofWeek = cron.daysOfWeek.includes(date.getUTCDay());
  return cron.eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
}

function parse(expression: string): Cron | undefined {
  if (!parsed.has(expression)) parsed.set(expression, parseFields(expression.trim().split(/\s+/)));
  return parsed.get(expression);
}

function parseFields(fields: readonly string[]): Cron | undefined {
  const [second, minute, hour, dayOfMonth, month, dayOfWeek] = fields.length === 5 ? ['0', ...fields] : fields;
  if (fields.length !== 5 && fields.length !== 6) return undefined;
  const seconds = valuesOf(second, 0, 59);
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  const daysOfMonth = valuesOf(dayOfMonth, 1, 31);
  const months = valuesOf(month, 1, 12, MONTHS);
  const daysOfWeek = valuesOf(dayOfWeek, 0, 7, WEEKDAYS)?.map((day) => day % 7);
  if (!seconds || !minutes || !hours || !daysOfMonth || !months || !daysOfWeek) return undefined;
  const eitherDay = dayOfMonth !== '*' && dayOfWeek !== '*';
  return { seconds, minutes, hours, daysOfMonth, months, daysOfWeek, eitherDay };
}

function valuesOf(field = '', least: number, most: number, names: readonly string[] = []): number[] | undefined {
  const values: number[] = [];
  for (const part of field.split(',')) {
    const [, range, step] = /^([^/]+)(?:\/([1-9][0-9]*))?$/.exec(part) ?? [];
    if (range === undefined) return undefined;
    const ends = range === '*' ? [least, most] : range.split('-').map((text) => valueOf(text, least, names));
    // `3/5` is from 3 on, by 5.
    const [from = NaN, to = step === undefined ? from : most] = ends;
    if (ends.length > 2 || !(from >= least && from <= to && to <= most)) return undefined;
    for (let value = from; value <= to; value += Number(step ?? 1)) values.push(value);
  }
  return values.sort((a, b) => a - b);
}

function valueOf(text: string, least: number, names: readonly string[]): number {
  const name = names.indexOf(text.toLowerCase());
  if (name >= 0) return name + least;
  return /^[0-9]+$/.test(text) ? Number(text) : NaN;
}
