/**
 * Every rpc that the server has of its own, from `proto/`, but Pipeline: its frames answer refusals as values, and are tested in
 * `e2e/pipeline.test.ts`; the requests in them are decoded by the code that decodes a call of its own.
 */
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { REGISTRY } from '../e2e/descriptors.js';

export interface Method {
  /** Such as `taskAcquire`. */
  readonly name: string;
  /** Such as `/resonate_grpc.v1.TaskService/TaskAcquire`. */
  readonly path: string;
  readonly input: DescMessage;
  readonly isStream: boolean;
  /** Whether it is of the debug service. */
  readonly isDebug: boolean;
}

export const METHODS: readonly Method[] = [...REGISTRY].flatMap((type) =>
  type.kind !== 'service'
    ? []
    : type.methods
        .filter(({ methodKind }) => methodKind !== 'bidi_streaming')
        .map(({ name, localName, input, methodKind }) => ({
          name: localName,
          path: `/${type.typeName}/${name}`,
          input,
          isStream: methodKind === 'server_streaming',
          isDebug: type.typeName.includes('.debug.'),
        })),
);

/** The message that a field holds. An entry of a map is one too, of a key and a value. */
export function messageOf(field: DescField): readonly DescField[] | undefined {
  if (field.fieldKind === 'map') return ENTRY;
  return field.message?.fields;
}

/** A map's entry has no descriptor of its own; each of ours has texts for key and value. */
const ENTRY = METHODS.find(({ name }) => name === 'promiseGet')!.input.fields.flatMap((text) => [
  { ...text, number: 1, name: 'key' },
  { ...text, number: 2, name: 'value' },
]) as readonly DescField[];
