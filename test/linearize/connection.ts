/** One client: a connection of its own, requests and answers in the model's terms. */
import {
  Client,
  credentials,
  Metadata,
  status as Code,
  type CallOptions,
  type ClientUnaryCall,
  type ServiceError,
} from '@grpc/grpc-js';
import { fromServiceError } from '../../clients/typescript/errors.js';
import {
  PromiseServiceService as P,
  type PromiseRecord,
} from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { Reason, type Refusal } from '../../clients/typescript/gen/resonate_grpc/v1/refusal.js';
import {
  TaskServiceService as T,
  TaskState,
  type TaskFenceResponse,
  type TaskRecord,
  type TaskSuspendResponse,
} from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type { Request } from '../model/operations.js';
import type { Response } from '../model/response.js';
import type * as model from '../model/state.js';
import { promiseSpec, ref, settlement, settleState, value } from '../simulation/wire.js';
import { nameOf, promiseOf } from '../support/debug-state.js';

/** How to lose an answer: by a deadline or by cancelling, after so many ms. */
export interface Loss {
  readonly by: 'deadline' | 'cancel';
  readonly afterMs: number;
}

/** What came back: the answer and the `now` of its handler. Undefined: it was lost. */
export type Received = { readonly now: number; readonly response: Response } | undefined;

/** Of the RPC that carries a request. */
interface Exchange {
  readonly path: string;
  readonly bytes: Buffer;
  readonly read: (bytes: Buffer) => Response;
}

export class Connection {
  readonly #client: Client;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.enable_channelz': 0,
      // Without this, clients of the same address share a connection.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /** Calls once. Rejects if the answer is neither the protocol's nor lost by our own doing. */
  call(operation: Request, loss?: Loss): Promise<Received> {
    const { path, bytes, read } = exchangeOf(operation);
    const options: CallOptions = loss?.by === 'deadline' ? { deadline: Date.now() + loss.afterMs } : {};
    return new Promise((resolve, reject) => {
      let now: number | undefined;
      const settle = (error: ServiceError | null, response?: Response): void => {
        const answer = error === null ? response : refusalOf(error);
        if (answer !== undefined && now !== undefined) resolve({ now, response: answer });
        else if (loss !== undefined && isLost(error)) resolve(undefined);
        else reject(error ?? new Error(`${path} was answered without resonate-now-ms`));
      };
      const call: ClientUnaryCall = this.#client.makeUnaryRequest(
        path,
        (message: Buffer) => message,
        read,
        bytes,
        new Metadata(),
        options,
        settle,
      );
      call.on('metadata', (metadata) => {
        const [text] = metadata.get('resonate-now-ms');
        now = text === undefined ? undefined : Number(text);
      });
      if (loss?.by === 'cancel') setTimeout(() => call.cancel(), loss.afterMs);
    });
  }

  close(): void {
    this.#client.close();
  }
}

function isLost(error: ServiceError | null): boolean {
  return error?.code === Code.CANCELLED || error?.code === Code.DEADLINE_EXCEEDED;
}

