/** Values with text in them. */
import type { Value } from '../../clients/typescript/index.js';

export function dataOf(text: string): Value {
  return { headers: new Map(), data: Buffer.from(text) };
}

export function textOf(value: Value | undefined): string {
  return Buffer.from(value?.data ?? []).toString();
}
