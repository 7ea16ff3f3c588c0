import {
  ScheduleServiceService,
  type ScheduleServiceServer,
} from '../../clients/typescript/gen/resonate_grpc/v1/schedule.js';
import * as door from './door.js';
import { operation, type MethodsOf, type ServiceContext } from './method.js';
import { scheduleRecord } from './records.js';
import type { Service } from './server.js';

/** S-01 to S-04. */
export function scheduleService(context: ServiceContext): Service {
  const methods: MethodsOf<ScheduleServiceServer> = {
    scheduleGet: operation(context, 'schedule.get', door.scheduleGet, ({ schedule }) => ({
      schedule: scheduleRecord(schedule),
    })),
    scheduleCreate: operation(context, 'schedule.create', door.scheduleCreate, ({ schedule }) => ({
      schedule: scheduleRecord(schedule),
    })),
    scheduleDelete: operation(context, 'schedule.delete', door.scheduleDelete, () => ({})),
    scheduleSearch: operation(context, 'schedule.search', door.scheduleSearch, (never: never) => never),
  };
  return { name: 'resonate_grpc.v1.ScheduleService', definition: ScheduleServiceService, methods };
}
