import { readFileSync } from 'node:fs';
import { createFileRegistry, fromBinary, type DescMessage, type DescMethod } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, type FileDescriptorSet } from '@bufbuild/protobuf/wkt';

/** What buf compiled from `proto/`. */
const COMPILED = new URL('../../resonate_grpc.binpb', import.meta.url);

/** The files of `proto/`, as descriptors. */
export const FILES: FileDescriptorSet = fromBinary(FileDescriptorSetSchema, readFileSync(COMPILED));

const registry = createFileRegistry(FILES);

/** The method at this path, such as `/package.Service/Method`. */
export function methodAt(path: string): DescMethod {
  const [, service = '', method = ''] = path.split('/');
  const found = registry.getService(service)?.methods.find(({ name }) => name === method);
  if (found === undefined) throw new Error(`proto/ has no method ${path}`);
  return found;
}

/** The message of this name, with its package. */
export function messageNamed(name: string): DescMessage {
  const found = registry.getMessage(name);
  if (found === undefined) throw new Error(`proto/ has no message ${name}`);
  return found;
}
