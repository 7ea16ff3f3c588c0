/**
 * The generated decoder takes some bytes that are no message for one: it ends a nested message at a stray end of a group or a
 * tag 0, lets a field run over the end of the message that it is in, and knows a field 0. What follows is then read as fields of
 * the message around it. This finds such bytes, by the shape that `proto/` gives the messages.
 */
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** The messages within a message, by field number. */
export type Shape = ReadonlyMap<number, Nested>;

interface Nested {
  readonly name: string;
  readonly isList: boolean;
  readonly shape: Shape;
}

const NOTHING_NESTED: Shape = new Map();
/** The wire types 6 and 7 do not exist. */
const LAST_WIRE_TYPE = 5;
const MAX_VARINT_BYTES = 10;

/** The shape of a message that does not contain itself. */
export function shapeOf(message: DescMessage): Shape {
  return new Map(message.fields.flatMap((field) => nested(field).map((within) => [field.number, within] as const)));
}

function nested(field: DescField): Nested[] {
  const { name, fieldKind, message } = field;
  // A map is a list of entries: messages of a key and a value, which here are never messages themselves.
  if (fieldKind === 'map') return [{ name, isList: false, shape: NOTHING_NESTED }];
  return message === undefined ? [] : [{ name, isList: fieldKind === 'list', shape: shapeOf(message) }];
}

/** Where these bytes are no message: a path such as `promise.param`, empty for the whole; undefined if they are one. */
export function malformedPart(bytes: Uint8Array, shape: Shape): string | undefined {
  return new Scanner(bytes).scan(bytes.length, shape)?.join('.');
}

class Scanner extends BinaryReader {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.#bytes = bytes;
  }

  /** Moves to the end of the message, or answers with the path to what is malformed. */
  scan(end: number, shape: Shape): readonly string[] | undefined {
    let entries: Map<Nested, number> | undefined;
    try {
      while (this.pos < end) {
        const tag = this.#tag();
        const wireType: WireType = tag & 7;
        const within = wireType === WireType.LengthDelimited ? shape.get(tag >>> 3) : undefined;
        if (within === undefined) {
          this.#skip(wireType, tag >>> 3);
          continue;
        }
        const length = this.uint32();
        if (length > end - this.pos) return [];
        const entry = entries?.get(within) ?? 0;
        const path = this.scan(this.pos + length, within.shape);
        if (path !== undefined) return [within.isList ? `${within.name}[${entry}]` : within.name, ...path];
        if (within.isList) (entries ??= new Map()).set(within, entry + 1);
      }
    } catch {
      return [];
    }
    return this.pos === end ? undefined : [];
  }

  /** As the base class reads it, but in one number. */
  #tag(): number {
    const start = this.pos;
    const tag = this.uint32();
    const length = this.pos - start;
    const isTooLarge = length > 5 || (length === 5 && this.#bytes[this.pos - 1]! > 0x0f);
    if (isTooLarge || tag >>> 3 === 0 || (tag & 7) > LAST_WIRE_TYPE) throw new RangeError('no tag');
    return tag;
  }

  /** Moves behind the value of a field: without a view of what is skipped, which the base class makes at a price. */
  #skip(wireType: WireType, field: number): void {
    switch (wireType) {
      case WireType.Varint: {
        const start = this.pos;
        while (this.#bytes[this.pos++]! >= 0x80);
        if (this.pos - start > MAX_VARINT_BYTES) throw new RangeError('no number');
        break;
      }
      case WireType.Bit64:
        this.pos += 8;
        break;
      case WireType.Bit32:
        this.pos += 4;
        break;
      case WireType.LengthDelimited: {
        const length = this.uint32();
        this.pos += length;
        break;
      }
      default:
        // Throws on an end of a group that did not begin, or that ends under another number.
        this.skip(wireType, field);
    }
  }
}
