/**
 * Encodes messages: what the generated code writes to, in place of its own writer. That one begins each message with a small
 * buffer, grows it by copying, and takes numbers of 64 bits apart as BigInts, which costs more than the rest of an answer.
 */
import { BinaryWriter } from '@bufbuild/protobuf/wire';

const INITIAL_BYTES = 4 * 1024;
/** A larger buffer is not kept for the next message. */
const KEPT_BYTES = 256 * 1024;
/** Text up to this length is copied here: a call into the runtime costs more. */
const SHORT_TEXT = 48;
/** The most bytes of a varint. */
const VARINT_BYTES = 10;

/** One message at a time: `finish` gives it away, and the next one begins. The bytes are those of the library's writer. */
export class WireWriter extends BinaryWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #end = 0;
  #forks: number[] = [];

  /** Forgets what was written: a message that could not be finished leaves nothing in the next. */
  reset(): void {
    this.#end = 0;
    this.#forks = [];
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  override finish(): Buffer<ArrayBuffer> {
    const message = Buffer.allocUnsafe(this.#end);
    this.#bytes.copy(message, 0, 0, this.#end);
    this.reset();
    return message;
  }

  override fork(): this {
    this.#forks.push(this.#end);
    // Most nested messages are shorter than 128 bytes.
    this.#reserve(1);
    this.#end++;
    return this;
  }

  override join(): this {
    const start = this.#forks.pop();
    if (start === undefined) throw new Error('nothing to join');
    const length = this.#end - start - 1;
    const head = varintLength(length);
    if (head > 1) {
      this.#reserve(head);
      this.#bytes.copyWithin(start + head, start + 1, this.#end);
    }
    this.#end = start;
    this.uint32(length);
    this.#end += length;
    return this;
  }

  override raw(chunk: Uint8Array): this {
    this.#reserve(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
    return this;
  }

  override bytes(value: Uint8Array): this {
    this.uint32(value.length);
    return this.raw(value);
  }

  override bool(value: boolean): this {
    return this.uint32(value ? 1 : 0);
  }

  override uint32(value: number): this {
    this.#reserve(VARINT_BYTES);
    const bytes = this.#bytes;
    let at = this.#end;
    for (; value > 0x7f; value >>>= 7) bytes[at++] = (value & 0x7f) | 0x80;
    bytes[at++] = value;
    this.#end = at;
    return this;
  }

  /** From 0 up: none of our numbers is negative. */
  override int32(value: number): this {
    if (value < 0) throw new RangeError(`${value} is negative`);
    return this.uint32(value);
  }

  /** From 0 to 2^53 - 1, as all our numbers are. */
  override int64(value: string | number | bigint): this {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw new RangeError(`${value} is not a number from 0 to 2^53 - 1`);
    }
    this.#reserve(VARINT_BYTES);
    const bytes = this.#bytes;
    let at = this.#end;
    for (; value > 0x7fff_ffff; value = Math.floor(value / 0x80)) bytes[at++] = (value % 0x80) | 0x80;
    this.#end = at;
    return this.uint32(value);
  }

  override string(value: string): this {
    const { length } = value;
    if (length <= SHORT_TEXT && this.#ascii(value)) return this;
    const bytes = Buffer.byteLength(value);
    this.uint32(bytes);
    this.#reserve(bytes);
    this.#end += this.#bytes.write(value, this.#end);
    return this;
  }

  /** False, and nothing is written, if there is anything but ASCII. */
  #ascii(value: string): boolean {
    const { length } = value;
    this.#reserve(length + 1);
    const bytes = this.#bytes;
    let at = this.#end;
    bytes[at++] = length;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) return false;
      bytes[at++] = code;
    }
    this.#end = at;
    return true;
  }

  #reserve(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

function varintLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}
