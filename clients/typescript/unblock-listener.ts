import { Acknowledger } from './acknowledger.js';
import type { ResonateClient } from './client.js';
import { cancelled, type ResonateError } from './errors.js';
import { DispatchStream } from './dispatch-stream.js';
import type { DispatchUnblock } from './gen/resonate_grpc/v1/dispatch.js';
import type { PromiseRecord } from './gen/resonate_grpc/v1/promise.js';
import { silentLog, type Log } from './log.js';
import { isSettled, present } from './records.js';
import { newPid } from './pid.js';

/** Whom unblocks are sent to. */
export interface UnblockListenerOptions {
  readonly client: ResonateClient;
  /** Without a slash: it is part of the address. */
  readonly group: string;
  /** Unique among the processes. Absent: a new one; then a listener registered before a restart of this process waits for nobody. */
  readonly pid?: string;
  readonly log?: Log;
}

type Waiter = { readonly resolve: (record: PromiseRecord) => void; readonly reject: (error: Error) => void };

/**
 * Waits for many promises over one stream. The registration is durable: an unblock is sent until it is acknowledged, over
 * reconnects and restarts of the server; this acknowledges it once the waiting callers have it.
 */
export class UnblockListener {
  /** Where unblocks are sent. */
  readonly address: string;
  readonly #client: ResonateClient;
  readonly #stream: DispatchStream;
  readonly #acknowledger: Acknowledger;
  readonly #waiters = new Map<string, Set<Waiter>>();
  #failure: Error | undefined;

  constructor({ client, group, pid = newPid(), log = silentLog }: UnblockListenerOptions) {
    if (group.includes('/')) throw new TypeError(`a group with a slash has no uni address: ${JSON.stringify(group)}`);
    this.address = `uni@${group}/${pid}`;
    this.#client = client;
    this.#acknowledger = new Acknowledger(client, log);
    const listener = {
      hello: () => log.info({ address: this.address }, 'listening'),
      unblock: (unblock: DispatchUnblock) => this.#unblocked(unblock),
      lapsed: () => {},
      failed: (error: ResonateError) => this.#fail(error),
    };
    this.#stream = new DispatchStream(client, { group, pid, maxInFlight: 0 }, listener, log);
  }

  /** Opens the stream. `listen` may be called before. */
  start(): void {
    this.#stream.start();
  }

  /**
   * Ends the stream. Who still waits gets an error; what was registered stays registered. Resolves when the last unblocks have been
   * acknowledged, or after a moment: then the client may be closed.
   */
  stop(): Promise<void> {
    this.#stream.stop();
    this.#fail(new Error('the listener was stopped'));
    return this.#acknowledger.finish();
  }

  /**
   * Registers for the promise and resolves with it once it is settled, at once if it is already. Throws NOT_FOUND for an unknown
   * promise, CANCELLED when the signal aborts, the stream's error if it ended for good.
   */
  async listen(id: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<PromiseRecord> {
    // Before registering: the unblock can overtake the answer.
    const { outcome, leave } = this.#wait(id, signal);
    try {
      const registered = this.#client.promiseRegisterListener({ awaitedId: id, address: this.address }, { signal });
      const first = await Promise.race([registered.then(({ promise }) => present(promise)), outcome]);
      return isSettled(first) ? first : await outcome;
    } finally {
      leave();
    }
  }

  #wait(id: string, signal?: AbortSignal): { outcome: Promise<PromiseRecord>; leave: () => void } {
    let leave = (): void => {};
    const outcome = new Promise<PromiseRecord>((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      const waiters = this.#waiters.get(id) ?? new Set();
      const waiter = { resolve, reject };
      this.#waiters.set(id, waiters.add(waiter));
      const abort = (): void => reject(cancelled(signal!));
      signal?.addEventListener('abort', abort);
      leave = () => {
        signal?.removeEventListener('abort', abort);
        waiters.delete(waiter);
        if (waiters.size === 0 && this.#waiters.get(id) === waiters) this.#waiters.delete(id);
      };
    });
    outcome.catch(() => {}); // It may lose the race against an error of the registration.
    return { outcome, leave };
  }

  /** One that nobody waits for is acknowledged as well: whoever asks again gets the outcome as the answer to registering. */
  #unblocked({ promise, address }: DispatchUnblock): void {
    const record = present(promise);
    for (const { resolve } of this.#waiters.get(record.id) ?? []) resolve(record);
    this.#acknowledger.acknowledge({ promiseId: record.id, address });
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiters of this.#waiters.values()) for (const { reject } of waiters) reject(error);
  }
}