function exchangeOf({ name, request }: Request): Exchange {
  switch (name) {
    case 'promise.get':
      return exchange(P.promiseGet, request, withPromise);
    case 'promise.create':
      return exchange(P.promiseCreate, { promise: promiseSpec(request) }, withPromise);
    case 'promise.settle':
      return exchange(P.promiseSettle, { settlement: settlement(request) }, withPromise);
    case 'promise.register_callback': {
      const { awaited: awaitedId, awaiter: awaiterId } = request;
      return exchange(P.promiseRegisterCallback, { awaitedId, awaiterId }, withPromise);
    }
    case 'promise.register_listener': {
      const { awaited: awaitedId, address } = request;
      return exchange(P.promiseRegisterListener, { awaitedId, address }, withPromise);
    }
    case 'task.get':
      return exchange(T.taskGet, request, withTask);
    case 'task.create': {
      const { pid, ttl: ttlMs, action } = request;
      return exchange(T.taskCreate, { pid, ttlMs, promise: promiseSpec(action) }, withBoth);
    }
    case 'task.acquire':
      return exchange(T.taskAcquire, { ...ref(request), pid: request.pid, ttlMs: request.ttl }, withBoth);
    case 'task.fence': {
      const { action } = request;
      const wireAction =
        action.kind === 'create'
          ? ({ $case: 'create', value: promiseSpec(action.promise) } as const)
          : ({ $case: 'settle', value: settlement(action.promise) } as const);
      return exchange(T.taskFence, { ...ref(request), action: wireAction }, withInner);
    }
    case 'task.heartbeat':
      return exchange(T.taskHeartbeat, { pid: request.pid, tasks: request.tasks.map(ref) }, ok);
    case 'task.suspend':
      return exchange(T.taskSuspend, { ...ref(request), awaitedIds: [...request.awaited] }, readyOrSuspended);
    case 'task.fulfill': {
      const outcome = { state: settleState(request.state), value: value(request.value) };
      return exchange(T.taskFulfill, { ...ref(request), ...outcome }, withPromise);
    }
    case 'task.release':
      return exchange(T.taskRelease, ref(request), ok);
    case 'task.halt':
      return exchange(T.taskHalt, request, ok);
    case 'task.continue':
      return exchange(T.taskContinue, request, ok);
    default:
      throw new Error(`${name} is not recorded`);
  }
}

function exchange<Message, Answer>(
  method: {
    readonly path: string;
    readonly requestSerialize: (message: Message) => Buffer;
    readonly responseDeserialize: (bytes: Buffer) => Answer;
  },
  message: Message,
  read: (answer: Answer) => Response,
): Exchange {
  return {
    path: method.path,
    bytes: method.requestSerialize(message),
    read: (bytes) => read(method.responseDeserialize(bytes)),
  };
}

const ok = (): Response => ({ status: 200 });

function withPromise({ promise }: { readonly promise: PromiseRecord | undefined }): Response {
  return { status: 200, promise: promiseRecord(promise!) };
}

function withTask({ task }: { readonly task: TaskRecord | undefined }): Response {
  return { status: 200, task: taskRecord(task!) };
}

function withBoth(answer: {
  readonly promise: PromiseRecord | undefined;
  readonly task: TaskRecord | undefined;
}): Response {
  return { ...withPromise(answer), ...withTask(answer) };
}

function withInner({ outcome }: TaskFenceResponse): Response {
  const inner = outcome?.$case === 'refusal' ? innerRefusal(outcome.value) : withPromise({ promise: outcome?.value });
  return { status: 200, inner };
}

function readyOrSuspended({ outcome }: TaskSuspendResponse): Response {
  return { status: outcome?.$case === 'ready' ? 300 : 200 };
}

/** The order of tags means nothing; the load makes them in the order of their names. */
function promiseRecord(record: PromiseRecord): model.PromiseRecord {
  const promise = promiseOf(record);
  return { ...promise, tags: promise.tags.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
}

function taskRecord({ id, state, version, resumes, ttlMs, pid }: TaskRecord): model.TaskRecord {
  return {
    id,
    state: nameOf(TaskState[state]) as model.TaskState,
    version,
    resumes,
    ...(ttlMs === undefined ? {} : { ttl: ttlMs }),
    ...(pid === undefined ? {} : { pid }),
  };
}

function innerRefusal({ reason, protocolStatus, metadata }: Refusal): Response {
  return {
    status: protocolStatus as Response['status'],
    reason: Reason[reason].replace(/^REASON_/, ''),
    metadata: Object.fromEntries(metadata),
  };
}

/** The protocol's refusal that an error carries, if it is one. */
function refusalOf(error: ServiceError): Response | undefined {
  const { status, reason, metadata } = fromServiceError(error);
  if (status === undefined || reason === undefined) return undefined;
  const { status: _, ...facts } = metadata;
  return { status: status as Response['status'], reason, metadata: facts };
}
