import { expect } from 'chai';
import fc from 'fast-check';
import * as engine from '../../src/engine/cron.js';
import * as model from './cron.js';

/** A field: any, a value, a range, a list, a step. */
function field(least: number, most: number, names: readonly string[] = []): fc.Arbitrary<string> {
  const value = fc.integer({ min: least, max: most });
  const range = fc
    .tuple(value, value)
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
    .map(([from, to]) => `${from}-${to}`);
  const step = fc.integer({ min: 1, max: most }).map((by) => `*/${by}`);
  const part = fc.oneof(value.map(String), range, ...(names.length > 0 ? [fc.constantFrom(...names)] : []));
  return fc.oneof(
    fc.constant('*'),
    step,
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join()),
  );
}

const fields = [
  field(0, 59),
  field(0, 59),
  field(0, 23),
  field(1, 31),
  field(1, 12, ['jan', 'FEB', 'Dec']),
  field(0, 7, ['sun', 'MON', 'Sat']),
];
const expression = fc
  .tuple(...fields)
  .chain((all) => fc.boolean().map((hasSeconds) => (hasSeconds ? all : all.slice(1)).join(' ')));
const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0) });

describe('cron: the engine agrees with the model', () => {
  it('on the next instant of random expressions', () => {
    fc.assert(
      fc.property(expression, instant, (cron, after) => {
        expect(engine.nextCron(cron, after) ?? Infinity).to.equal(model.nextCron(cron, after));
      }),
      { numRuns: 1000 },
    );
  });

  for (const [text, isCron] of [
    ['* * * * *', true],
    ['* * * * * *', true],
    ['*/5 0-23/2 1,15 jan-mar mon', true],
    ['0 0 29 2 *', true],
    ['0 0 * * 7', true],
    ['* * * *', false],
    ['* * * * * * *', false],
    ['60 * * * *', false],
    ['* 24 * * *', false],
    ['* * 0 * *', false],
    ['* * * 13 *', false],
    ['* * * * 8', false],
    ['5-1 * * * *', false],
    ['*/0 * * * *', false],
    ['@hourly', false],
    ['L * * * *', false],
  ] as const) {
    it(`on ${text}`, () => {
      expect([engine.isCron(text), model.isCron(text)]).to.deep.equal([isCron, isCron]);
    });
  }
});
