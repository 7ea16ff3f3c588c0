/** Calls by the generated definitions, as they are: nothing is retried, nothing is repaired. */
import { Client, credentials, type ClientReadableStream } from '@grpc/grpc-js';
import {
  DebugServiceService,
  type DebugSnapshotResponse,
} from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import {
  DispatchServiceService,
  type DispatchRequest,
  type DispatchResponse,
} from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import type { PromiseSpec } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';

/** A method of a generated service. */
interface Method<Request, Response> {
  readonly path: string;
  readonly requestSerialize: (request: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

/** One connection to a server. */
export class Stubs {
  readonly #client: Client;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
      'grpc.enable_channelz': 0,
      // Without this, channels to the same address share a connection.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /** Calls once. Rejects with the `ServiceError`. */
  call<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response> {
    const { path, requestSerialize, responseDeserialize } = method;
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, response) => {
        if (error === null) resolve(response as Response);
        else reject(error);
      });
    });
  }

  /** Opens a Dispatch stream. */
  dispatch(request: DispatchRequest): ClientReadableStream<DispatchResponse> {
    const { path, requestSerialize, responseDeserialize } = DispatchServiceService.dispatch;
    return this.#client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request);
  }

  /** All state, of a server with --debug. */
  snapshot(): Promise<DebugSnapshotResponse> {
    return this.call(DebugServiceService.debugSnapshot, {});
  }

  /** Closes the connection. Calls that are under way fail. */
  close(): void {
    this.#client.close();
  }
}

/** An hour from now. */
export function inAnHour(): number {
  return Date.now() + 3_600_000;
}

/** A promise with a task for this address, or without one. */
export function promiseSpec(id: string, target?: string): PromiseSpec {
  const tags = new Map(target === undefined ? [] : [['resonate:target', target]]);
  return { id, timeoutAtMs: inAnHour(), param: undefined, tags };
}
