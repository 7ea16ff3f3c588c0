/** The floor: a grpc-js server that does nothing. A process of its own; prints its port. */
import { Server, ServerCredentials, type handleUnaryCall } from '@grpc/grpc-js';

const identity = (bytes: Buffer): Buffer => bytes;
const NOTHING = Buffer.alloc(0);
const empty: handleUnaryCall<Buffer, Buffer> = (_call, callback) => callback(null, NOTHING);

const server = new Server({ 'grpc.enable_channelz': 0 });
server.addService(
  {
    empty: {
      path: '/bare.Service/Empty',
      requestStream: false,
      responseStream: false,
      requestSerialize: identity,
      requestDeserialize: identity,
      responseSerialize: identity,
      responseDeserialize: identity,
    },
  },
  { empty },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${port}\n`);
});
