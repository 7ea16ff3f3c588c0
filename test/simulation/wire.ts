/** The model's requests as messages of the wire, and through the server's door. */
import { PromiseState, SettleState } from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import type * as promiseWire from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import { TaskState } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import type { Value } from '../../clients/typescript/gen/resonate_grpc/v1/value.js';
import type { Operation, OperationName, RequestOf } from '../../src/protocol/operations.js';
import * as door from '../../src/server/door.js';
import type { Request } from '../model/operations.js';
import type { PromiseCreate, PromiseSettle } from '../model/promises.js';
import type * as model from '../model/state.js';

/** The request as the protocol gets it. Throws what the door throws. */
export function throughTheDoor(operation: Request): Operation {
  const { name } = operation;
  return { name, request: admit(operation) as RequestOf<OperationName> };
}

function admit({ name, request }: Request): unknown {
  switch (name) {
    case 'promise.get':
      return door.promiseGet(request);
    case 'promise.create':
      return door.promiseCreate({ promise: promiseSpec(request) });
    case 'promise.settle':
      return door.promiseSettle({ settlement: settlement(request) });
    case 'promise.register_callback':
      return door.promiseRegisterCallback({ awaitedId: request.awaited, awaiterId: request.awaiter });
    case 'promise.register_listener':
      return door.promiseRegisterListener({ awaitedId: request.awaited, address: request.address });
    case 'promise.search':
      return door.promiseSearch({ tags: new Map(), state: PromiseState.PROMISE_STATE_PENDING });
    case 'task.get':
      return door.taskGet(request);
    case 'task.create':
      return door.taskCreate({ pid: request.pid, ttlMs: request.ttl, promise: promiseSpec(request.action) });
    case 'task.acquire':
      return door.taskAcquire({ ...ref(request), pid: request.pid, ttlMs: request.ttl });
    case 'task.fence': {
      const { action } = request;
      return door.taskFence({
        ...ref(request),
        action:
          action.kind === 'create'
            ? { $case: 'create', value: promiseSpec(action.promise) }
            : { $case: 'settle', value: settlement(action.promise) },
      });
    }
    case 'task.heartbeat':
      return door.taskHeartbeat({ pid: request.pid, tasks: request.tasks.map(ref) });
    case 'task.suspend':
      return door.taskSuspend({ ...ref(request), awaitedIds: [...request.awaited] });
    case 'task.fulfill':
      return door.taskFulfill({ ...ref(request), state: settleState(request.state), value: value(request.value) });
    case 'task.release':
      return door.taskRelease(ref(request));
    case 'task.halt':
      return door.taskHalt(request);
    case 'task.continue':
      return door.taskContinue(request);
    case 'task.search':
      return door.taskSearch({ state: TaskState.TASK_STATE_PENDING });
    case 'schedule.get':
      return door.scheduleGet(request);
    case 'schedule.create':
      return door.scheduleCreate({
        schedule: {
          id: request.id,
          cron: request.cron,
          promiseId: request.promiseId,
          promiseTimeoutMs: request.promiseTimeout,
          promiseParam: value(request.promiseParam),
          promiseTags: new Map(request.promiseTags),
        },
      });
    case 'schedule.delete':
      return door.scheduleDelete(request);
    case 'schedule.search':
      return door.scheduleSearch({});
  }
}

export function ref({ id, version }: { readonly id: string; readonly version: number }) {
  return { id, version };
}

export function promiseSpec({ id, timeoutAt, param, tags }: PromiseCreate): promiseWire.PromiseSpec {
  return { id, timeoutAtMs: timeoutAt, param: value(param), tags: new Map(tags) };
}

export function settlement(request: PromiseSettle): promiseWire.PromiseSettlement {
  return { id: request.id, state: settleState(request.state), value: value(request.value) };
}

/** The wire cannot say the states that no client may settle with; what comes closest is a number that is none. */
export function settleState(state: model.PromiseState): SettleState {
  switch (state) {
    case 'resolved':
      return SettleState.SETTLE_STATE_RESOLVED;
    case 'rejected':
      return SettleState.SETTLE_STATE_REJECTED;
    case 'rejected_canceled':
      return SettleState.SETTLE_STATE_REJECTED_CANCELED;
    case 'pending':
      return SettleState.SETTLE_STATE_UNSPECIFIED;
    case 'rejected_timedout':
      return 4 as SettleState;
  }
}

export function value({ headers, data }: model.Value): Value {
  return { headers: new Map(headers), data: data === undefined ? undefined : new TextEncoder().encode(data) };
}
