import { closeSync, fstatSync, ftruncateSync, openSync, statfsSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { StoreError } from '../store.js';
import type { LookAtDisk } from './room.js';

const { ENOSPC, EDQUOT, EFBIG, EIO } = constants.errno;
const MDB_MAP_FULL = -30792;
const MDB_TXN_FULL = -30788;
const FULL: readonly number[] = [ENOSPC, EDQUOT, EFBIG, MDB_MAP_FULL, MDB_TXN_FULL];

/** More than LMDB writes at once. */
const LITTLE_ROOM_BYTES = 256 * 1024 ** 2;
const PROBE_BYTES = 1024 ** 2;

/** What LMDB has thrown, as a `StoreError`; undefined if the error is not LMDB's, whose code is a number. */
export function storeErrorOf(error: unknown, dataFile: string, look: LookAtDisk = statfsSync): StoreError | undefined {
  if (error instanceof StoreError) return error;
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'number') return undefined;
  const isFull = FULL.includes(code) || (code === EIO && hasNoRoom(dataFile, look));
  return isFull
    ? new StoreError('full', `no room to write ${dataFile}: ${error.message}`, { cause: error })
    : new StoreError('unusable', `${dataFile} has failed: ${error.message}`, { cause: error });
}

/**
 * LMDB reports a write that was cut short as EIO, whatever cut it. So: is there little room on the disk, or does a quota or a
 * limit of the file's size refuse more of it? The bytes behind the end of the file belong to no page.
 */
function hasNoRoom(dataFile: string, look: LookAtDisk): boolean {
  let file: number | undefined;
  try {
    const { bavail, bsize } = look(dataFile);
    if (bavail * bsize < LITTLE_ROOM_BYTES) return true;
    file = openSync(dataFile, 'r+');
    const { size } = fstatSync(file);
    const written = writeSync(file, Buffer.alloc(PROBE_BYTES), 0, PROBE_BYTES, size);
    ftruncateSync(file, size);
    return written < PROBE_BYTES;
  } catch (error) {
    const { errno = 0 } = error as NodeJS.ErrnoException;
    return FULL.includes(-errno);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
