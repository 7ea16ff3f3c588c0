import { status, type handleServerStreamingCall, type ServiceError } from '@grpc/grpc-js';
import type {
  DispatchRequest,
  DispatchResponse,
  DispatchServiceServer,
} from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { EndReason } from '../dispatch/session-stream.js';
import { dispatchServiceDefinition, DispatchStream, type DispatchStreamOptions } from './dispatch-stream.js';
import * as door from './door.js';
import { RequestError, toServiceError } from './errors.js';
import type { MethodsOf, ServiceContext } from './method.js';
import type { Service } from './server.js';
import type { Decoded } from './strict-decoding.js';
import { visible } from './unary.js';

export interface DispatchContext extends ServiceContext {
  readonly dispatcher: Dispatcher;
  readonly streams: Omit<DispatchStreamOptions, 'toError'>;
  /** Whether the server is stopping, and opens no more streams. */
  readonly isDraining: () => boolean;
}

/** Dispatch, DispatchAcknowledge and DispatchDrain. */
export function dispatchService(context: DispatchContext): Service {
  const { dispatcher } = context;
  const methods: MethodsOf<DispatchServiceServer> = {
    dispatchAcknowledge: {
      writes: true,
      handle: async (request) => {
        await dispatcher.acknowledge(door.dispatchAcknowledge(request));
        return {};
      },
    },
    dispatchDrain: {
      writes: false,
      handle: (request) => {
        const sessionId = door.dispatchDrain(request);
        if (dispatcher.drain(sessionId)) return Promise.resolve({});
        const problem = `no open stream has the session id ${JSON.stringify(sessionId.slice(0, 80))}`;
        const facts = { session_id: sessionId, status: '404' };
        throw new RequestError(status.NOT_FOUND, 'SESSION_NOT_FOUND', problem, facts);
      },
    },
  };
  const streams = { dispatch: dispatch(context) };
  return { name: 'resonate_grpc.v1.DispatchService', definition: dispatchServiceDefinition, methods, streams };
}

function dispatch(context: DispatchContext): handleServerStreamingCall<DispatchRequest, DispatchResponse> {
  return (call) => {
    try {
      const decoded = call.request as unknown as Decoded<DispatchRequest>;
      if ('error' in decoded) throw decoded.error;
      const request = door.dispatch(decoded.message);
      if (context.isDraining()) throw endError('draining');
      const toError = (reason: EndReason): ServiceError => toServiceError(endError(reason));
      context.dispatcher.open(request, new DispatchStream(call, { ...context.streams, toError }));
    } catch (error) {
      call.emit('error', toServiceError(visible(context.log, error)));
    }
  };
}

/** Never OK and never CANCELLED: workers stop for good on those. */
function endError(reason: EndReason): RequestError {
  switch (reason) {
    case 'draining':
      return new RequestError(status.UNAVAILABLE, 'DRAINING', 'the server is stopping; connect again');
    case 'session_replaced':
      return new RequestError(
        status.ABORTED,
        'SESSION_REPLACED',
        'a newer stream has the same group and pid; two processes may share a pid',
      );
    case 'session_stalled':
      return new RequestError(
        status.RESOURCE_EXHAUSTED,
        'SESSION_STALLED',
        'the client did not read what was sent; what it had not acquired went back',
      );
    case 'fault':
      return new RequestError(status.INTERNAL, 'FAULT', 'a fault in the server; its cause is in the server log');
  }
}
