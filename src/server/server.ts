import {
  Server,
  ServerCredentials,
  setLogger,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Log } from '../engine/log.js';
import { withCodec } from './codec.js';
import { boundedDecompression } from './decompression.js';
import { Health } from './health.js';
import type { Method } from './method.js';
import { reflectionService } from './reflection.js';
import { unary } from './unary.js';

export interface ServerOptions {
  /** The largest request, in bytes. */
  readonly maxRequestBytes: number;
  /** Whether the debug service is among the services, and so in reflection. */
  readonly debug: boolean;
  readonly log: Log;
}

/** A service: its generated definition and its implementation. */
export interface Service {
  readonly name: string;
  readonly definition: ServiceDefinition;
  /** Its unary rpcs. */
  readonly methods: Readonly<Record<string, Method<never, unknown>>>;
  /** The others. */
  readonly streams?: UntypedServiceImplementation;
}

/** The gRPC server: the services, health, and reflection. */
export class GrpcServer {
  readonly #server: Server;
  readonly #health: Health;

  constructor(services: readonly Service[], { maxRequestBytes, debug, log }: ServerOptions) {
    // What the library writes to stderr as errors is also thrown, and told there in words of our own.
    setLogger({ info: console.error, debug: console.error });
    this.#server = new Server({
      // Up to here the door answers, and names the limit; beyond, the library does.
      'grpc.max_receive_message_length': 4 * maxRequestBytes,
      'grpc.keepalive_time_ms': 25_000,
      'grpc.keepalive_timeout_ms': 10_000,
      'grpc.enable_channelz': 0,
      interceptors: [boundedDecompression(maxRequestBytes)],
    });
    for (const { definition, methods, streams } of services) {
      const unaries = Object.entries(methods).map(([name, method]) => [name, unary(log, method)] as const);
      this.#server.addService(withCodec(definition, maxRequestBytes), {
        ...(Object.fromEntries(unaries) as UntypedServiceImplementation),
        ...streams,
      });
    }
    this.#health = new Health(services.map(({ name }) => name));
    this.#health.addToServer(this.#server);
    reflectionService({ debug }).addToServer(this.#server);
  }

  /** Listens and turns healthy. Returns the port. Rejects with an error of one line if it cannot listen there. */
  async listen(host: string, port: number): Promise<number> {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const bound = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(address, ServerCredentials.createInsecure(), (error, actual) =>
        error === null ? resolve(actual) : reject(new Error(`cannot listen on ${address}: ${cause(error)}`)),
      );
    });
    this.#health.set('SERVING');
    return bound;
  }

  /** Has health checks answer NOT_SERVING, so that nobody new is sent here. */
  announceStop(): void {
    this.#health.set('NOT_SERVING');
  }

  /** Takes no new calls, and waits until those in progress have ended; after `graceMs` they are cut. */
  async stop(graceMs: number): Promise<void> {
    this.#health.endWatches();
    let force: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      force = setTimeout(() => {
        this.#server.forceShutdown();
        resolve();
      }, graceMs);
      this.#server.tryShutdown(() => resolve());
    });
    clearTimeout(force);
  }
}

/** The library wraps what the operating system said. */
function cause({ message }: Error): string {
  if (message.includes('EADDRINUSE')) return 'the address is already in use';
  if (message.includes('EADDRNOTAVAIL')) return 'this machine has no such address';
  if (message.includes('EACCES')) return 'permission denied';
  return message;
}
