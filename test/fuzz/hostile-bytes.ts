/** Requests as nobody should send them: well-formed with wild values, malformed in every way, and broken copies of sound ones. */
import { ScalarType, type DescField } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { messageOf, type Method } from './methods.js';
import { delimited, tag, varint, WireType } from './wire.js';
import { IDS } from './world.js';

type Bytes = fc.Arbitrary<Uint8Array>;

const concat = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
const hex = (...texts: string[]): Uint8Array[] => texts.map((text) => Buffer.from(text, 'hex'));
const text = (...texts: string[]): Uint8Array[] => texts.map((each) => Buffer.from(each));

/** One side and the other of each limit, and where 32 and 64 bits end. */
const NUMBERS = [
  ...[0n, 1n, 2n, 5n, 6n, 127n, 128n, -1n, 9_000_000_000_000n],
  ...[31n, 32n, 53n, 63n, 64n].flatMap((bits) => [2n ** bits - 1n, 2n ** bits, -(2n ** bits)]),
];

/** What leads past the door. */
const KNOWN = text(...IDS, 'pid', 'uni@nobody/x', '* * * * *', '{{.id}}.{{.timestamp}}');
const SMALL = [0n, 1n, 2n];

const TEXTS = [
  ...text('', '\0', 'a\0b', '\ufeff', '😀', 'x'.repeat(512), 'x'.repeat(513), '%', '"\\', '9007199254740992'),
  ...text('__proto__', 'constructor', 'toString', 'resonate:target', 'resonate:delay', 'resonate:timer', 'true'),
  // No UTF-8: stray and missing continuations, overlong, beyond Unicode, surrogates one by one and in pairs.
  ...hex('ff', '80', 'c3', 'e282', 'f09f98', 'c080', 'e08080', 'f4908080', 'eda080', 'edbfbf', 'eda0bdedb880'),
];

/** What is no field: a tag 0, a field 0, wire types that do not exist, ends of groups, tags too large, lengths too large. */
const NO_FIELDS = [
  '00 01aa 0200 0e 0f 04 0c 14 1c 0b 0b14 0a 0aff 0affffffff0f 0affffffff07 0a80808080808080808001',
  '0a83808080800200 8a8080808000 8a80808010 8affffffffffffffff01 08 08ff 09 0d00 08ffffffffffffffffff7f',
  '08ffffffffffffffffffff01 80808080808080808080808000',
].flatMap((texts) => hex(...texts.split(' ')));

/** Eight times out of nine what can be let in: one field that is not refuses the whole request. */
function mostly<T>(good: fc.Arbitrary<T>, wild: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: wild });
}

const number: Bytes = fc
  .tuple(
    mostly(
      fc.constantFrom(...SMALL),
      fc.oneof(fc.constantFrom(...NUMBERS), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    ),
    fc.constantFrom(1, 1, 1, 5, 10),
  )
  .map(([value, atLeast]) => varint(value, atLeast));

const string: Bytes = mostly(
  fc.constantFrom(...KNOWN),
  fc.oneof(fc.constantFrom(...TEXTS), fc.uint8Array({ maxLength: 20 })),
);

const groups: Bytes = fc
  .tuple(fc.constantFrom(1, 2, 1000), fc.constantFrom(1, 2, 99, 100, 101, 102, 1000), fc.boolean())
  .map(([field, depth, isEnded]) =>
    concat([
      ...Array.from({ length: depth }, () => tag(field, WireType.SGROUP)),
      ...(isEnded ? Array.from({ length: depth }, () => tag(field, WireType.EGROUP)) : []),
    ]),
  );

/** A field with a value of the right kind: what a request consists of. */
function sound(field: DescField): Bytes {
  const within = messageOf(field);
  if (within !== undefined) {
    const off = mostly(fc.constant(0), fc.integer({ min: -2, max: 2 }));
    return fc
      .tuple(message(within), off)
      .map(([bytes, by]) => concat([tag(field.number, WireType.LEN), delimited(bytes, by)]));
  }
  const isDelimited = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
  return isDelimited
    ? string.map((bytes) => concat([tag(field.number, WireType.LEN), delimited(bytes)]))
    : number.map((bytes) => concat([tag(field.number, WireType.VARINT), bytes]));
}

/** Its fields, mostly once each, and among them what does not belong there. */
function message(fields: readonly DescField[]): Bytes {
  const misplaced = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 7 }), fc.uint8Array({ maxLength: 9 }))
    .map(([field, wireType, bytes]) => concat([tag(field, wireType), bytes]));
  const strange = fc.oneof(fc.constantFrom(...NO_FIELDS), groups, misplaced);
  const times = mostly(fc.constant(1), fc.constantFrom(0, 2, 3));
  const each = fields.map((field) =>
    times.chain((n) => fc.array(sound(field), { minLength: n, maxLength: n })).map(concat),
  );
  const extra = mostly(fc.constant(Buffer.of()), strange);
  return fc.tuple(fc.tuple(...each), extra, fc.nat({ max: 9 })).map(([parts, between, at]) => {
    const place = at % (parts.length + 1);
    return concat([...parts.slice(0, place), between, ...parts.slice(place)]);
  });
}

/** A change to bytes, at some place. */
type Change = (bytes: Uint8Array) => Uint8Array;

const change: fc.Arbitrary<Change> = fc
  .tuple(
    fc.nat({ max: 1000 }),
    fc.constantFrom('flip', 'insert', 'delete', 'cut', 'repeat'),
    fc.nat({ max: 255 }),
    fc.constantFrom(...NO_FIELDS),
  )
  .map(([place, kind, by, piece]) => (bytes) => {
    const at = place % (bytes.length + 1);
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (kind) {
      case 'flip':
        return concat([head, tail.subarray(0, 1).map((byte) => byte ^ by), tail.subarray(1)]);
      case 'insert':
        return concat([head, by % 2 === 0 ? piece : Buffer.of(by), tail]);
      case 'delete':
        return concat([head, tail.subarray(1 + (by % 4))]);
      case 'cut':
        return head;
      default:
        return concat([head, tail, tail]);
    }
  });

/** Bytes for a method; `requests` are sound ones. */
export function hostileBytes({ input }: Method, requests: readonly Uint8Array[]): Bytes {
  const changed = fc
    .tuple(fc.constantFrom(...requests), fc.array(change, { maxLength: 2 }))
    .map(([request, changes]) => changes.reduce((bytes, apply) => apply(bytes), request));
  return fc.oneof(
    { weight: 5, arbitrary: message(input.fields) },
    { weight: 5, arbitrary: changed },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 64 }) },
  );
}
