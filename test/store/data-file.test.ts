/** What is wrong with a data file is said before LMDB maps it. `lmdb.test.ts` has files that LMDB wrote. */
import { expect } from 'chai';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damageOf } from '../../src/store/lmdb/data-file.js';
import { openFiles } from '../support/open-files.js';
import { big, branch, leaf, meta, NO_ROOT, PAGE_BYTES, small, type MetaFields } from './data-file.js';
import { temporaryDirectory } from './lmdb-factory.js';

const NOT_OURS = 'it was not written by this server';
const TRUNCATED = 'it is truncated';
const SENSELESS = 'it is corrupt: its header makes no sense';

describe('damage of a data file', () => {
  let directory: string;

  beforeEach(() => {
    directory = temporaryDirectory();
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const damageIn = (...pages: readonly Buffer[]): string | undefined => {
    const file = join(directory, 'data.mdb');
    writeFileSync(file, Buffer.concat(pages));
    return damageOf(file);
  };
  /** In a file with these pages behind its headers; its last pages, if any are missing, are said to be free. */
  const damageInTree = (pages: readonly Buffer[], missing: number, fields: Partial<MetaFields> = {}) => {
    const header = meta({ mainRoot: 2n, lastPage: BigInt(1 + pages.length + missing), ...fields });
    return damageIn(header, header, ...pages);
  };

  it('is none if there is no file, or an empty one', () => {
    expect(damageOf(join(directory, 'absent'))).to.equal(undefined);
    expect(damageIn()).to.equal(undefined);
  });

  it('is that it is not a file', () => {
    expect(damageOf('/dev/null')).to.equal('it is not a file');
  });

  it('is not what the system refuses', () => {
    expect(() => damageOf(directory)).to.throw('EISDIR');
  });

  it('leaves the file closed', () => {
    const before = openFiles();
    expect(damageIn(meta(), meta())).to.equal(undefined);
    expect(damageIn(Buffer.from('x'))).to.equal(NOT_OURS);
    expect(openFiles()).to.equal(before);
  });

  describe('in its headers', () => {
    it('is none in new ones', () => {
      expect(damageIn(meta(), meta())).to.equal(undefined);
    });

    it('shows if they are cut off: each is 160 bytes', () => {
      expect(damageIn(meta().subarray(0, 159))).to.equal(NOT_OURS);
      expect(damageIn(meta().subarray(0, 160))).to.equal(TRUNCATED);
      expect(damageIn(meta(), meta().subarray(0, 159))).to.equal(TRUNCATED);
      expect(damageIn(meta(), meta().subarray(0, 160))).to.equal(undefined);
    });

    for (const [field, value] of [
      ['flags', 0x04],
      ['flags', 0x0a],
      ['magic', 0xbeefc0df],
      ['version', 1],
    ] as const)
      it(`shows by the ${field} ${value}`, () => {
        expect(damageIn(meta({ [field]: value }), meta())).to.equal(NOT_OURS);
        expect(damageIn(meta(), meta({ [field]: value }))).to.equal('it is corrupt: its second header');
      });

    const sound: readonly Partial<MetaFields>[] = [{ flags: 0x18 }, { pageSize: 65536 }, { lastPage: 2n ** 40n - 1n }];
    for (const fields of sound)
      it(`is none if they say ${show(fields)}`, () => {
        expect(damageIn(meta(fields), meta(fields))).to.equal(undefined);
      });

    const senseless: readonly Partial<MetaFields>[] = [
      { pageSize: 256 },
      { pageSize: 131072 },
      { pageSize: 3000 },
      { lastPage: 0n },
      { lastPage: 2n ** 40n },
      { freeRoot: 0n },
      { mainRoot: 1n },
      { mainRoot: 2n },
      { mainRoot: 2n, lastPage: 3n, freeRoot: 4n },
      { mainRoot: NO_ROOT - 1n },
    ];
    for (const fields of senseless)
      it(`shows if they say ${show(fields)}`, () => {
        expect(damageIn(meta(fields), meta(fields))).to.equal(SENSELESS);
        expect(damageIn(meta(), meta(fields))).to.equal(SENSELESS);
      });

    it('shows if they do not agree on the size of a page', () => {
      expect(damageIn(meta(), meta({ pageSize: 1024 }))).to.equal('it is corrupt: its two headers do not agree');
    });

    it('is looked for in the newer one; of two equally new, in the first', () => {
      const good = { lastPage: 2n, mainRoot: 2n };
      const bad = { lastPage: 3n, mainRoot: 3n };
      const pages = [leaf(2), leaf(9)];
      expect(damageIn(meta({ ...good, transaction: 2n }), meta(bad), ...pages)).to.equal(undefined);
      expect(damageIn(meta({ ...bad, transaction: 2n }), meta(good), ...pages)).to.equal('it is corrupt: page 3');
      expect(damageIn(meta(good), meta({ ...bad, transaction: 2n }), ...pages)).to.equal('it is corrupt: page 3');
      expect(damageIn(meta(good), meta(bad), ...pages)).to.equal(undefined);
      expect(damageIn(meta(bad), meta(good), ...pages)).to.equal('it is corrupt: page 3');
    });
  });

  describe('in its roots', () => {
    it('is none if they are pages of a tree', () => {
      expect(damageInTree([leaf(2, small('k', 'v')), branch(3, 2)], 0, { freeRoot: 3n })).to.equal(undefined);
    });

    it('shows in either one', () => {
      expect(damageInTree([leaf(2), leaf(9)], 0, { freeRoot: 3n })).to.equal('it is corrupt: page 3');
      expect(damageInTree([leaf(9), leaf(3)], 0, { freeRoot: 3n })).to.equal('it is corrupt: page 2');
    });

    it('shows if one is no page of a tree', () => {
      const overflow = leaf(2);
      overflow.writeUInt16LE(0x04, 18);
      expect(damageInTree([overflow], 0)).to.equal('it is corrupt: page 2');
      overflow.writeUInt16LE(0x06, 18);
      expect(damageInTree([overflow], 0)).to.equal('it is corrupt: page 2');
    });

    it('shows if one is behind the end of the file', () => {
      expect(damageInTree([], 1)).to.equal(TRUNCATED);
      expect(damageInTree([leaf(2).subarray(0, PAGE_BYTES - 1)], 0)).to.equal(TRUNCATED);
    });
  });

  it('is not looked for below the roots of a complete file: it would take as long as reading all of it', () => {
    expect(damageInTree([branch(2, 3), leaf(9)], 0)).to.equal(undefined);
  });

  describe('of a file that lacks its last pages, in all that hangs on its roots', () => {
    it('is none if those pages are free', () => {
      const pages = [branch(2, 3, 4), leaf(3, small('k', 'v'), small('')), leaf(4, big('key', 5, 2)), leaf(9), leaf(9)];
      expect(damageInTree(pages, 1)).to.equal(undefined);
    });

    it('shows if one of those pages is in a tree', () => {
      expect(damageInTree([branch(2, 3, 4), leaf(3)], 1)).to.equal(TRUNCATED);
      expect(damageInTree([branch(2, 4, 3), leaf(3)], 1)).to.equal(TRUNCATED);
    });

    it('shows if a page refers to one that the file never had', () => {
      const message = 'it is corrupt: it refers to a page that it does not have';
      expect(damageInTree([branch(2, 4)], 1)).to.equal(message);
      expect(damageInTree([branch(2, 2 ** 33)], 1)).to.equal(message);
    });

    it('shows if a page is not what it should be', () => {
      expect(damageInTree([branch(2, 3), leaf(9)], 1)).to.equal('it is corrupt: page 3');
    });

    it('shows if a big value ends behind the end of the file', () => {
      expect(damageInTree([leaf(2, big('key', 3, 1)), leaf(9)], 1)).to.equal(undefined);
      expect(damageInTree([leaf(2, big('key', 3, 2)), leaf(9)], 1)).to.equal(TRUNCATED);
      expect(damageInTree([leaf(2, small('k'), big('key', 4, 1)), leaf(9)], 1)).to.equal(TRUNCATED);
    });

    it('shows if the place of a big value is cut off', () => {
      const cut = big('key', 3, 1).subarray(0, -1);
      expect(damageInTree([leaf(2, cut), leaf(9)], 1)).to.equal('it is corrupt: a big value');
    });

    it('shows if a node lies outside of its page', () => {
      const page = leaf(2, small('k'));
      page.writeUInt16LE(PAGE_BYTES - 24 - 8, 24);
      expect(damageInTree([page], 1)).to.equal(undefined);
      page.writeUInt16LE(PAGE_BYTES - 24 - 7, 24);
      expect(damageInTree([page], 1)).to.equal('it is corrupt: page 2');
    });

    it('shows if a page has more nodes than room for their places', () => {
      const most = (PAGE_BYTES - 24) / 2;
      const page = leaf(2);
      page.writeUInt16LE(2 * most, 20);
      expect(damageInTree([page], 1)).to.equal(undefined);
      page.writeUInt16LE(2 * (most + 1), 20);
      expect(damageInTree([page], 1)).to.equal('it is corrupt: page 2');
    });

    it('is not looked for behind the last node of a page', () => {
      const page = leaf(2, small('k'));
      page.writeUInt16LE(0xffff, 26);
      expect(damageInTree([page], 1)).to.equal(undefined);
    });
  });
});

function show(fields: Partial<MetaFields>): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field} ${value}`)
    .join(', ');
}
