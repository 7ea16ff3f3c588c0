import { expect } from 'chai';
import { decodeJson, encodeJson, PromiseState, Reject, unwrap } from '../../clients/typescript/index.js';
import { toValue } from '../../clients/typescript/value.js';
import { toPromiseSpec } from '../../clients/typescript/work.js';
import { pendingRecord, settledRecord } from './scripted-server.js';

describe('client: values', () => {
  it('gives back what JSON can hold, labelled', () => {
    for (const value of [null, 0, false, '', 'é\u0000𝄞', [1, [2]], { a: { b: null } }]) {
      const encoded = encodeJson(value);
      expect(encoded.headers.get('content-type')).to.equal('application/json');
      expect(decodeJson(encoded)).to.deep.equal(value);
    }
  });

  it('takes undefined for the empty value, and back', () => {
    expect(encodeJson(undefined)).to.deep.equal({ headers: new Map(), data: undefined });
    expect(decodeJson(encodeJson(undefined))).to.equal(undefined);
    expect(decodeJson(undefined)).to.equal(undefined);
    expect(decodeJson({ headers: new Map(), data: new Uint8Array() })).to.equal(undefined);
  });

  it('throws on what is not JSON', () => {
    expect(() => encodeJson(1n)).to.throw(TypeError);
    expect(() => decodeJson({ headers: new Map(), data: new Uint8Array([0x7b]) })).to.throw(SyntaxError);
    expect(() => decodeJson({ headers: new Map(), data: new Uint8Array([0x22, 0xff, 0x22]) })).to.throw(TypeError);
  });

  it('lets a Value through as it is', () => {
    const value = { headers: new Map([['content-type', 'image/png']]), data: new Uint8Array([1, 2]) };
    expect(toValue(value)).to.equal(value);
    expect(toValue({ headers: { a: 1 } })).to.deep.equal(encodeJson({ headers: { a: 1 } }));
  });

  it('unwraps a resolved promise, and throws what a rejected one holds', () => {
    expect(unwrap(settledRecord('p', { n: 1 }))).to.deep.equal({ n: 1 });
    expect(() => unwrap(pendingRecord('p'))).to.throw(TypeError, '"p" is pending');
    try {
      unwrap(settledRecord('p', 'why', PromiseState.PROMISE_STATE_REJECTED_CANCELED));
      expect.fail('did not throw');
    } catch (error) {
      expect(error).to.be.instanceOf(Reject);
      expect((error as Reject).value).to.equal('why');
      expect((error as Reject).message).to.equal('promise "p" is REJECTED_CANCELED');
    }
  });

  it('spells work as a promise', () => {
    const spec = toPromiseSpec({ id: 'p', target: 'any@g', param: [1], timeoutAtMs: 5, tags: { ['__proto__']: 'y' } });
    expect(spec.id).to.equal('p');
    expect(spec.timeoutAtMs).to.equal(5);
    expect(decodeJson(spec.param)).to.deep.equal([1]);
    expect([...spec.tags]).to.deep.equal([
      ['__proto__', 'y'],
      ['resonate:target', 'any@g'],
    ]);
    expect(toPromiseSpec({ id: 'p' }, 7).timeoutAtMs).to.equal(7);
    expect(toPromiseSpec({ id: 'p' }, 7).tags.size).to.equal(0);
    expect(toPromiseSpec({ id: 'p', timeoutMs: Infinity }, 7).timeoutAtMs).to.equal(Number.MAX_SAFE_INTEGER);
    expect(() => toPromiseSpec({ id: 'p' })).to.throw(TypeError, 'timeoutMs');
  });

  it('counts timeoutMs from now', () => {
    const before = Date.now();
    const { timeoutAtMs } = toPromiseSpec({ id: 'p', timeoutMs: 1_000 });
    expect(timeoutAtMs).to.be.within(before + 1_000, Date.now() + 1_001);
  });
});
