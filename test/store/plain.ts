/**
 * A copy to compare with: without fields that are undefined (they and absent ones are the same to every reader), and with every
 * sort of byte array as a Uint8Array.
 */
export function plain<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [copy(key), copy(entry)]));
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, copy(field)]));
}
