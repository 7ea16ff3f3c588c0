/**
 * One process per data directory. The owner listens on a Unix socket in it and tells its pid to whoever asks, so that a second
 * starter can say who is in the way. The socket of a process that died is found dead, and replaced. This gives the clear
 * message; that two owners never both write is for the store's owner key to see to.
 */
import { lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join, relative } from 'node:path';
import { prepareDataDirectory, reasonOf } from './data-directory.js';
import { StoreError } from './store.js';

export interface OwnerLock {
  /** Gives the directory free. */
  release(): Promise<void>;
}

/** How many bytes the path of a Unix socket may have: 108 less the final NUL, and 4 less on macOS. */
const MAX_SOCKET_PATH = process.platform === 'linux' ? 107 : 103;
/** How long an owner has to answer, in ms. One that is stopped is alive all the same. */
const ANSWER_TIMEOUT = 2000;
/** What connecting to the socket of a process that has died, or is about to, comes to. */
const DEAD: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET']);
/** Starters that race for a dead socket may have to look again. */
const ATTEMPTS = 5;

/** Becomes the owner of a data directory, which is created if need be. Rejects with a `StoreError` of one line if it cannot. */
export async function acquireOwnerLock(directory: string): Promise<OwnerLock> {
  prepareDataDirectory(directory);
  const path = socketPath(directory);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const server = await listen(path, directory);
    if (server !== undefined) return { release: () => close(server) };
    const owner = await askOwner(path);
    if (owner !== undefined) throw new StoreError('unusable', `data directory ${directory} is in use by ${owner}`);
    removeDeadSocket(path);
  }
  throw new StoreError('unusable', `data directory ${directory} is in use by another process that is starting`);
}

function socketPath(directory: string): string {
  const path = join(directory, 'owner.sock');
  const candidates = [path, relative(process.cwd(), path)];
  const fitting = candidates.find((candidate) => Buffer.byteLength(candidate) <= MAX_SOCKET_PATH);
  if (fitting !== undefined) return fitting;
  throw new StoreError(
    'unusable',
    `cannot lock data directory ${directory}: its path is too long for a socket, use one of at most ` +
      `${MAX_SOCKET_PATH - '/owner.sock'.length} bytes`,
  );
}

/** Undefined if something is at the path already. */
function listen(path: string, directory: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => {
      // Whoever asks may be gone before the answer.
      connection.on('error', () => connection.destroy());
      connection.end(String(process.pid));
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return resolve(undefined);
      reject(
        new StoreError('unusable', `cannot lock data directory ${directory}: ${reasonOf(error)}`, { cause: error }),
      );
    });
    server.listen(path, () => {
      // A lock alone keeps no process alive.
      server.unref();
      resolve(server);
    });
  });
}

/** Closing a server removes its socket. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Who owns the socket, in words; undefined if nobody listens on it. */
function askOwner(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const connection = connect(path).setEncoding('utf8').setTimeout(ANSWER_TIMEOUT);
    connection.on('data', (text) => (answer += String(text)));
    connection.on('end', () => resolve(/^\d+$/.test(answer) ? `process ${answer}` : 'another process'));
    connection.on('timeout', () => {
      connection.destroy();
      resolve('another process, which does not answer');
    });
    connection.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(DEAD.has(code) ? undefined : 'another process'),
    );
  });
}

function removeDeadSocket(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new StoreError('unusable', `cannot lock the data directory: ${path} is not a socket`);
  rmSync(path, { force: true });
}
