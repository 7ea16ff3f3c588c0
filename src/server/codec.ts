/** How messages become bytes and bytes become messages, in the place of what was generated for it. */
import type { ServiceDefinition } from '@grpc/grpc-js';
import * as debug from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import * as dispatch from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import * as promise from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import * as schedule from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import * as task from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { methodAt } from './descriptors.js';
import { decodeStrictly } from './strict-decoding.js';
import { WireWriter } from './wire-writer.js';

/** What is generated for a message. */
interface MessageFns {
  readonly encode: (message: unknown, writer: WireWriter) => unknown;
}

const MESSAGES = { ...promise, ...task, ...schedule, ...dispatch, ...debug } as unknown as Record<string, MessageFns>;

const writer = new WireWriter();

/**
 * A service definition whose handlers get `Decoded` requests, see `decodeStrictly`, and whose answers are written by
 * `WireWriter`. Streams of requests or responses are left alone: their handlers deal in frames.
 */
export function withCodec(service: ServiceDefinition, maxRequestBytes: number): ServiceDefinition {
  const methods = Object.entries(decodeStrictly(service, maxRequestBytes)).map(([name, method]) => {
    if (method.requestStream || method.responseStream) return [name, method];
    const { encode } = MESSAGES[methodAt(method.path).output.name]!;
    const responseSerialize = (response: unknown): Buffer => {
      writer.reset();
      encode(response, writer);
      return writer.finish();
    };
    return [name, { ...method, responseSerialize }];
  });
  return Object.fromEntries(methods) as ServiceDefinition;
}
