import { create } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';

const string = (name: string, number: number) => ({ name, number, type: Type.STRING, label: Label.OPTIONAL });

/** Describes google.rpc.ErrorInfo to reflection, so that grpcurl prints the reason of an error and not its bytes. */
export function errorInfoFile(): FileDescriptorProto {
  return create(FileDescriptorProtoSchema, {
    name: 'google/rpc/error_details.proto',
    package: 'google.rpc',
    syntax: 'proto3',
    messageType: [
      {
        name: 'ErrorInfo',
        field: [
          string('reason', 1),
          string('domain', 2),
          {
            name: 'metadata',
            number: 3,
            type: Type.MESSAGE,
            typeName: '.google.rpc.ErrorInfo.MetadataEntry',
            label: Label.REPEATED,
          },
        ],
        nestedType: [
          { name: 'MetadataEntry', field: [string('key', 1), string('value', 2)], options: { mapEntry: true } },
        ],
      },
    ],
  });
}
