/** A call as headers and bytes over plain HTTP/2, so that the framing of gRPC can be wrong. */
import { once } from 'node:events';
import type { ClientHttp2Session, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';

/** What came back: the HTTP status, the gRPC code and its message. */
export interface Answer {
  readonly http: number;
  readonly grpc: number;
  readonly message: string;
}

/** A message of gRPC, which may announce another length than it has. */
export function grpcMessage(
  message: Uint8Array,
  { compressed = false, announced = message.length }: { compressed?: boolean; announced?: number } = {},
): Buffer {
  const head = Buffer.of(Number(compressed), 0, 0, 0, 0);
  head.writeUInt32BE(announced, 1);
  return Buffer.concat([head, message]);
}

/** Sends these, and says no more unless told otherwise. Resolves when the stream is closed, or the server has said its last. */
export async function callOverHttp2(
  session: ClientHttp2Session,
  path: string,
  bytes: Uint8Array,
  { headers = {}, isEnded = true }: { headers?: OutgoingHttpHeaders; isEnded?: boolean } = {},
): Promise<Answer> {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  let answered: IncomingHttpHeaders = {};
  const take = (headers: IncomingHttpHeaders): void => void (answered = { ...answered, ...headers });
  // An error comes with the headers, and may come in trailers.
  stream.on('response', take).on('trailers', take).resume();
  if (isEnded) stream.end(bytes);
  else stream.write(bytes);
  await once(stream, isEnded ? 'close' : 'end');
  stream.close();
  const { ':status': http, 'grpc-status': grpc, 'grpc-message': message = '' } = answered;
  return { http: Number(http), grpc: Number(grpc), message: decodeURIComponent(String(message)) };
}
