/** The composition root: puts the rooms together, and takes them apart in the right order. */
import { Dispatcher } from './dispatch/dispatcher.js';
import { Clock } from './engine/clock.js';
import { nextCron } from './engine/cron.js';
import type { Log } from './engine/log.js';
import { PromiseWaits } from './engine/promise-waits.js';
import { systemTimers } from './engine/timers.js';
import { Writer } from './engine/writer.js';
import type { Flags } from './flags.js';
import { debugService } from './server/debug-service.js';
import { dispatchService } from './server/dispatch-service.js';
import { PipelineService } from './server/pipeline-service.js';
import { promiseService } from './server/promise-service.js';
import { scheduleService } from './server/schedule-service.js';
import { GrpcServer, type Service } from './server/server.js';
import { taskService } from './server/task-service.js';
import { openLmdbStore } from './store/lmdb/store.js';
import type { Store } from './store/store.js';
import { acquireOwnerLock, type OwnerLock } from './store/owner-lock.js';

export interface ServeOptions extends Flags {
  readonly version: string;
  readonly log: Log;
  /** Called once when the store fails for good: the process must not go on. */
  readonly onFatal: (error: Error) => void;
}

export interface RunningServer {
  readonly port: number;
  /** Drains, ends every call and stream, and closes the store. */
  stop(): Promise<void>;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;
/** How long clients have to take the drain event before their streams end, in ms. */
const DRAIN_NOTICE = 100;

/** Starts a server. Rejects with an error of one line if it cannot: address, data directory, clock. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { host } = options;
  if (!LOOPBACK.test(host) && !options.insecure) {
    throw new Error(
      `listening on ${host} without TLS needs --insecure: whoever reaches the port can read and write all`,
    );
  }

  const lock = await acquireOwnerLock(options.data);
  try {
    const store = openLmdbStore({ path: options.data, config: { retryTimeout: options.retryTimeoutMs, nextCron } });
    try {
      const server = await start(options, store);
      return { port: server.port, stop: () => server.stop().then(() => release(store, lock)) };
    } catch (error) {
      await store.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function release(store: Store, lock: OwnerLock): Promise<void> {
  await store.close();
  await lock.release();
}

async function start(options: ServeOptions, store: Store): Promise<RunningServer> {
  const { log, version, maxRequestBytes, debug } = options;
  const mark = store.transact((tx) => tx.getClockMark()).result;
  const clock = new Clock({ mark, allowLead: options.allowClockLead });
  const timers = systemTimers;
  const { unblockRetentionMs: unblockRetention, onFatal } = options;
  const writer = new Writer({ store, clock, timers, unblockRetention, log, onFatal });
  const waits = new PromiseWaits(writer, timers);
  const dispatcher = new Dispatcher({
    store,
    engine: writer,
    timers,
    log,
    config: {
      defaultMaxInFlight: options.maxInFlight,
      retryTimeout: options.retryTimeoutMs,
      pingInterval: options.pingIntervalMs,
    },
  });

  let draining = false;
  const context = { engine: writer, log, debug };
  const streams = { serverVersion: version, maxRequestBytes, capabilities: ['pipeline'], timers };
  const pipelined = [
    promiseService(context, waits),
    taskService(context),
    scheduleService(context),
    dispatchService({ ...context, dispatcher, streams, isDraining: () => draining }),
  ];
  const pipelines = new PipelineService({ services: pipelined, maxRequestBytes, log });
  const services: Service[] = [...pipelined, pipelines];
  if (debug) {
    const rebuildDispatcher = () => dispatcher.reload();
    services.push(debugService({ ...context, writer, store, waits, rebuildDispatcher }));
  }

  const server = new GrpcServer(services, { maxRequestBytes, debug, log });
  const port = await server.listen(options.host, options.port);
  writer.start();

  return {
    port,
    stop: async () => {
      server.announceStop();
      draining = true;
      dispatcher.stopMatching();
      dispatcher.announceDrain();
      waits.close();
      // Until the streams end, workers can still report what they have done, and health checks see that this server stops.
      await new Promise((resolve) => setTimeout(resolve, DRAIN_NOTICE));
      dispatcher.close();
      await pipelines.drain();
      await server.stop(options.drainMs);
      await writer.stop();
    },
  };
}
