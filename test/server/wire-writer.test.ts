import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { expect } from 'chai';
import fc from 'fast-check';
import { PromiseRecord } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { ScheduleRecord } from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import { TaskRecord } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type { Value } from '../../clients/typescript/gen/resonate_grpc/v1/value.js';
import { WireWriter } from '../../src/server/wire-writer.js';

const number = fc.oneof(
  fc.nat(300),
  fc.maxSafeNat(),
  fc.integer({ min: 2 ** 31 - 2, max: 2 ** 32 + 2 }),
  fc.constant(Number.MAX_SAFE_INTEGER),
);
const length = fc.constantFrom(0, 1, 47, 48, 49, 127, 128, 129, 16_383, 16_384, 20_000);
const long = fc.tuple(fc.constantFrom('x', 'é', '😀', '\0'), length).map(([text, times]) => text.repeat(times));
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), long);
const map = fc.array(fc.tuple(text, text), { maxLength: 4 }).map((entries) => new Map(entries));
const optional = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });
const data = fc.oneof(
  fc.uint8Array(),
  length.map((bytes) => new Uint8Array(bytes)),
);
const value: fc.Arbitrary<Value> = fc.record({ headers: map, data: optional(data) });

const promise = fc.record({
  id: text,
  state: fc.nat(5),
  param: optional(value),
  value: optional(value),
  tags: map,
  timeoutAtMs: number,
  createdAtMs: number,
  settledAtMs: optional(number),
});
const task = fc.record({
  id: text,
  state: fc.nat(5),
  version: number,
  resumes: fc.nat(),
  ttlMs: optional(number),
  pid: optional(text),
});
const schedule = fc.record({
  id: text,
  cron: text,
  promiseId: text,
  promiseTimeoutMs: number,
  promiseParam: optional(value),
  promiseTags: map,
  createdAtMs: number,
  nextRunAtMs: number,
  lastRunAtMs: optional(number),
});

describe('WireWriter', () => {
  // One for all: a message leaves nothing behind in the next.
  const writer = new WireWriter();

  function agrees<T>(message: T, encode: (message: T, writer: BinaryWriter) => BinaryWriter): void {
    const expected = Buffer.from(encode(message, new BinaryWriter()).finish());
    encode(message, writer);
    expect(writer.finish().equals(expected)).to.equal(true);
  }

  it('writes what the library writes: promises', () => {
    fc.assert(fc.property(promise, (message) => agrees(message, (each, to) => PromiseRecord.encode(each, to))));
  });

  it('writes what the library writes: tasks', () => {
    fc.assert(fc.property(task, (message) => agrees(message, (each, to) => TaskRecord.encode(each, to))));
  });

  it('writes what the library writes: schedules', () => {
    fc.assert(fc.property(schedule, (message) => agrees(message, (each, to) => ScheduleRecord.encode(each, to))));
  });

  it('refuses numbers that none of our messages has, and forgets what was begun', () => {
    for (const wrong of [-1, 2 ** 53, 0.5, NaN]) expect(() => writer.fork().int64(wrong)).to.throw(RangeError);
    expect(() => writer.int32(-1)).to.throw(RangeError);
    writer.reset();
    expect(writer.uint32(1).finish()).to.deep.equal(Buffer.from([1]));
    expect(() => writer.join()).to.throw('nothing to join');
  });
});
