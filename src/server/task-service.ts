import { TaskServiceService, type TaskServiceServer } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { isRefusal } from '../protocol/outcome.js';
import * as door from './door.js';
import { fromRefusal } from './errors.js';
import { operation, type MethodsOf, type ServiceContext } from './method.js';
import { promiseRecord, refusalRecord, taskRecord } from './records.js';
import type { Service } from './server.js';

const nothing = () => ({});

/** T-01 to T-11. */
export function taskService(context: ServiceContext): Service {
  const methods: MethodsOf<TaskServiceServer> = {
    taskGet: operation(context, 'task.get', door.taskGet, ({ task }) => ({ task: taskRecord(task) })),
    taskCreate: operation(context, 'task.create', door.taskCreate, ({ task, promise }) => ({
      task: taskRecord(task),
      promise: promiseRecord(promise),
    })),
    taskAcquire: operation(context, 'task.acquire', door.taskAcquire, ({ task, promise }) => ({
      task: taskRecord(task),
      promise: promiseRecord(promise),
    })),
    taskFence: operation(context, 'task.fence', door.taskFence, ({ outcome }) => ({
      outcome: isRefusal(outcome)
        ? { $case: 'refusal', value: refusalRecord(fromRefusal(outcome)) }
        : { $case: 'promise', value: promiseRecord(outcome.promise) },
    })),
    taskHeartbeat: operation(context, 'task.heartbeat', door.taskHeartbeat, nothing),
    taskSuspend: operation(context, 'task.suspend', door.taskSuspend, ({ status }) => ({
      outcome: status === 300 ? { $case: 'ready', value: {} } : { $case: 'suspended', value: {} },
    })),
    taskFulfill: operation(context, 'task.fulfill', door.taskFulfill, ({ promise }) => ({
      promise: promiseRecord(promise),
    })),
    taskRelease: operation(context, 'task.release', door.taskRelease, nothing),
    taskHalt: operation(context, 'task.halt', door.taskHalt, nothing),
    taskContinue: operation(context, 'task.continue', door.taskContinue, nothing),
    taskSearch: operation(context, 'task.search', door.taskSearch, (never: never) => never),
  };
  return { name: 'resonate_grpc.v1.TaskService', definition: TaskServiceService, methods };
}
