import { status, type Server, type ServerWritableStream } from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';

type Watch = (call: ServerWritableStream<unknown, unknown>) => void;

/** grpc.health.v1: the state of the server as a whole and, under their names, of its services. */
export class Health {
  readonly #implementation = new HealthImplementation();
  readonly #names: readonly string[];
  readonly #watches = new Set<ServerWritableStream<unknown, unknown>>();

  constructor(services: readonly string[]) {
    this.#names = ['', ...services];
  }

  /** Answers checks, and tells those who watch. */
  set(state: 'SERVING' | 'NOT_SERVING'): void {
    for (const name of this.#names) this.#implementation.setStatus(name, state);
  }

  addToServer(server: Server): void {
    // The library ends no watch, and a server that waits for its calls would wait for them.
    const tracking: Pick<Server, 'addService'> = {
      addService: (definition, { watch, ...implementation }) => {
        server.addService(definition, { ...implementation, watch: this.#tracked(watch as Watch) });
      },
    };
    this.#implementation.addToServer(tracking);
  }

  /** Ends every watch: the server is going away. */
  endWatches(): void {
    for (const call of this.#watches) {
      call.emit('error', { code: status.UNAVAILABLE, details: 'the server is stopping; connect again' });
    }
  }

  #tracked(watch: Watch): Watch {
    return (call) => {
      this.#watches.add(call);
      call.on('cancelled', () => this.#watches.delete(call));
      watch(call);
    };
  }
}
