/** What a handler may throw on purpose, and what it must let pass. */

/** Thrown by a handler: its promise is rejected with this value. Any other error is a failed attempt, and is retried. */
export class Reject extends Error {
  override readonly name = 'Reject';

  /** The value is what the promise is rejected with: JSON, or a `Value` as it is. */
  constructor(
    readonly value: unknown,
    message = 'rejected',
  ) {
    super(message);
  }
}

/** Why a run of a handler is over. */
export type RunEnd =
  /** The task waits for a promise. Its handler is called again, from its start, when that has settled. */
  | 'suspended'
  /** The lease is lost, or must be taken for lost: somebody else may hold the task. */
  | 'lost'
  /** The worker stops and gives the task back. */
  | 'stopped'
  /** The handler has returned or thrown. */
  | 'finished';

/**
 * Thrown by every call of a `TaskContext` whose run is over, and the reason of its signal. A handler must not swallow it: let it
 * pass, or rethrow it. Whatever a handler does after it has no effect on the task.
 */
export class RunOver extends Error {
  override readonly name = 'RunOver';

  constructor(
    readonly end: RunEnd,
    options?: ErrorOptions,
  ) {
    super(`this run of the handler is over: ${end}`, options);
  }
}
