import {
  PromiseServiceService,
  type PromiseServiceServer,
} from '../../clients/typescript/gen/resonate_grpc/v1/promise.js';
import type { PromiseWaits } from '../engine/promise-waits.js';
import { isRefusal } from '../protocol/outcome.js';
import * as door from './door.js';
import { fromRefusal } from './errors.js';
import { operation, type MethodsOf, type ServiceContext } from './method.js';
import { promiseRecord } from './records.js';
import type { Service } from './server.js';

/** P-01 to P-06, and the extension PromiseWait. */
export function promiseService(context: ServiceContext, waits: PromiseWaits): Service {
  const withPromise = ({ promise }: { readonly promise: Parameters<typeof promiseRecord>[0] }) => ({
    promise: promiseRecord(promise),
  });
  const methods: MethodsOf<PromiseServiceServer> = {
    promiseGet: operation(context, 'promise.get', door.promiseGet, withPromise),
    promiseCreate: operation(context, 'promise.create', door.promiseCreate, withPromise),
    promiseSettle: operation(context, 'promise.settle', door.promiseSettle, withPromise),
    promiseRegisterCallback: operation(context, 'promise.register_callback', door.promiseRegisterCallback, withPromise),
    promiseRegisterListener: operation(context, 'promise.register_listener', door.promiseRegisterListener, withPromise),
    promiseSearch: operation(context, 'promise.search', door.promiseSearch, (never: never) => never),
    promiseWait: {
      writes: false,
      handle: async (request, caller) => {
        const { id } = door.promiseWait(request);
        const ended = new AbortController();
        caller.onGone(() => ended.abort());
        const outcome = await waits.wait(id, ended.signal, caller.hasWritten);
        if (isRefusal(outcome)) throw fromRefusal(outcome);
        return withPromise(outcome);
      },
    },
  };
  return { name: 'resonate_grpc.v1.PromiseService', definition: PromiseServiceService, methods };
}
