/** The one writer of the store. */
import type { Operation, OperationName, OutcomeOf } from '../protocol/operations.js';
import type { Change } from '../store/store.js';

export interface SubmitOptions {
  /** Asked just before the operation would run: true drops it unrun, with an `EngineError` of kind `cancelled`. */
  readonly isCancelled?: (() => boolean) | undefined;
  /** Told the `now` that the handler is given. Called anew if the operation has to run again: the last one counts. */
  readonly onRun?: ((now: number) => void) | undefined;
  /** Has a read take its turn among the writes, behind those that were submitted before it. */
  readonly inTurn?: boolean | undefined;
}

/** The boundary of the engine: submit operations, get outcomes and committed changes. */
export interface Engine {
  /**
   * Runs one operation of the protocol and answers after it is durable. A read runs on the latest durable state, unless it
   * would project a promise: then it takes its turn among the writes.
   */
  submit<N extends OperationName>(operation: Operation<N>, options?: SubmitOptions): Promise<OutcomeOf<N>>;
  /** Removes unblocks from the outbox, durably. Unknown ones are skipped. */
  acknowledgeUnblocks(unblocks: readonly { readonly promiseId: string; readonly address: string }[]): Promise<void>;
  /**
   * Fires the retries of these tasks as far as they are due: the pushes of their executes were not acquired in time. The
   * changes of kind `execute` that follow say which are to be pushed again.
   */
  retryTasks(taskIds: readonly string[]): Promise<void>;
  /** Calls the listener after each durable transaction that changed something, before its callers are answered. */
  onCommit(listener: (changes: readonly Change[]) => void): void;
  /** The server's clock, in ms since the Unix epoch. */
  now(): number;
}

/** Why the engine did not run an operation. Nothing was written. */
export class EngineError extends Error {
  constructor(
    readonly kind: 'overloaded' | 'storage_full' | 'draining' | 'fault' | 'cancelled',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EngineError';
  }
}
