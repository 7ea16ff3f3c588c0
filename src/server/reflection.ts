import { createRequire } from 'node:module';
import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { protoPath as healthProto } from 'grpc-health-check';
import { FILES } from './descriptors.js';
import { errorInfoFile } from './error-info-descriptor.js';

type PackageDefinition = ConstructorParameters<typeof ReflectionService>[0];

const DEBUG_PACKAGE = 'resonate_grpc.debug.v1';
const REFLECTION_PROTOS = ['v1', 'v1alpha'].map((version) =>
  createRequire(import.meta.url).resolve(`@grpc/reflection/build/proto/grpc/reflection/${version}/reflection.proto`),
);

/** Server reflection v1 and v1alpha, of all that this server serves: grpcurl then needs no files. */
export function reflectionService({ debug }: { readonly debug: boolean }): ReflectionService {
  const files = FILES.file.filter((file) => debug || file.package !== DEBUG_PACKAGE);
  const libraries = [healthProto, ...REFLECTION_PROTOS].map((path) => loadSync(path));
  const own: PackageDefinition = { own: definition([...files, errorInfoFile()]) };
  return new ReflectionService(Object.assign(own, ...libraries) as PackageDefinition);
}

/** The library reads nothing but the descriptors of a package definition. */
function definition(files: readonly FileDescriptorProto[]): PackageDefinition[string] {
  const fileDescriptorProtos = files.map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  return { fileDescriptorProtos } as unknown as PackageDefinition[string];
}
