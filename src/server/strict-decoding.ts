/**
 * Strict decoding. The default reader turns invalid UTF-8 into U+FFFD, so that two ids become one, and throws on a
 * number over 2^53 - 1 without saying where. This one puts a marker into the field, which the door then refuses by name.
 */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { methodAt } from './descriptors.js';
import { invalid, type RequestError } from './errors.js';
import { malformedPart, shapeOf } from './malformed.js';

/** Stands for text that is not UTF-8: a lone surrogate, which no UTF-8 decodes to. */
const NOT_UTF8 = '\ud800';
/** Stands for a number beyond ±(2^53 - 1); becomes a NaN. */
const NOT_SAFE = 'NaN';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return NOT_UTF8;
  }
}

class StrictReader extends BinaryReader {
  override int64(): bigint | string {
    const value = super.int64();
    const safe = Number.isSafeInteger(Number(value));
    return safe ? value : NOT_SAFE;
  }
}

/** A request that was decoded, or the reason why it could not be. Decoding never throws out of a handler. */
export type Decoded<T> = { readonly message: T } | { readonly error: RequestError };

/** A service definition whose handlers get `Decoded` requests. */
export function decodeStrictly(service: ServiceDefinition, maxRequestBytes: number): ServiceDefinition {
  const methods = Object.entries(service).map(([name, method]) => {
    // A stream of requests is taken apart by its handler.
    if (method.requestStream) return [name, method];
    const shape = shapeOf(methodAt(method.path).input);
    // The generated deserialiser hands whatever it gets to `decode`, which takes a reader too.
    const decode = method.requestDeserialize as unknown as (reader: BinaryReader) => unknown;
    const requestDeserialize = (bytes: Buffer): Decoded<unknown> => {
      if (bytes.length > maxRequestBytes) {
        return { error: invalid('request', `${bytes.length} bytes; the limit is ${maxRequestBytes}`) };
      }
      const malformed = malformedPart(bytes, shape);
      if (malformed === undefined) return { message: decode(new StrictReader(bytes, decodeUtf8)) };
      // What exactly is broken tells a caller nothing: no generated stub sends such bytes.
      return { error: invalid(malformed || 'request', 'not a protobuf message of this type') };
    };
    return [name, { ...method, requestDeserialize }];
  });
  return Object.fromEntries(methods) as ServiceDefinition;
}
