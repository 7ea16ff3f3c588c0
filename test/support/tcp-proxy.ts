/** A TCP proxy in front of a server: the network, which can fail. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A connection from a client, and the one to the server that it is carried on. */
interface Link {
  readonly client: Socket;
  readonly server: Socket;
}

export class TcpProxy {
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #blackHole = false;

  private constructor(private readonly target: number) {
    this.#server = createServer({ allowHalfOpen: true }, (client) => this.#carry(client));
  }

  /** A proxy on a free port in front of a port of this machine. */
  static async to(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many connections are open. */
  get connections(): number {
    return this.#links.size;
  }

  /** Resets every connection, on both sides. New ones are carried again. */
  cut(): void {
    for (const { client, server } of this.#links) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** The clients have said their last, but still listen: the server sees an end of file. */
  halfClose(): void {
    for (const { server } of this.#links) server.end();
  }

  /** Carries nothing from the server to its clients, whose receive windows fill up. */
  stall(): void {
    for (const { client, server } of this.#links) {
      server.unpipe(client);
      server.pause();
    }
  }

  /** Carries again what `stall` held up. */
  unstall(): void {
    for (const { client, server } of this.#links) server.pipe(client, { end: false });
  }

  /** Swallows everything, in both directions, without a word: what is lost stays lost. */
  blackHole(): void {
    this.#blackHole = true;
    for (const { client, server } of this.#links) {
      client.unpipe(server).resume();
      server.unpipe(client).resume();
    }
  }

  /** Cuts every connection, and takes none any more. */
  close(): void {
    this.cut();
    this.#server.close();
  }

  #carry(client: Socket): void {
    const server = connect({ port: this.target, host: '127.0.0.1', allowHalfOpen: true });
    const link = { client, server };
    this.#links.add(link);
    for (const socket of [client, server]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!this.#blackHole) {
          client.destroy();
          server.destroy();
        }
        if (client.destroyed && server.destroyed) this.#links.delete(link);
      });
    }
    client.pipe(server);
    server.pipe(client);
  }
}
