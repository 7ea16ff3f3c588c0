import { readFileSync } from 'node:fs';
import { createFileRegistry, fromBinary, type DescMessage } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type FileDescriptorSet } from '@bufbuild/protobuf/wkt';

/** What buf compiled from `proto/`. */
const COMPILED = new URL('../../resonate_grpc.binpb', import.meta.url);

/** The files of `proto/`, as descriptors. */
export const FILES: FileDescriptorSet = fromBinary(FileDescriptorSetSchema, readFileSync(COMPILED));

const registry = createFileRegistry(FILES);

/** What the method at this path, such as `/package.Service/Method`, is asked with. */
export function inputOf(path: string): DescMessage {
  const [, service = '', method = ''] = path.split('/');
  const found = registry.getService(service)?.methods.find(({ name }) => name === method);
  if (found === undefined) throw new Error(`proto/ has no method ${path}`);
  return found.input;
}
