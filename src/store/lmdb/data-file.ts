/**
 * Looks at a data file before LMDB does. LMDB trusts the file that it maps: a damaged one makes it read outside of the map,
 * and the process is gone without a word. This is the format of the LMDB that lmdb-js 3 is built with, on a little-endian
 * machine of 64 bits.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;

/** Every page begins with its number (8 bytes), a transaction (8), padding (2), flags (2), and the end of its key pointers (2). */
const PAGE_HEADER_BYTES = 24;
const PAGE_FLAGS_AT = 18;
const PAGE_LOWER_AT = 20;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const META = 0x08;
const KIND_MASK = BRANCH | LEAF | OVERFLOW | META;

/** A node is 4 half words, the last two its flags and the size of its key, then the key and the value. */
const NODE_HEADER_BYTES = 8;
const NODE_FLAGS_AT = 4;
const NODE_KEY_SIZE_AT = 6;
const BIG_VALUE = 0x01;

const META_BYTES = 160;
const NO_ROOT = 2n ** 64n - 1n;

interface Meta {
  readonly pageSize: number;
  readonly transaction: bigint;
  readonly lastPage: bigint;
  /** The roots of the tree of free pages and of the main tree. */
  readonly roots: readonly bigint[];
}

/** The file cannot be used; the message says what is wrong with it. */
class Damage extends Error {}

/** What is wrong with the data file, in a few words; undefined if nothing is, or if it is new. */
export function damageOf(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r+');
    const stat = fstatSync(file);
    if (!stat.isFile()) return 'it is not a file';
    if (stat.size > 0) inspect(file, stat.size);
    return undefined;
  } catch (error) {
    if (error instanceof Damage) return error.message;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function inspect(file: number, size: number): void {
  const first = readMeta(file, size, 0);
  const second = readMeta(file, size, first.pageSize);
  if (first.pageSize !== second.pageSize) throw new Damage('it is corrupt: its two headers do not agree');
  const meta = first.transaction >= second.transaction ? first : second;
  // The last pages may be free and never have been written. Only then is it a question whether the file is complete.
  const isShort = BigInt(size) < (meta.lastPage + 1n) * BigInt(meta.pageSize);
  for (const root of meta.roots) if (root !== NO_ROOT) inspectTree(file, size, meta, root, isShort);
}

function readMeta(file: number, size: number, at: number): Meta {
  const bytes = Buffer.alloc(META_BYTES);
  if (size < at + META_BYTES) {
    throw new Damage(at === 0 ? 'it was not written by this server' : 'it is truncated');
  }
  readSync(file, bytes, 0, META_BYTES, at);
  const meta: Meta = {
    pageSize: bytes.readUInt32LE(48),
    transaction: bytes.readBigUInt64LE(152),
    lastPage: bytes.readBigUInt64LE(144),
    roots: [bytes.readBigUInt64LE(88), bytes.readBigUInt64LE(136)],
  };
  const isOurs =
    (bytes.readUInt16LE(PAGE_FLAGS_AT) & KIND_MASK) === META &&
    bytes.readUInt32LE(PAGE_HEADER_BYTES) === MAGIC &&
    bytes.readUInt16LE(PAGE_HEADER_BYTES + 4) === DATA_VERSION;
  if (!isOurs) throw new Damage(at === 0 ? 'it was not written by this server' : 'it is corrupt: its second header');
  const { pageSize, lastPage, roots } = meta;
  const isSound =
    pageSize >= 512 &&
    pageSize <= 65536 &&
    (pageSize & (pageSize - 1)) === 0 &&
    lastPage >= 1n &&
    lastPage < 2n ** 40n &&
    roots.every((root) => root === NO_ROOT || (root > 1n && root <= lastPage));
  if (!isSound) throw new Damage('it is corrupt: its header makes no sense');
  return meta;
}

/** Checks the root page; if `whole`, every page that hangs on it. */
function inspectTree(file: number, size: number, meta: Meta, root: bigint, whole: boolean): void {
  const pages = [root];
  for (let page = pages.pop(); page !== undefined; page = pages.pop()) {
    const bytes = readPage(file, size, meta, page);
    if (!whole) return;
    const kind = bytes.readUInt16LE(PAGE_FLAGS_AT) & KIND_MASK;
    for (const node of nodesOf(bytes)) {
      if (kind === BRANCH) pages.push(BigInt(node.readUIntLE(0, NODE_KEY_SIZE_AT)));
      else if ((node.readUInt16LE(NODE_FLAGS_AT) & BIG_VALUE) !== 0) checkBigValue(size, meta, node);
    }
  }
}

function readPage(file: number, size: number, meta: Meta, page: bigint): Buffer {
  const bytes = Buffer.alloc(meta.pageSize);
  if (page > meta.lastPage) throw new Damage('it is corrupt: it refers to a page that it does not have');
  const at = Number(page) * meta.pageSize;
  if (at + meta.pageSize > size) throw new Damage('it is truncated');
  readSync(file, bytes, 0, meta.pageSize, at);
  const kind = bytes.readUInt16LE(PAGE_FLAGS_AT) & KIND_MASK;
  const isTreePage = bytes.readBigUInt64LE(0) === page && (kind === BRANCH || kind === LEAF);
  if (!isTreePage) throw new Damage(`it is corrupt: page ${page}`);
  return bytes;
}

function nodesOf(page: Buffer): Buffer[] {
  const count = page.readUInt16LE(PAGE_LOWER_AT) >> 1;
  const nodes: Buffer[] = [];
  for (let i = 0; i < count; i++) {
    const pointerAt = PAGE_HEADER_BYTES + 2 * i;
    const at = pointerAt + 2 <= page.length ? PAGE_HEADER_BYTES + page.readUInt16LE(pointerAt) : page.length;
    if (at + NODE_HEADER_BYTES > page.length) throw new Damage(`it is corrupt: page ${page.readBigUInt64LE(0)}`);
    nodes.push(page.subarray(at));
  }
  return nodes;
}

/** A big value is on pages of its own; its node holds their first number (8 bytes), a transaction (8) and their count (8). */
function checkBigValue(size: number, meta: Meta, node: Buffer): void {
  const at = NODE_HEADER_BYTES + node.readUInt16LE(NODE_KEY_SIZE_AT);
  if (at + 24 > node.length) throw new Damage('it is corrupt: a big value');
  const end = node.readBigUInt64LE(at) + node.readBigUInt64LE(at + 16);
  if (end * BigInt(meta.pageSize) > BigInt(size)) throw new Damage('it is truncated');
}
