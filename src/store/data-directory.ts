import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreError } from './store.js';

const NOT_A_DIRECTORY = 'a file is in its place';

/** Creates the data directory if need be, and checks that it can be used. Throws a `StoreError` that names it. */
export function prepareDataDirectory(path: string): void {
  try {
    createDirectory(resolve(path));
    if (!statSync(path).isDirectory()) throw new Error(NOT_A_DIRECTORY);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StoreError('unusable', `cannot use ${path} as the data directory: ${reasonOf(error)}`, { cause: error });
  }
}

/** Level by level: Node's own recursive mkdir never returns where the system says that there is no such place, as in /proc. */
function createDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  createDirectory(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another starter may have been faster.
    if (!existsSync(path)) throw error;
  }
  syncDirectory(parent);
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
      return NOT_A_DIRECTORY;
    case 'ENOSPC':
      return 'no room on the disk';
    default:
      return error.message;
  }
}
