import { expect } from 'chai';
import { parseAddress } from '../../src/protocol/address.js';
import { plain } from '../store/plain.js';

describe('parseAddress', () => {
  const group = (name: string) => ({ kind: 'any', group: name });
  for (const [address, parsed] of [
    ['workers', group('workers')],
    ['any@workers', group('workers')],
    ['poll://any@workers', group('workers')],
    ['local+x.1-y://any@workers', group('workers')],
    ['any@workers/p', { ...group('workers'), preferred: 'p' }],
    ['grpc://any@workers/p/q', { ...group('workers'), preferred: 'p/q' }],
    ['uni@workers/p', { kind: 'uni', group: 'workers', pid: 'p' }],
    ['poll://uni@workers/p@q', { kind: 'uni', group: 'workers', pid: 'p@q' }],
    ['any@a@b', group('a@b')],
    ['any@line\nbreak/p\nq', { ...group('line\nbreak'), preferred: 'p\nq' }],
    // None of these has the form: each is the name of a group.
    ['uni@workers', group('uni@workers')],
    ['uni@workers/', group('uni@workers/')],
    ['any@workers/', group('any@workers/')],
    ['any@', group('any@')],
    ['any@/p', group('any@/p')],
    ['all@workers', group('all@workers')],
    ['ANY@workers', group('ANY@workers')],
    ['://any@workers', group('://any@workers')],
    ['1x://any@workers', group('1x://any@workers')],
    ['http://host/path', group('http://host/path')],
    [' any@workers', group(' any@workers')],
  ] as const)
    it(`reads ${JSON.stringify(address)}`, () => {
      expect(plain(parseAddress(address))).to.deep.equal(parsed);
    });
});
