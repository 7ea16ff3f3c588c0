const NONE: readonly string[] = [];

/** Where two JSON-able values differ, one line each: the path, and what stands there. A field that is undefined is absent. */
export function differences(expected: unknown, actual: unknown, of = ''): readonly string[] {
  return compare(expected, actual).map((line) => of + line);
}

/** Paths are put together on the way back, so that what is equal costs no strings. */
function compare(expected: unknown, actual: unknown): readonly string[] {
  if (Object.is(expected, actual)) return NONE;
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    return [`: expected ${show(expected)}, found ${show(actual)}`];
  }
  let lines: string[] | undefined;
  for (const key in expected)
    for (const line of compare(expected[key], actual[key])) (lines ??= []).push(`.${key}${line}`);
  for (const key in actual)
    if (!(key in expected) && actual[key] !== undefined) (lines ??= []).push(`.${key}: found ${show(actual[key])}`);
  return lines ?? NONE;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
