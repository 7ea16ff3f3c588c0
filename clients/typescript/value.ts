import type { Value } from './gen/resonate_grpc/v1/value.js';

const JSON_TYPE = 'application/json';

/** The value as JSON, labelled as such. `undefined` is the empty value. Throws a TypeError on what JSON cannot hold. */
export function encodeJson(value: unknown): Value {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return { headers: new Map(), data: undefined };
  return { headers: new Map([['content-type', JSON_TYPE]]), data: new TextEncoder().encode(text) };
}

/** What `encodeJson` was given. A value without data is `undefined`. Throws a SyntaxError on data that is not JSON. */
export function decodeJson(value: Value | undefined): unknown {
  if (!value?.data?.length) return undefined;
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value.data));
}

/** Payloads of any kind: a `Value` (its headers are a Map) goes as it is, everything else as JSON. */
export function toValue(payload: unknown): Value {
  return isValue(payload) ? payload : encodeJson(payload);
}

function isValue(payload: unknown): payload is Value {
  return typeof payload === 'object' && payload !== null && (payload as Partial<Value>).headers instanceof Map;
}
