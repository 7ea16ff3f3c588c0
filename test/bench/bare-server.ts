/** The floor: a grpc-js server that does nothing. A process of its own; prints its port. */
import {
  Server,
  ServerCredentials,
  type handleBidiStreamingCall,
  type handleUnaryCall,
  type MethodDefinition,
} from '@grpc/grpc-js';

const identity = (bytes: Buffer): Buffer => bytes;
const NOTHING = Buffer.alloc(0);
const empty: handleUnaryCall<Buffer, Buffer> = (_call, callback) => callback(null, NOTHING);
const echo: handleBidiStreamingCall<Buffer, Buffer> = (call) => {
  call.on('data', (message: Buffer) => call.write(message));
  call.on('end', () => call.end());
};

function method(path: string, isStream: boolean): MethodDefinition<Buffer, Buffer> {
  return {
    path,
    requestStream: isStream,
    responseStream: isStream,
    requestSerialize: identity,
    requestDeserialize: identity,
    responseSerialize: identity,
    responseDeserialize: identity,
  };
}

const server = new Server({ 'grpc.enable_channelz': 0 });
server.addService(
  { empty: method('/bare.Service/Empty', false), echo: method('/bare.Service/Echo', true) },
  { empty, echo },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${port}\n`);
});
