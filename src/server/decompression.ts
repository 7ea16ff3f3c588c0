/**
 * Compressed requests are decompressed one at a time, and not beyond the limit of a request. The library decompresses all that
 * have come at once, each to four times the limit: a thousand requests of 4 KB, all zeros, took 5 GB.
 */
import { gunzipSync, inflateSync } from 'node:zlib';
import type { ServerInterceptingCall, ServerInterceptor } from '@grpc/grpc-js';
import { invalid, toStatus } from './errors.js';

/** Flag and length of a message, as gRPC frames it. */
const HEAD_BYTES = 5;

const DECOMPRESSORS = new Map([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
]);

/** What the library has no public way to; a test watches that this one stays open. What it throws is the call's status. */
interface Decompressing {
  decompressMessage(framed: Buffer, encoding: string): Buffer | Promise<Buffer>;
}

/** Has each call decompress like this. */
export function boundedDecompression(maxRequestBytes: number): ServerInterceptor {
  return (_method, call) => {
    const internals = call as unknown as Decompressing;
    const byLibrary = internals.decompressMessage.bind(call);
    internals.decompressMessage = (framed, encoding) => {
      const decompress = DECOMPRESSORS.get(encoding);
      // Not compressed, or in a way that nobody knows.
      if (decompress === undefined) return byLibrary(framed, encoding);
      try {
        return decompress(framed.subarray(HEAD_BYTES), { maxOutputLength: maxRequestBytes });
      } catch (error) {
        const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
        const problem = isTooLarge ? `more than ${maxRequestBytes} bytes, which is the limit` : `not valid ${encoding}`;
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- the library takes a status
        throw toStatus(invalid('request', problem));
      }
    };
    return call as ServerInterceptingCall;
  };
}
