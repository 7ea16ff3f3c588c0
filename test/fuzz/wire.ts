/** The wire format of protobuf, written from its documentation: to make bytes of it, and to tell what is none. */
import type { DescField } from '@bufbuild/protobuf';
import { messageOf } from './methods.js';

export const WireType = { VARINT: 0, I64: 1, LEN: 2, SGROUP: 3, EGROUP: 4, I32: 5 } as const;

/** A number of up to 64 bits, in at least so many bytes. */
export function varint(value: bigint, atLeast = 1): Uint8Array {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, value); rest > 0n || bytes.length < atLeast; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
  bytes.push((bytes.pop() ?? 0) & 0x7f);
  return Uint8Array.from(bytes);
}

export function tag(field: number, wireType: number): Uint8Array {
  return varint((BigInt(field) << 3n) | BigInt(wireType));
}

/** A value that says how long it is, or lies about it by `off` bytes. */
export function delimited(bytes: Uint8Array, off = 0): Uint8Array {
  return Buffer.concat([varint(BigInt(Math.max(0, bytes.length + off))), bytes]);
}

/** Bytes that do not go on as they must. */
class Malformed extends Error {}

/** Whether the bytes are a message with these fields. Each message within is looked at on its own, as if it stood alone. */
export function isMessage(bytes: Uint8Array, fields: readonly DescField[]): boolean {
  try {
    readMessage(bytes, fields);
    return true;
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}

function readMessage(bytes: Uint8Array, fields: readonly DescField[]): void {
  const cursor = new Cursor(bytes);
  while (!cursor.isAtEnd) {
    const [number, wireType] = cursor.tag();
    const value = cursor.value(number, wireType);
    const field = fields.find((each) => each.number === number);
    const within = field === undefined || wireType !== WireType.LEN ? undefined : messageOf(field);
    if (within !== undefined) readMessage(value, within);
  }
}

/** As deep as the decoders of protobuf follow. */
const DEEPEST_GROUP = 100;

class Cursor {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  tag(): [field: number, wireType: number] {
    const start = this.#at;
    const value = this.#varint();
    // A tag is a number of 32 bits; no field has the number 0.
    if (value >= 1n << 32n || this.#at - start > 5 || value >> 3n === 0n) throw new Malformed();
    return [Number(value >> 3n), Number(value & 7n)];
  }

  /** The value behind a tag; of a group, nothing. */
  value(field: number, wireType: number, depth = 0): Uint8Array {
    switch (wireType) {
      case WireType.VARINT:
        this.#varint();
        return this.#take(0);
      case WireType.I64:
        return this.#take(8);
      case WireType.I32:
        return this.#take(4);
      case WireType.LEN:
        // Lengths are numbers of 32 bits.
        return this.#take(Number(BigInt.asUintN(32, this.#varint())));
      case WireType.SGROUP:
        if (depth === DEEPEST_GROUP) throw new Malformed();
        for (;;) {
          const [inner, type] = this.tag();
          if (type !== WireType.EGROUP) this.value(inner, type, depth + 1);
          else if (inner === field) return this.#take(0);
          else throw new Malformed();
        }
      default:
        throw new Malformed();
    }
  }

  #take(length: number): Uint8Array {
    if (length > this.bytes.length - this.#at) throw new Malformed();
    return this.bytes.subarray(this.#at, (this.#at += length));
  }

  #varint(): bigint {
    let value = 0n;
    for (let i = 0; i < 10; i++) {
      const [byte] = this.#take(1);
      value |= BigInt(byte! & 0x7f) << BigInt(7 * i);
      if (byte! < 0x80) return BigInt.asUintN(64, value);
    }
    throw new Malformed();
  }
}
