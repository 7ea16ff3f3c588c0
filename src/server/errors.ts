/** One table from what can go wrong to what a client sees: a gRPC code, a reason, and the facts (`google.rpc.ErrorInfo`). */
import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { Any, ErrorInfo } from 'nice-grpc-error-details';
import { Status } from 'nice-grpc-error-details/lib/proto/google/rpc/status.js';
import { EngineError } from '../engine/engine.js';
import type { Refusal } from '../protocol/outcome.js';
import type { Reason } from '../../clients/typescript/gen/resonate_grpc/v1/refusal.js';

/** A name of the enum `Reason`, without its prefix. */
export type ReasonName = keyof typeof Reason extends infer N
  ? N extends `REASON_${infer Name}`
    ? Name
    : never
  : never;

const DOMAIN = 'resonate-grpc';

const CODE_OF_STATUS: Record<Refusal['status'], status> = {
  404: status.NOT_FOUND,
  409: status.ABORTED,
  422: status.FAILED_PRECONDITION,
  501: status.UNIMPLEMENTED,
};

const ENGINE_ERRORS: Record<EngineError['kind'], readonly [status, ReasonName]> = {
  overloaded: [status.RESOURCE_EXHAUSTED, 'OVERLOADED'],
  storage_full: [status.RESOURCE_EXHAUSTED, 'STORAGE_FULL'],
  draining: [status.UNAVAILABLE, 'DRAINING'],
  fault: [status.INTERNAL, 'FAULT'],
  cancelled: [status.CANCELLED, 'UNSPECIFIED'],
};

/** An error as a client sees it. */
export class RequestError extends Error {
  constructor(
    readonly code: status,
    readonly reason: ReasonName,
    message: string,
    /** The facts behind the reason, as the reason's comment in `refusal.proto` lists them. */
    readonly metadata: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** INVALID_ARGUMENT: names the field as it is on the wire, what is wrong with it, and the limit. */
export function invalid(field: string, problem: string): RequestError {
  return new RequestError(status.INVALID_ARGUMENT, 'INVALID_REQUEST', `${field}: ${problem}`, { field });
}

export function fromRefusal(refusal: Refusal): RequestError {
  return new RequestError(CODE_OF_STATUS[refusal.status], refusal.reason, refusal.message, {
    ...refusal.metadata,
    status: String(refusal.status),
  });
}

/** Every error becomes one that a client may see; the cause of a fault stays here. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof EngineError) {
    const [code, reason] = ENGINE_ERRORS[error.kind];
    return new RequestError(code, reason, error.message);
  }
  return new RequestError(status.INTERNAL, 'FAULT', 'a fault in the server; its cause is in the server log');
}

/** The status of a call, with `google.rpc.Status` in its trailers. */
export function toStatus({ code, reason, message, metadata }: RequestError): StatusObject {
  const info = ErrorInfo.encode({ $type: 'google.rpc.ErrorInfo', reason, domain: DOMAIN, metadata: { ...metadata } });
  const details = [Any.fromPartial({ typeUrl: 'type.googleapis.com/google.rpc.ErrorInfo', value: info.finish() })];
  const trailers = new Metadata();
  trailers.set(
    'grpc-status-details-bin',
    Buffer.from(Status.encode(Status.fromPartial({ code, message, details })).finish()),
  );
  return { code, details: message, metadata: trailers };
}

/** The same as an error, for the callbacks and streams of grpc-js. */
export function toServiceError(error: RequestError): ServiceError {
  return Object.assign(new Error(error.message), toStatus(error));
}
