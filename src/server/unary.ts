import { Metadata, type handleUnaryCall, type ServerUnaryCall } from '@grpc/grpc-js';
import { EngineError, type Engine } from '../engine/engine.js';
import type { Log } from '../engine/log.js';
import type { OperationName, OutcomeOf, RequestOf } from '../protocol/operations.js';
import { isRefusal, type Refusal } from '../protocol/outcome.js';
import type { RequestError } from './errors.js';
import { fromRefusal, toRequestError, toServiceError } from './errors.js';
import type { Decoded } from './strict-decoding.js';

/** What the adapters of the services share. */
export interface ServiceContext {
  readonly engine: Engine;
  readonly log: Log;
  /** Whether each answer of an operation says which `now` its handler was given, see `DebugService`. */
  readonly debug: boolean;
}

/** The response metadata that says so. */
const NOW = 'resonate-now-ms';

type Call = ServerUnaryCall<unknown, unknown>;

/** A unary handler: whatever `handle` throws becomes a status with details. */
export function unary<Request, Response>(
  { log }: ServiceContext,
  handle: (request: Request, call: Call) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  const answer = async (decoded: Decoded<Request>, call: Call): Promise<Response> => {
    if ('error' in decoded) throw decoded.error;
    return handle(decoded.message, call);
  };
  return (call, callback) => {
    answer(call.request as Decoded<Request>, call).then(
      (response) => callback(null, response),
      (error: unknown) => callback(toServiceError(visible(log, error))),
    );
  };
}

/** The error as the client sees it; what it must not see goes to the log. */
export function visible(log: Log, error: unknown): RequestError {
  const shown = toRequestError(error);
  // The engine has logged its own.
  if (shown !== error && !(error instanceof EngineError) && shown.reason === 'FAULT')
    log.error({ err: error }, 'a call failed');
  return shown;
}

/** The outcomes of an operation that are not refusals. */
type AnswerOf<N extends OperationName> = Exclude<OutcomeOf<N>, Refusal>;

/** The adapter of one operation: door, engine, record. A refusal is an answer too. */
export function operation<N extends OperationName, Request, Response>(
  context: ServiceContext,
  name: N,
  door: (request: Request) => RequestOf<N>,
  respond: (answer: AnswerOf<N>) => Response,
): handleUnaryCall<Request, Response> {
  return unary(context, async (request: Request, call) => {
    const { engine, debug } = context;
    const operation = { name, request: door(request) };
    const metadata = new Metadata();
    const onRun = debug ? (now: number) => metadata.set(NOW, String(now)) : undefined;
    const outcome = await engine.submit(operation, { isCancelled: () => call.cancelled, onRun });
    if (debug) call.sendMetadata(metadata);
    if (isRefusal(outcome)) throw fromRefusal(outcome);
    return respond(outcome as AnswerOf<N>);
  });
}
