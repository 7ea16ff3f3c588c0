/** A full disk is seen before LMDB meets it; what LMDB throws when it does meet one, or anything else. */
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeErrorOf } from '../../src/store/lmdb/errors.js';
import { Room, type LookAtDisk } from '../../src/store/lmdb/room.js';
import { StoreError } from '../../src/store/store.js';
import { openFiles } from '../support/open-files.js';
import { temporaryDirectory } from './lmdb-factory.js';

const KIB = 1024;
const MIB = 1024 ** 2;

/** A disk of this many KiB, of which so many are left. */
function disk(size: number, left: number): LookAtDisk {
  return () => ({ blocks: size, bavail: left, bsize: KIB });
}

describe('room on the disk', () => {
  const expectFull = (room: Room): void =>
    void expect(() => room.check())
      .to.throw(StoreError, 'hardly any room left on the disk of /data')
      .with.property('kind', 'full');

  for (const [title, size, least] of [
    ['32 MiB of a large disk', 100 * MIB, 32 * KIB],
    ['a tenth of a small one', 100 * KIB, 10 * KIB],
  ] as const)
    it(`is enough from ${title} on`, () => {
      new Room('/data', disk(size, least)).check();
      expectFull(new Room('/data', disk(size, least - 1)));
    });

  it('is looked at again once the last look is 20 ms old, and each time that there was too little', () => {
    let now = 100;
    let left = KIB * MIB;
    const asked: string[] = [];
    const look: LookAtDisk = (path) => {
      asked.push(path);
      return disk(KIB * MIB, left)(path);
    };
    const room = new Room('/data', look, () => now);
    room.check();
    left = 0;
    now = 119;
    room.check();
    expect(asked).to.deep.equal(['/data']);
    now = 120;
    expectFull(room);
    expectFull(room);
    left = KIB * MIB;
    room.check();
    expect(asked).to.have.length(4);
  });

  it('is not looked at each time, by the real clock', () => {
    let looks = 0;
    const room = new Room('/data', (path) => {
      looks += 1;
      return disk(KIB * MIB, KIB * MIB)(path);
    });
    for (let i = 0; i < 1000; i++) room.check();
    expect(looks).to.be.within(1, 999);
  });

  it('is that of the real disk', () => {
    new Room(tmpdir()).check();
    expect(() => new Room('/nowhere').check()).to.throw('ENOENT');
  });
});

describe('what LMDB throws', () => {
  const { EDQUOT, EFBIG, EINVAL, EIO, ENOSPC } = constants.errno;
  const plenty = disk(KIB * MIB, 256 * KIB);
  let directory: string;
  let file: string;

  const thrown = (code: unknown): Error => Object.assign(new Error('the cause'), { code });
  const kindOf = (code: unknown, dataFile = file, look = plenty): string | undefined =>
    storeErrorOf(thrown(code), dataFile, look)?.kind;

  beforeEach(() => {
    directory = temporaryDirectory();
    file = join(directory, 'data.mdb');
    writeFileSync(file, 'data');
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  for (const [name, code] of Object.entries({ ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL: -30792, MDB_TXN_FULL: -30788 }))
    it(`says that there is no room, by ${name}`, () => {
      const error = thrown(code);
      const { kind, message, cause } = storeErrorOf(error, file, plenty) as StoreError;
      expect({ kind, message, cause }).to.deep.equal({
        kind: 'full',
        message: `no room to write ${file}: the cause`,
        cause: error,
      });
    });

  it('makes the store unusable otherwise', () => {
    const error = thrown(EINVAL);
    const { kind, message, cause } = storeErrorOf(error, file, disk(MIB, 0)) as StoreError;
    expect({ kind, message, cause }).to.deep.equal({
      kind: 'unusable',
      message: `${file} has failed: the cause`,
      cause: error,
    });
  });

  it('is handed on as it is if it is a StoreError, and is not LMDB’s without a number for a code', () => {
    const error = new StoreError('full', 'full');
    expect(storeErrorOf(error, file)).to.equal(error);
    for (const other of [new Error('x'), thrown('ENOSPC'), { code: ENOSPC, message: 'x' }, 'text', undefined])
      expect(storeErrorOf(other, file)).to.equal(undefined);
  });

  describe('as EIO, which may be a write that was cut short, means no room', () => {
    it('if there is little room on the disk', () => {
      expect(kindOf(EIO, file, disk(KIB * MIB, 256 * KIB - 1))).to.equal('full');
    });

    it('if the system refuses more', () => {
      expect(kindOf(EIO, '/dev/full')).to.equal('full');
    });

    it('if the file may not grow, or not by much', () => {
      try {
        for (const more of [0, 1000]) {
          limitFiles(String(statSync(file).size + more));
          expect(kindOf(EIO), `${more} bytes more`).to.equal('full');
        }
      } finally {
        limitFiles('unlimited');
      }
      expect(readFileSync(file, 'utf8')).to.equal('data');
    });

    it('but not if the file can grow: it is as it was, and closed', () => {
      const before = openFiles();
      expect(kindOf(EIO)).to.equal('unusable');
      expect(kindOf(EIO, join(directory, 'absent'))).to.equal('unusable');
      expect(readFileSync(file, 'utf8')).to.equal('data');
      expect(openFiles()).to.deep.equal(before);
    });
  });
});

/** Of this process; `ulimit` for one that runs. */
function limitFiles(bytes: string): void {
  const { status, stderr } = spawnSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:`], { encoding: 'utf8' });
  expect(status, stderr).to.equal(0);
}
