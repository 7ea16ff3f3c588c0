/** The floor below gRPC's library: node:http2 answering an empty gRPC call by hand. A process of its own; prints its port. */
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

const EMPTY_MESSAGE = Buffer.alloc(5);

const server = createServer();
server.on('stream', (stream) => {
  stream.resume();
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(EMPTY_MESSAGE);
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
