/** The mutation check itself: `npm run mutants` takes minutes, this shows that it would fail when it must. */
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { equivalents, type Equivalent } from './equivalents.js';
import { collapse, CUT, rewrite, type Mutant } from './mutant.js';
import { holds, judge, show } from './verdict.js';

const FILE = 'src/a.ts';

function mutant(becomes: string, isNoticed: boolean, fields: Partial<Mutant> = {}): Mutant {
  return { file: FILE, lineNumber: 7, line: 'if (a > b) c();', becomes, isNoticed, ...fields };
}

const equivalent: Equivalent = {
  file: FILE,
  line: 'if (a > b) c();',
  becomes: ['if (a >= b) c();'],
  reason: 'a is never b',
};
const killed = mutant('if (false) c();', true);
const survivor = mutant('if (a >= b) c();', false);

describe('mutation check', () => {
  it('holds when each mutant is noticed or listed, and counts them by file', () => {
    const other = mutant('if (true) c();', true, { file: 'src/0.ts' });
    const verdict = judge([killed, survivor, other], [equivalent]);
    expect(holds(verdict)).to.equal(true);
    expect(verdict.scores).to.deep.equal([
      { file: 'src/0.ts', mutants: 1, noticed: 1, equivalent: 0 },
      { file: FILE, mutants: 2, noticed: 1, equivalent: 1 },
    ]);
    expect(show(verdict).at(-1)).to.equal('0 survivors without a reason, 0 stale reasons');
  });

  it('fails on a survivor without a reason, and prints it', () => {
    const verdict = judge([killed, survivor], []);
    expect(holds(verdict)).to.equal(false);
    expect(verdict.survivors).to.deep.equal([survivor]);
    expect(show(verdict)).to.include.members([`SURVIVOR ${FILE}:7`, '  - if (a > b) c();', '  + if (a >= b) c();']);
  });

  it('does not take a reason for another line, another fault or another file', () => {
    for (const fields of [{ line: 'if (a > b) d();' }, { becomes: 'if (a < b) c();' }, { file: 'src/b.ts' }]) {
      expect(
        judge([survivor], [{ ...equivalent, ...fields, becomes: [fields.becomes ?? survivor.becomes] }]).survivors,
      ).to.have.length(1);
    }
  });

  it('fails on a reason for a mutant that a test notices, or that is not there', () => {
    for (const mutants of [[killed], [killed, { ...survivor, isNoticed: true }]]) {
      const verdict = judge(mutants, [equivalent]);
      expect(holds(verdict)).to.equal(false);
      expect(verdict.stale.map(({ becomes }) => becomes)).to.deep.equal(equivalent.becomes);
      expect(show(verdict).join('\n')).to.include(`STALE ${FILE}`);
    }
  });

  it('fails on a reason for one line that stands twice, if one of its mutants is noticed', () => {
    expect(holds(judge([survivor, { ...survivor, lineNumber: 90, isNoticed: true }], [equivalent]))).to.equal(false);
  });

  it('leaves the reasons for files alone that were not mutated', () => {
    expect(holds(judge([killed], [{ ...equivalent, file: 'src/b.ts' }]))).to.equal(true);
  });

  it('names a mutant by its lines, whatever stands around them', () => {
    const text = 'let x;\n  if (a > b) {\n    c();\n  }\n';
    expect(rewrite(text, { line: 2, column: 9 }, { line: 2, column: 10 }, '>=')).to.deep.equal({
      line: 'if (a > b) {',
      becomes: 'if (a >= b) {',
    });
    expect(rewrite(text, { line: 2, column: 14 }, { line: 4, column: 4 }, '{}')).to.deep.equal({
      line: 'if (a > b) { c(); }',
      becomes: 'if (a > b) {}',
    });
    const { line } = rewrite(`${'a'.repeat(500)}z`, { line: 1, column: 1 }, { line: 1, column: 2 }, '');
    expect(line)
      .to.match(/^a+ … a+z$/)
      .and.to.have.length.below(170);
  });

  describe('each listed equivalent', () => {
    for (const { file, line, becomes, reason } of equivalents) {
      it(`${file}: ${line}`, () => {
        const source = collapse(readFileSync(file, 'utf8'));
        for (const part of line.split(CUT)) expect(source).to.include(part);
        expect(becomes).to.not.be.empty;
        expect(becomes).to.not.include(line);
        expect(reason).to.match(/.{20}/);
      });
    }

    it('is listed once', () => {
      const all = equivalents.flatMap(({ file, line, becomes }) => becomes.map((one) => `${file}: ${line} → ${one}`));
      expect(new Set(all).size).to.equal(all.length);
    });
  });
});
