/**
 * The calls of a pipeline on the wire. Each is the request of a unary rpc behind a field number, and so is each answer: the bytes
 * within are those of a call of its own, and are decoded and encoded by the same code.
 */
import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { withCodec } from './codec.js';
import { messageNamed, methodAt } from './descriptors.js';
import { MAX_ENTRIES } from './door.js';
import { invalid } from './errors.js';
import type { Method } from './method.js';
import type { Service } from './server.js';
import type { Decoded } from './strict-decoding.js';
import { WireWriter } from './wire-writer.js';

/** A rpc as a pipeline calls it. */
export interface PipelineMethod {
  /** `PromiseWait`, for example. */
  readonly name: string;
  readonly method: Method<never, unknown>;
  readonly decode: (bytes: Buffer) => Decoded<never>;
  readonly encode: (response: unknown) => Buffer;
  /** The field of its answer. */
  readonly answerField: number;
}

/** A call that was read. */
export interface PipelineCall {
  readonly id: number;
  /** The field of its request, 0 if there is none. */
  readonly field: number;
  readonly request: Buffer;
}

/** `PipelineRequest.calls` and `PipelineResponse.answers`. */
const LIST_FIELD = 1;
/** `call_id`, in a call and in its answer. */
const ID_FIELD = 1;
/** `PipelineAnswer.refusal`. */
export const REFUSAL_FIELD = 2;

const NOTHING = Buffer.alloc(0);

/** The rpcs that a pipeline can call, by the field of their request. */
export function pipelineMethods(services: readonly Service[], maxRequestBytes: number): Map<number, PipelineMethod> {
  const call = messageNamed('resonate_grpc.v1.PipelineCall');
  const answer = messageNamed('resonate_grpc.v1.PipelineAnswer');
  const all = services.flatMap(({ definition, methods }) => {
    const adapted = withCodec(definition, maxRequestBytes);
    return Object.entries(methods).map(([key, method]): [number, PipelineMethod] => {
      const { path, requestDeserialize, responseSerialize } = adapted[key]!;
      const { name, input, output } = methodAt(path);
      const pipelined = {
        name,
        method,
        decode: requestDeserialize as (bytes: Buffer) => Decoded<never>,
        encode: responseSerialize,
        answerField: fieldOf(answer, output),
      };
      return [fieldOf(call, input), pipelined];
    });
  });
  return new Map(all);
}

function fieldOf(envelope: DescMessage, content: DescMessage): number {
  const field = envelope.fields.find(({ message }) => message === content);
  if (field === undefined) throw new Error(`${envelope.typeName} has no field for ${content.typeName}`);
  return field.number;
}

/** Takes a frame apart. Throws INVALID_ARGUMENT for bytes that are not a `PipelineRequest` or hold too many calls. */
export function readFrame(frame: Buffer): PipelineCall[] {
  const calls: PipelineCall[] = [];
  try {
    const reader = new BinaryReader(frame);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (field === LIST_FIELD && wireType === WireType.LengthDelimited) calls.push(readCall(reader.bytes() as Buffer));
      else reader.skip(wireType, field);
    }
  } catch {
    throw invalid('request', 'not a PipelineRequest');
  }
  if (calls.length > MAX_ENTRIES) throw invalid('calls', `${calls.length} entries; the limit is ${MAX_ENTRIES}`);
  return calls;
}

function readCall(bytes: Buffer): PipelineCall {
  const reader = new BinaryReader(bytes);
  let id = 0;
  let field = 0;
  let request: Buffer = NOTHING;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === ID_FIELD && wireType === WireType.Varint) {
      id = reader.uint32();
    } else if (wireType === WireType.LengthDelimited) {
      // The last one counts, as in any oneof.
      field = number;
      request = reader.bytes() as Buffer;
    } else {
      reader.skip(wireType, number);
    }
  }
  return { id, field, request };
}

/** Answers, on their way into a frame. */
export class FrameWriter {
  readonly #writer = new WireWriter();
  #bytes = 0;

  /** How many bytes it holds, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  add(id: number, field: number, answer: Uint8Array): void {
    this.#writer.tag(LIST_FIELD, WireType.LengthDelimited).fork();
    this.#writer.tag(ID_FIELD, WireType.Varint).uint32(id);
    this.#writer.tag(field, WireType.LengthDelimited).bytes(answer).join();
    this.#bytes += answer.length + ANSWER_HEAD_BYTES;
  }

  /** The frame, and an empty one begins. */
  finish(): Buffer {
    this.#bytes = 0;
    return this.#writer.finish();
  }
}

const ANSWER_HEAD_BYTES = 16;
