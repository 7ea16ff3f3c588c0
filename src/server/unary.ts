/** Calls of their own. */
import { Metadata, type handleUnaryCall, type ServerUnaryCall } from '@grpc/grpc-js';
import { EngineError } from '../engine/engine.js';
import type { Log } from '../engine/log.js';
import type { RequestError } from './errors.js';
import { toRequestError, toServiceError } from './errors.js';
import type { Caller, Method } from './method.js';
import type { Decoded } from './strict-decoding.js';

/** The response metadata that says which `now` the handler was given, in a debug server. */
const NOW = 'resonate-now-ms';

type Call = ServerUnaryCall<unknown, unknown>;

/** The handler of a method: whatever it throws becomes a status with details. */
export function unary<Request, Response>(
  log: Log,
  { handle }: Method<Request, Response>,
): handleUnaryCall<Request, Response> {
  const answer = async (decoded: Decoded<Request>, caller: UnaryCaller): Promise<Response> => {
    if ('error' in decoded) throw decoded.error;
    return handle(decoded.message, caller);
  };
  return (call, callback) => {
    const caller = new UnaryCaller(call);
    answer(call.request as Decoded<Request>, caller).then(
      (response) => {
        caller.tellNow();
        callback(null, response);
      },
      (error: unknown) => {
        caller.tellNow();
        callback(toServiceError(visible(log, error)));
      },
    );
  };
}

class UnaryCaller implements Caller {
  readonly #call: Call;
  readonly hasWritten = false;
  ranAt: number | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  get isGone(): boolean {
    return this.#call.cancelled;
  }

  onGone(listener: () => void): void {
    this.#call.on('cancelled', listener);
  }

  /** Before the answer. */
  tellNow(): void {
    if (this.ranAt === undefined) return;
    const metadata = new Metadata();
    metadata.set(NOW, String(this.ranAt));
    this.#call.sendMetadata(metadata);
  }
}

/** The error as the client sees it; what it must not see goes to the log. */
export function visible(log: Log, error: unknown): RequestError {
  const shown = toRequestError(error);
  // The engine has logged its own.
  if (shown !== error && !(error instanceof EngineError) && shown.reason === 'FAULT')
    log.error({ err: error }, 'a call failed');
  return shown;
}
