/** Bytes that are no message, within a message: the generated decoder would go on with them in the message around. */
import type { DescField } from '@bufbuild/protobuf';
import { expect } from 'chai';
import { expectRefusal, failureOf, invalidRequest, RawClient, TestServer } from '../e2e/fixture.js';
import { messageOf, METHODS } from './methods.js';
import { delimited, tag, WireType } from './wire.js';

/** A message within a request: where it is, and the request that has these bytes there. */
interface Place {
  readonly name: string;
  readonly request: (bytes: Uint8Array) => Uint8Array;
}

/** What the message around it goes on with. */
const REST = Buffer.from('c03e01c03e02c03e03', 'hex');

function places(fields: readonly DescField[]): Place[] {
  return fields.flatMap((field) => {
    const within = messageOf(field);
    if (within === undefined) return [];
    const head = tag(field.number, WireType.LEN);
    const isList = field.fieldKind === 'list';
    // The second of a list, which is named by its place.
    const before = isList ? Buffer.concat([head, delimited(Buffer.of())]) : Buffer.of();
    const name = isList ? `${field.name}[1]` : field.name;
    const request = (bytes: Uint8Array): Uint8Array => Buffer.concat([before, head, delimited(bytes), REST]);
    const deeper = places(within).map((place) => ({
      name: `${name}.${place.name}`,
      request: (bytes: Uint8Array) => request(place.request(bytes)),
    }));
    return [{ name, request }, ...deeper];
  });
}

const MALFORMED: Readonly<Record<string, string>> = {
  'a tag 0': '00',
  'a field 0': '0001',
  'a field 0 of two bytes': '0201aa',
  'an end of a group': '0c',
  'a group without an end': 'c33e',
  'a group that ends under another number': 'c33ecc3e',
  'a wire type 6': 'c63e',
  'a wire type 7': 'c73e',
  'a tag of six bytes': 'c0be80808000',
  'a tag of more than 32 bits': '888080801001',
  'a text that runs over the end': 'c23e03aa',
  'a number that runs over the end': 'c03eff',
  'eight bytes that run over the end': 'c13e01',
  'four bytes that run over the end': 'c53e01',
  'a number of eleven bytes': 'c03effffffffffffffffffff01',
  'a length that is cut': 'c23e80',
};

describe('fuzz: malformed messages within requests', () => {
  let server: TestServer;
  let client: RawClient;
  before(async () => {
    server = await TestServer.start();
    client = new RawClient(server.process.address);
  });
  after(async () => {
    client.close();
    await server.end();
  });

  const all = METHODS.flatMap((method) => places(method.input.fields).map((place) => ({ ...method, place })));

  it('are looked for wherever there can be one', () => {
    const found = all.map(({ name, place }) => `${name} ${place.name}`);
    expect(found).to.include.members([
      ...['promiseCreate promise', 'promiseCreate promise.param', 'promiseCreate promise.param.headers'],
      ...['promiseSearch tags', 'taskFence settle.value', 'taskHeartbeat tasks[1]', 'dispatchAcknowledge unblocks[1]'],
      ...['scheduleCreate schedule.promise_tags', 'taskFulfill value.headers'],
    ]);
  });

  for (const { name, path, place } of all)
    it(`${name} ${place.name}`, async () => {
      const before = await server.snapshot();
      for (const [what, hex] of Object.entries(MALFORMED)) {
        const error = await failureOf(client.call(path, place.request(Buffer.from(hex, 'hex'))));
        expect(error.message, what).to.equal(`${place.name}: not a protobuf message of this type`);
        expectRefusal(error, invalidRequest(place.name));
      }
      expect(await server.snapshot()).to.deep.equal(before);
    });
});
