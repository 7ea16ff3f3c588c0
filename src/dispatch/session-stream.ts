/** What the dispatcher says to a session, and what it needs of the transport that carries it. */
import type { PromiseObject } from '../protocol/objects.js';

/** One event on a stream. */
export type SessionEvent =
  | {
      readonly kind: 'hello';
      readonly sessionId: string;
      /** In ms. */
      readonly pingInterval: number;
      /** As in force, which may be less than what was asked for. */
      readonly maxInFlight: number;
      /** In ms. */
      readonly retryTimeout: number;
    }
  | { readonly kind: 'execute'; readonly taskId: string; readonly version: number }
  | { readonly kind: 'unblock'; readonly promise: PromiseObject; readonly address: string }
  | { readonly kind: 'ping' }
  | { readonly kind: 'drain' };

/**
 * Why the dispatcher ends a stream: the server stops (connect again); a newer stream has the same group and pid (do not);
 * the client does not read; an event could not be sent through a fault of the server.
 */
export type EndReason = 'draining' | 'session_replaced' | 'session_stalled' | 'fault';

/**
 * One stream to a client. It keeps events in order and never loses one without closing. Listeners are called at most from
 * the event loop, never from inside `send` or `end`, but `onClose` calls back at once on a stream that is closed already.
 */
export interface SessionStream {
  /**
   * Takes events over, to be sent in order. `written` is called when the transport has taken the last of them, and never if
   * the stream closes before. Does nothing after `end` or close. An event that cannot be encoded throws.
   */
  send(events: readonly SessionEvent[], written?: () => void): void;
  /** How many frames the transport has not taken yet. */
  readonly unsentFrames: number;
  /** How many bytes the transport has not taken yet. */
  readonly unsentBytes: number;
  /** Calls back each time the transport has taken a frame. One listener. */
  onProgress(listener: () => void): void;
  /** Ends the stream with an error, after what was sent if the client reads it. */
  end(reason: EndReason): void;
  /** Calls back once when the stream is gone, for whatever reason: from then on nothing reaches the client. One listener. */
  onClose(listener: () => void): void;
}
