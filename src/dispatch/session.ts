/** One open stream, and what is on its way to its client. */
import { randomUUID } from 'node:crypto';
import type { Timers } from '../engine/timers.js';
import type { DispatchConfig } from './config.js';
import type { Push } from './executes.js';
import { Pulse } from './pulse.js';
import type { EndReason, SessionEvent, SessionStream } from './session-stream.js';
import type { SentUnblock } from './unblocks.js';

/** Who opens a stream. */
export interface SessionRequest {
  readonly group: string;
  readonly pid: string;
  /** Absent: the default of the configuration. 0: unblocks only. */
  readonly maxInFlight?: number | undefined;
  /** Unblocks count as acknowledged once they are written. */
  readonly autoAcknowledge: boolean;
}

/** What a session tells the dispatcher. */
export interface SessionHooks {
  /** Events are waiting for `flush`. */
  readonly hasEvents: () => void;
  /** Too much is unsent, or no longer: how much room there is has changed. */
  readonly roomChanged: () => void;
  /** These unblocks have been written to the stream of a session that acknowledges by itself. */
  readonly unblocksWritten: (unblocks: readonly SentUnblock[]) => void;
  /** The stream is gone. */
  readonly closed: () => void;
  /** The session is of no use any more and is to be ended. */
  readonly failed: (reason: EndReason, error?: unknown) => void;
}

/** What a session is made of. */
export interface SessionOptions {
  readonly request: SessionRequest;
  readonly stream: SessionStream;
  readonly timers: Timers;
  readonly config: DispatchConfig;
  /** 0 up to 1, for the jitter of pings. */
  readonly random: () => number;
  readonly hooks: SessionHooks;
}

/** Enough events to hand them over; many at a time are cheap, and a few keep memory small. */
const BATCH_EVENTS = 50;
/** Likewise, in bytes. */
const BATCH_BYTES = 64 * 1024;

/** A closed session stays closed; one that comes back is a new one. */
export class Session {
  readonly #options: SessionOptions;
  readonly id = randomUUID();
  readonly group: string;
  readonly pid: string;
  readonly maxInFlight: number;
  readonly autoAcknowledge: boolean;

  /** The executes that were sent and neither acquired nor taken back. */
  readonly pushes = new Set<Push>();
  /** The unblocks that were sent and not acknowledged. */
  readonly unblocks = new Set<SentUnblock>();
  /** The size of `unblocks`, roughly, in bytes. */
  unblockBytes = 0;
  /** A push has expired: one at a time, until the process acquires a task. */
  onProbation = false;
  /** Nothing more is pushed, the stream stays open. */
  isDraining = false;
  isClosed = false;

  readonly #stream: SessionStream;
  readonly #pulse: Pulse;
  #congested = false;
  #events: SessionEvent[] = [];
  #eventBytes = 0;
  #written: SentUnblock[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
    const { request, stream, timers, config, random, hooks } = options;
    this.group = request.group;
    this.pid = request.pid;
    this.maxInFlight = Math.min(request.maxInFlight ?? config.defaultMaxInFlight, config.maxInFlightLimit);
    this.autoAcknowledge = request.autoAcknowledge;
    this.#stream = stream;
    this.#pulse = new Pulse({
      stream,
      timers,
      interval: config.pingInterval,
      stalledIntervals: config.stalledIntervals,
      random,
      onStall: () => hooks.failed('session_stalled'),
    });
  }

  /** Says hello, and from then on follows the stream. */
  start(): void {
    const { config, hooks } = this.#options;
    const { pingInterval, retryTimeout } = config;
    this.#stream.send([
      { kind: 'hello', sessionId: this.id, pingInterval, maxInFlight: this.maxInFlight, retryTimeout },
    ]);
    this.#stream.onProgress(() => {
      this.#pulse.progress();
      if (!this.#congested || this.#isOver(1 / 2)) return;
      this.#congested = false;
      hooks.roomChanged();
    });
    this.#stream.onClose(hooks.closed);
  }

  /** Nothing is sent from now on. */
  close(): void {
    this.isClosed = true;
    this.#pulse.stop();
  }

  /** Ends the stream. The session is closed. */
  end(reason: EndReason): void {
    this.#stream.end(reason);
  }

  /** Tells the client that the server is about to stop. */
  announceDrain(): void {
    this.flush();
    this.#stream.send([{ kind: 'drain' }]);
  }

  /** How many more executes may be pushed, with `held` tasks acquired under the pid. */
  executeRoom(held: number): number {
    if (!this.#isReady) return 0;
    const free = Math.max(0, this.maxInFlight - held - this.pushes.size);
    return this.onProbation ? Math.min(free, this.pushes.size === 0 ? 1 : 0) : free;
  }

  /** How many more unblocks may be sent. */
  unblockRoom(): number {
    const { maxUnacknowledgedUnblocks, maxUnacknowledgedUnblockBytes } = this.#options.config;
    if (!this.#isReady || this.unblockBytes >= maxUnacknowledgedUnblockBytes) return 0;
    return Math.max(0, maxUnacknowledgedUnblocks - this.unblocks.size);
  }

  /** Queues an execute for the next flush. */
  sendExecute(taskId: string, version: number): void {
    this.#enqueue({ kind: 'execute', taskId, version }, taskId.length);
  }

  /** Queues an unblock for the next flush. */
  sendUnblock(event: SessionEvent & { kind: 'unblock' }, sent: SentUnblock): void {
    if (this.autoAcknowledge) this.#written.push(sent);
    this.#enqueue(event, sent.bytes);
  }

  /** Hands what is queued to the stream. */
  flush(): void {
    const events = this.#events;
    const written = this.#written;
    const { hooks } = this.#options;
    if (events.length === 0 || this.isClosed) return;
    this.#events = [];
    this.#eventBytes = 0;
    this.#written = [];
    try {
      this.#stream.send(events, written.length > 0 ? () => hooks.unblocksWritten(written) : undefined);
    } catch (error) {
      hooks.failed('fault', error);
      return;
    }
    if (this.#congested || !this.#isOver(1)) return;
    this.#congested = true;
    hooks.roomChanged();
  }

  get unsentFrames(): number {
    return this.#stream.unsentFrames;
  }

  get unsentBytes(): number {
    return this.#stream.unsentBytes;
  }

  get #isReady(): boolean {
    return !this.isClosed && !this.isDraining && !this.#congested;
  }

  #enqueue(event: SessionEvent, bytes: number): void {
    this.#events.push(event);
    this.#eventBytes += bytes;
    if (this.#events.length >= BATCH_EVENTS || this.#eventBytes >= BATCH_BYTES) this.flush();
    else if (this.#events.length === 1) this.#options.hooks.hasEvents();
  }

  #isOver(share: number): boolean {
    const { maxUnsentFrames, maxUnsentBytes } = this.#options.config;
    return this.#stream.unsentFrames >= share * maxUnsentFrames || this.#stream.unsentBytes >= share * maxUnsentBytes;
  }
}
