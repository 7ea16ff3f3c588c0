import { status as Code, type ServiceError } from '@grpc/grpc-js';
import { ErrorInfo } from 'nice-grpc-error-details/lib/proto/google/rpc/error_details.js';
import { Status } from 'nice-grpc-error-details/lib/proto/google/rpc/status.js';
import { Reason, type Refusal } from './gen/resonate_grpc/v1/refusal.js';

/** The gRPC status codes. */
export { Code };

/** The name of a value of the enum `Reason`, without its prefix. */
export type ReasonName = keyof typeof Reason extends infer Name
  ? Name extends `REASON_${infer Rest}`
    ? Rest
    : never
  : never;

const DOMAIN = 'resonate-grpc';
const ERROR_INFO = '/google.rpc.ErrorInfo';
/** What an error is made of. */
export interface ResonateErrorFields {
  readonly code: Code;
  readonly reason?: ReasonName | undefined;
  readonly status?: number | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Why a call failed: refused by the server, cut off by the network, past its deadline, or cancelled by its caller. */
export class ResonateError extends Error {
  override readonly name = 'ResonateError';
  /** The gRPC status code. */
  readonly code: Code;
  /** Why, for programs. Absent when the error is not from the server itself but from the network, a proxy or gRPC. */
  readonly reason: ReasonName | undefined;
  /** The protocol's number: 404, 409, 422 or 501. Absent when the protocol has none for it. */
  readonly status: number | undefined;
  /** The facts behind the reason, as `refusal.proto` lists them. */
  readonly metadata: Readonly<Record<string, string>>;

  constructor(message: string, fields: ResonateErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.code = fields.code;
    this.reason = fields.reason;
    this.status = fields.status;
    this.metadata = fields.metadata ?? {};
  }
}

/** The error that grpc-js reports, with the server's `ErrorInfo` unpacked. */
export function fromServiceError(error: ServiceError): ResonateError {
  const info = errorInfo(error);
  const status = Number(info?.metadata['status']);
  return new ResonateError(
    error.details || error.message,
    {
      code: error.code,
      reason: info?.reason as ReasonName | undefined,
      status: Number.isInteger(status) ? status : undefined,
      metadata: { ...info?.metadata },
    },
    { cause: error },
  );
}

/** The refusal of a pipelined call or within a fence, as the error that a call of its own would have met. */
export function fromRefusal(refusal: Refusal): ResonateError {
  return new ResonateError(refusal.message, {
    code: refusal.code,
    reason: Reason[refusal.reason]?.replace(/^REASON_/, '') as ReasonName | undefined,
    status: refusal.protocolStatus || undefined,
    metadata: Object.fromEntries(refusal.metadata),
  });
}

/** The call was cancelled by its own caller. */
export function cancelled(signal: AbortSignal): ResonateError {
  return new ResonateError('cancelled by the caller', { code: Code.CANCELLED }, { cause: signal.reason });
}

/**
 * The server or the network is in trouble, and the call may do better later. Whether it has already taken effect is open,
 * unless `isRefusedUnwritten`.
 */
export function isTransient(error: unknown): error is ResonateError {
  if (!(error instanceof ResonateError)) return false;
  switch (error.code) {
    case Code.UNAVAILABLE:
    case Code.DEADLINE_EXCEEDED:
      return true;
    case Code.RESOURCE_EXHAUSTED:
      return error.reason === 'OVERLOADED' || error.reason === 'STORAGE_FULL';
    case Code.CANCELLED:
    case Code.INTERNAL:
    case Code.UNKNOWN:
      // Without a reason it is not from our server: a stream that was reset on the way.
      return error.reason === undefined;
    default:
      return false;
  }
}

/**
 * The refusal says that `pid` holds the task under `version`: an earlier answer to that holder was lost, and it goes on.
 * Versions are text in metadata.
 */
export function showsHolder(error: ResonateError, pid: string, version: number): boolean {
  return (
    error.code === Code.ABORTED &&
    error.metadata['task_pid'] === pid &&
    error.metadata['task_version'] === String(version)
  );
}

function errorInfo(error: ServiceError): ErrorInfo | undefined {
  const [packed] = error.metadata?.get('grpc-status-details-bin') ?? [];
  if (!(packed instanceof Uint8Array)) return undefined;
  try {
    const detail = Status.decode(packed).details.find(({ typeUrl }) => typeUrl.endsWith(ERROR_INFO));
    const info = detail && ErrorInfo.decode(detail.value);
    return info?.domain === DOMAIN ? info : undefined;
  } catch {
    return undefined; // Whatever a proxy wrote there, the status itself still stands.
  }
}
