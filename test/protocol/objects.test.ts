import { expect } from 'chai';
import fc from 'fast-check';
import { addSaturating, compareIds, MAX_SAFE, project, type PromiseObject } from '../../src/protocol/objects.js';

describe('compareIds', () => {
  it('orders as the bytes of UTF-8 do', () => {
    // Few characters, so that prefixes and near misses are common: some sort the other way in UTF-16.
    const character = fc.constantFrom(
      'a',
      'b',
      '\u007f',
      'é',
      '\ud7ff',
      '\ue000',
      '\uffee',
      '\u{10000}',
      '\u{1f600}',
      '\u{10fc00}',
      '\u{10ffff}',
    );
    const id = fc.oneof(
      fc.array(character, { maxLength: 4 }).map((list) => list.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(Math.sign(compareIds(a, b))).to.equal(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('addSaturating', () => {
  it('adds up to 2^53 - 1, and stays there', () => {
    expect(addSaturating(2, 3)).to.equal(5);
    expect(addSaturating(MAX_SAFE - 5, 5)).to.equal(MAX_SAFE);
    expect(addSaturating(MAX_SAFE - 5, 6)).to.equal(MAX_SAFE);
    expect(addSaturating(MAX_SAFE, MAX_SAFE)).to.equal(MAX_SAFE);
  });
});

describe('project', () => {
  const expired = (timer: boolean): PromiseObject => ({
    id: 'a',
    state: 'pending',
    param: { headers: new Map([['h', 'v']]) },
    value: { headers: new Map() },
    tags: new Map(timer ? [['resonate:timer', 'true']] : []),
    timeoutAt: 10,
    createdAt: 1,
    timeoutArmed: true,
  });

  it('shows an expired promise as its timeout will leave it', () => {
    for (const [timer, state] of [
      [true, 'resolved'],
      [false, 'rejected_timedout'],
    ] as const)
      expect(project(expired(timer), 10)).to.deep.equal({
        ...expired(timer),
        state,
        settledAt: 10,
        timeoutArmed: false,
      });
  });

  it('shows any other promise as it is', () => {
    const live = expired(false);
    expect(project(live, 9)).to.equal(live);
    const settled: PromiseObject = { ...live, state: 'rejected', settledAt: 3, timeoutArmed: false };
    expect(project(settled, 10)).to.equal(settled);
  });
});
