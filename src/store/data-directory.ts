import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from './store.js';

/** Creates the data directory if need be, and checks that it can be used. Throws a `StoreError` that names it. */
export function prepareDataDirectory(path: string): void {
  try {
    const created = mkdirSync(resolve(path), { recursive: true });
    // A directory that was created is on disk once its parents are.
    for (let made = resolve(path); created !== undefined && made.length >= created.length; made = dirname(made)) {
      syncDirectory(dirname(made));
    }
    if (!statSync(path).isDirectory()) throw new Error('it is not a directory');
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StoreError('unusable', `cannot use ${path} as the data directory: ${reasonOf(error)}`, { cause: error });
  }
}

/** Makes the entries of a directory durable. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** Why a system call failed, in a few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  switch ('code' in error ? error.code : undefined) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EROFS':
      return 'the file system is read-only';
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a file is in its place';
    case 'ENOSPC':
      return 'no room on the disk';
    default:
      return error.message;
  }
}
