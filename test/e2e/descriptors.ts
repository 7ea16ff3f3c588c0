/** What the proto files say the requests consist of. */
import { readFileSync } from 'node:fs';
import { createFileRegistry, fromBinary, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const COMPILED = new URL('../../resonate_grpc.binpb', import.meta.url);

/** All that `proto/` says. */
export const REGISTRY = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(COMPILED)));

/**
 * Every field that the requests of the services can carry, such as `taskHeartbeat tasks[].version`. A message that must be
 * there is itself among them, a oneof under its own name. A pipeline carries the requests of the others.
 */
export function fieldsOfRequests(): string[] {
  const fields = new Set<string>();
  for (const type of REGISTRY) {
    if (type.kind !== 'service' || !type.typeName.startsWith('resonate_grpc.v1.')) continue;
    for (const { localName, input, methodKind } of type.methods) {
      if (methodKind === 'bidi_streaming') continue;
      for (const path of pathsOf(input)) fields.add(`${localName} ${path}`);
    }
  }
  return [...fields];
}

function pathsOf(message: DescMessage): string[] {
  return message.fields.flatMap((field) => {
    const name = field.fieldKind === 'list' ? `${field.name}[]` : field.name;
    if (field.message === undefined || field.fieldKind === 'map') return [name];
    const within = pathsOf(field.message).map((path) => `${name}.${path}`);
    return isRequired(field) ? [field.oneof?.name ?? name, ...within] : within;
  });
}

/** An absent value is an empty one; an entry of a list is there or is not. */
function isRequired(field: DescField): boolean {
  return field.fieldKind === 'message' && field.message.name !== 'Value';
}
