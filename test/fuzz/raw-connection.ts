/** A connection whose HTTP/2 frames are written byte by byte, so that each of them can be wrong. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What a client says first. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export const FrameType = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** Of DATA and HEADERS. */
export const END_STREAM = 1;
/** Of HEADERS and CONTINUATION. */
export const END_HEADERS = 4;
/** Of SETTINGS and PING. */
const ACK = 1;

/** A frame as it came. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

const FRAME_HEAD = 9;
const NO_PAYLOAD = Buffer.of();

/** A frame. Its length is the payload's. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = NO_PAYLOAD): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Headers in HPACK, each spelled out: no table, no Huffman code. */
export function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [Buffer.of(0), hpackText(name), hpackText(value)]),
  );
}

function hpackText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const length: number[] = [];
  if (bytes.length < 127) length.push(bytes.length);
  else {
    length.push(127);
    let rest = bytes.length - 127;
    for (; rest >= 128; rest >>>= 7) length.push((rest & 127) | 128);
    length.push(rest);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

/** The headers of a call. */
export function callHeaders(path: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': 'localhost',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...more,
  };
}

export class RawConnection {
  readonly socket: Socket;
  /** What came so far. */
  readonly frames: Frame[] = [];
  /** Resolves when the connection is closed, by whichever side. */
  readonly closed: Promise<void>;
  isClosed = false;
  #rest = NO_PAYLOAD;
  readonly #watchers = new Set<() => void>();

  private constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    // A server that has had enough cuts the connection.
    this.socket.on('error', () => {});
    this.socket.on('data', (bytes: Buffer) => this.#read(bytes));
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => {
        this.isClosed = true;
        this.#notify();
        resolve();
      });
    });
  }

  /** Connects, and says nothing. */
  static async connect(port: number): Promise<RawConnection> {
    const connection = new RawConnection(port);
    await once(connection.socket, 'connect');
    return connection;
  }

  /** Connects as a client should: with the preface and settings. */
  static async open(port: number): Promise<RawConnection> {
    const connection = await RawConnection.connect(port);
    await connection.write(PREFACE, frame(FrameType.SETTINGS, 0, 0), frame(FrameType.SETTINGS, ACK, 0));
    return connection;
  }

  /** Resolves when the socket has taken it, or is closed. */
  async write(...parts: readonly Uint8Array[]): Promise<void> {
    if (this.isClosed) return;
    const taken = new Promise<void>((resolve) => this.socket.write(Buffer.concat(parts), () => resolve()));
    await Promise.race([taken, this.closed]);
  }

  /** Begins a call. */
  request(stream: number, path: string, more: Readonly<Record<string, string>> = {}, flags = 0): Promise<void> {
    return this.write(frame(FrameType.HEADERS, END_HEADERS | flags, stream, headerBlock(callHeaders(path, more))));
  }

  /** Resolves with the frame of the connection that fits, now or later; with undefined if the connection closes before. */
  async until(fits: (frame: Frame) => boolean): Promise<Frame | undefined> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined || this.isClosed) return found;
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  destroy(): void {
    this.socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= FRAME_HEAD) {
      const end = FRAME_HEAD + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < end) break;
      this.frames.push({
        type: this.#rest.readUInt8(3),
        flags: this.#rest.readUInt8(4),
        stream: this.#rest.readUInt32BE(5) & 0x7fffffff,
        payload: this.#rest.subarray(FRAME_HEAD, end),
      });
      this.#rest = this.#rest.subarray(end);
    }
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#watchers) wake();
    this.#watchers.clear();
  }
}
