/** A unary rpc, whichever way its calls come in: each as a call of its own (`unary.ts`), or many on a stream (`pipeline.ts`). */
import type { handleUnaryCall } from '@grpc/grpc-js';
import type { Engine } from '../engine/engine.js';
import type { Log } from '../engine/log.js';
import { isRead, type OperationName, type OutcomeOf, type RequestOf } from '../protocol/operations.js';
import { isRefusal, type Refusal } from '../protocol/outcome.js';
import { fromRefusal } from './errors.js';

/** The transport of one call. */
export interface Caller {
  /** Whether nobody waits for the answer any more: what has not run yet need not run. */
  readonly isGone: boolean;
  /** Calls back when nobody waits any more. */
  onGone(listener: () => void): void;
  /** Whether writes of the same caller are on their way, which its reads must not overtake. */
  readonly hasWritten: boolean;
  /** The `now` that the handler was given, for the answers of a debug server. */
  ranAt?: number | undefined;
}

/** One rpc: from the request to the response, both of the wire. Rejects with whatever `visible` turns into a status. */
export interface Method<Request, Response> {
  /** Whether it changes something. */
  readonly writes: boolean;
  readonly handle: (request: Request, caller: Caller) => Promise<Response>;
}

/** The unary rpcs of a generated service. */
export type MethodsOf<Server> = {
  readonly [
    Name in keyof Server as string extends Name
      ? never
      : Server[Name] extends handleUnaryCall<infer _Request, infer _Response>
        ? Name
        : never
  ]: Server[Name] extends handleUnaryCall<infer Request, infer Response> ? Method<Request, Response> : never;
};

/** What the adapters of the services share. */
export interface ServiceContext {
  readonly engine: Engine;
  readonly log: Log;
  /** Whether each answer of an operation says which `now` its handler was given, see `DebugService`. */
  readonly debug: boolean;
}

/** The outcomes of an operation that are not refusals. */
type AnswerOf<N extends OperationName> = Exclude<OutcomeOf<N>, Refusal>;

/** The adapter of one operation: door, engine, record. A refusal is an answer too. */
export function operation<N extends OperationName, Request, Response>(
  { engine, debug }: ServiceContext,
  name: N,
  door: (request: Request) => RequestOf<N>,
  respond: (answer: AnswerOf<N>) => Response,
): Method<Request, Response> {
  return {
    writes: !isRead(name),
    handle: async (request, caller) => {
      const outcome = await engine.submit(
        { name, request: door(request) },
        {
          isCancelled: () => caller.isGone,
          inTurn: caller.hasWritten,
          onRun: debug ? (now) => (caller.ranAt = now) : undefined,
        },
      );
      if (isRefusal(outcome)) throw fromRefusal(outcome);
      return respond(outcome as AnswerOf<N>);
    },
  };
}
