/** Data files made by hand, in the format of LMDB, so that each of their fields can be wrong. */

/** The smallest that LMDB has. */
export const PAGE_BYTES = 512;
export const NO_ROOT = 2n ** 64n - 1n;

const HEADER_BYTES = 24;
const BRANCH = 0x01;
const LEAF = 0x02;
const META = 0x08;

export interface MetaFields {
  readonly flags: number;
  readonly magic: number;
  readonly version: number;
  readonly pageSize: number;
  readonly transaction: bigint;
  readonly lastPage: bigint;
  readonly freeRoot: bigint;
  readonly mainRoot: bigint;
}

/** A header page of the file. */
export function meta(fields: Partial<MetaFields> = {}): Buffer {
  const all: MetaFields = {
    flags: META,
    magic: 0xbeefc0de,
    version: 2,
    pageSize: PAGE_BYTES,
    transaction: 1n,
    lastPage: 1n,
    freeRoot: NO_ROOT,
    mainRoot: NO_ROOT,
    ...fields,
  };
  const page = Buffer.alloc(all.pageSize);
  page.writeUInt16LE(all.flags, 18);
  page.writeUInt32LE(all.magic, 24);
  page.writeUInt16LE(all.version, 28);
  page.writeUInt32LE(all.pageSize, 48);
  page.writeBigUInt64LE(all.freeRoot, 88);
  page.writeBigUInt64LE(all.mainRoot, 136);
  page.writeBigUInt64LE(all.lastPage, 144);
  page.writeBigUInt64LE(all.transaction, 152);
  return page;
}

/** A page of a tree. Its nodes fill it from its end, and none reaches beyond its own bytes. */
function treePage(number: number, flags: number, nodes: readonly Buffer[]): Buffer {
  const page = Buffer.alloc(PAGE_BYTES);
  page.writeBigUInt64LE(BigInt(number), 0);
  page.writeUInt16LE(flags, 18);
  page.writeUInt16LE(2 * nodes.length, 20);
  let end = PAGE_BYTES;
  for (const [i, node] of nodes.entries()) {
    end -= node.length;
    node.copy(page, end);
    page.writeUInt16LE(end - HEADER_BYTES, HEADER_BYTES + 2 * i);
  }
  return page;
}

export function leaf(number: number, ...nodes: Buffer[]): Buffer {
  return treePage(number, LEAF, nodes);
}

export function branch(number: number, ...children: number[]): Buffer {
  const nodes = children.map((child) => {
    const node = Buffer.alloc(8);
    node.writeUIntLE(child, 0, 6);
    return node;
  });
  return treePage(number, BRANCH, nodes);
}

/** A row whose value stands in its node. */
export function small(key: string, value = ''): Buffer {
  return row(0, key, Buffer.from(value));
}

/** A row whose value is on `count` pages of its own. */
export function big(key: string, first: number, count: number): Buffer {
  const place = Buffer.alloc(24);
  place.writeBigUInt64LE(BigInt(first), 0);
  place.writeBigUInt64LE(BigInt(count), 16);
  return row(0x01, key, place);
}

function row(flags: number, key: string, value: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(flags, 4);
  head.writeUInt16LE(key.length, 6);
  return Buffer.concat([head, Buffer.from(key), value]);
}
