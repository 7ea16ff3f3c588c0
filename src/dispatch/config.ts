/** What the dispatcher can be told. All durations are in ms. */
export interface DispatchConfig {
  /** The `max_in_flight` of a session that names none. */
  readonly defaultMaxInFlight: number;
  /** The largest `max_in_flight` in force; a session that asks for more gets this, and hello says so. Bounds memory. */
  readonly maxInFlightLimit: number;
  /** How long a push may stay un-acquired before it is taken back; the protocol's `retryTimeout`. */
  readonly retryTimeout: number;
  /** How often a ping comes at the least. */
  readonly pingInterval: number;
  /** How many ping intervals a session may have unsent frames without one of them being written. Then it has stalled. */
  readonly stalledIntervals: number;
  /** How often every queue of a connected session is read again. */
  readonly sweepInterval: number;
  /** With this many frames unsent, nothing more is pushed to a session. */
  readonly maxUnsentFrames: number;
  /** With this many bytes unsent, nothing more is pushed to a session. */
  readonly maxUnsentBytes: number;
  /** With this many unblocks sent and not acknowledged, no more are sent to a session. */
  readonly maxUnacknowledgedUnblocks: number;
  /** With this many bytes of unblocks sent and not acknowledged, no more are sent to a session. */
  readonly maxUnacknowledgedUnblockBytes: number;
  /** How many rows of a group's queue are read at a time. */
  readonly pageSize: number;
  /** How much is delivered in one turn of the event loop: about this many messages of each kind. */
  readonly sliceSize: number;
}

/** The defaults, each overridable by itself. */
export const defaultDispatchConfig: DispatchConfig = {
  defaultMaxInFlight: 10,
  maxInFlightLimit: 10_000,
  retryTimeout: 5_000,
  pingInterval: 15_000,
  stalledIntervals: 3,
  sweepInterval: 30_000,
  maxUnsentFrames: 256,
  maxUnsentBytes: 1024 * 1024,
  maxUnacknowledgedUnblocks: 1_000,
  maxUnacknowledgedUnblockBytes: 8 * 1024 * 1024,
  pageSize: 256,
  sliceSize: 512,
};
