/** Messages from the outbox onto open streams. */
import type { Engine } from '../engine/engine.js';
import { silentLog, type Log } from '../engine/log.js';
import type { Timer, Timers } from '../engine/timers.js';
import type { Change, Store } from '../store/store.js';
import { defaultDispatchConfig, type DispatchConfig } from './config.js';
import { Executes } from './executes.js';
import { SessionRegistry } from './registry.js';
import { Session, type SessionRequest } from './session.js';
import type { EndReason, SessionStream } from './session-stream.js';
import { Unblocks, type UnblockRef } from './unblocks.js';
import { Wakeup } from './wakeup.js';

export interface DispatcherOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly timers: Timers;
  /** What is not given has its default. */
  readonly config?: Partial<DispatchConfig>;
  /** Default: silent. */
  readonly log?: Log;
  /** 0 up to 1, for the jitter of pings. Default: Math.random. */
  readonly random?: () => number;
}

/** A session as operators see it. */
export interface SessionInfo {
  readonly id: string;
  readonly group: string;
  readonly pid: string;
  readonly maxInFlight: number;
  /** Executes sent and neither acquired nor taken back. */
  readonly pushed: number;
  /** Tasks acquired under its pid. */
  readonly held: number;
  /** Unblocks sent and not acknowledged. */
  readonly unacknowledged: number;
  readonly unsentFrames: number;
  readonly unsentBytes: number;
  readonly isDraining: boolean;
  readonly onProbation: boolean;
}

/**
 * The outbox in the store is the queue; the dispatcher holds a window on the queues that somebody is connected to, and all
 * of it can be built anew from the store at any time. It never writes, except for what the engine does on its behalf.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #config: DispatchConfig;
  readonly #log: Log;
  readonly #executes: Executes;
  readonly #unblocks: Unblocks;
  readonly #registry = new SessionRegistry();
  readonly #unflushed = new Set<Session>();
  readonly #wakeup: Wakeup;
  #sweepTimer: Timer | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { store, engine, timers } = options;
    const config = { ...defaultDispatchConfig, ...options.config };
    const log = options.log ?? silentLog;
    this.#config = config;
    this.#log = log;
    this.#wakeup = new Wakeup(timers, () => this.#run());
    const changed = () => this.#wakeup.request();
    const sessionsOf = (pid: string) => this.#registry.of(pid);
    this.#executes = new Executes({ store, engine, timers, config, log, sessionsOf, changed });
    this.#unblocks = new Unblocks({ store, engine, config, log, changed });
    engine.onCommit((changes) => this.#onCommit(changes));
    this.#armSweep();
  }

  /**
   * Opens a session: hello at once, then what waits for it. An older one of the same group and pid ends, and what it had not
   * acquired or acknowledged goes to the next.
   */
  open(request: SessionRequest, stream: SessionStream): Session {
    const replaced = this.#registry.find(request.group, request.pid);
    if (replaced !== undefined) this.#end(replaced, 'session_replaced');

    const session: Session = new Session({
      request,
      stream,
      timers: this.#options.timers,
      config: this.#config,
      random: this.#options.random ?? Math.random,
      hooks: {
        hasEvents: () => this.#unflushed.add(session),
        roomChanged: () => this.#refresh(session),
        unblocksWritten: (unblocks) => this.#unblocks.autoAcknowledge(unblocks),
        closed: () => this.#remove(session, 'closed'),
        failed: (reason, err) => {
          if (err !== undefined) this.#log.error({ err, session: session.id }, 'an event could not be sent');
          this.#end(session, reason);
        },
      },
    });
    this.#registry.add(session);
    this.#executes.join(session);
    this.#unblocks.join(session);
    this.#log.info({ session: session.id, group: session.group, worker: session.pid }, 'session opened');
    session.start();
    return session;
  }

  /** Unblocks that have been handled: resolves when they are out of the outbox, durably. From any session or none. */
  acknowledge(refs: readonly UnblockRef[]): Promise<void> {
    return this.#unblocks.acknowledge(refs);
  }

  /** Stops all pushes to a session, which stays open; what it has not acquired goes to others. False: no such session. */
  drain(sessionId: string): boolean {
    const session = this.#registry.get(sessionId);
    if (session === undefined) return false;
    session.isDraining = true;
    this.#executes.giveBack(session);
    this.#refresh(session);
    return true;
  }

  /** Pushes nothing to anybody from now on. The first step of stopping. */
  stopMatching(): void {
    this.#wakeup.stop();
    this.#sweepTimer?.cancel();
    this.#executes.stop();
  }

  /** Tells every client that the server is about to stop. */
  announceDrain(): void {
    for (const session of this.#registry.all()) session.announceDrain();
  }

  /** Ends every stream: come back later. */
  endAll(): void {
    for (const session of this.#registry.all()) this.#end(session, 'draining');
  }

  /** Stops all of it. Nothing is called back from now on. */
  close(): void {
    this.stopMatching();
    this.endAll();
  }

  /** Forgets what is in memory and starts again from the store, with the same sessions: for when it was cleared. */
  reload(): void {
    const sessions = this.#registry.all();
    for (const session of sessions) {
      this.#executes.leave(session);
      this.#unblocks.leave(session);
    }
    this.#executes.reload();
    for (const session of sessions) {
      this.#executes.join(session);
      this.#unblocks.join(session);
    }
  }

  /** The open sessions. */
  sessions(): readonly SessionInfo[] {
    return this.#registry.all().map((session) => ({
      id: session.id,
      group: session.group,
      pid: session.pid,
      maxInFlight: session.maxInFlight,
      pushed: session.pushes.size,
      held: this.#executes.held(session.pid),
      unacknowledged: session.unblocks.size,
      unsentFrames: session.unsentFrames,
      unsentBytes: session.unsentBytes,
      isDraining: session.isDraining,
      onProbation: session.onProbation,
    }));
  }

  /** How many rows of the outbox are in memory. */
  loadedRows(): { readonly executes: number; readonly unblocks: number } {
    return { executes: this.#executes.size, unblocks: this.#unblocks.size };
  }

  #onCommit(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.kind === 'task') this.#executes.onTask(change.task);
      else if (change.kind === 'execute') this.#executes.onExecute(change.queue, change.row);
      else if (change.kind === 'unblock') this.#unblocks.onUnblock(change.queue, change.row);
    }
  }

  /** One slice. Answers whether there is more to do. */
  #run(): boolean {
    const { sliceSize } = this.#config;
    try {
      this.#executes.deliver(sliceSize);
      this.#unblocks.deliver(sliceSize);
    } catch (error) {
      this.#log.error({ err: error }, 'the outbox could not be read, trying again with the next message or sweep');
    }
    for (const session of this.#unflushed) session.flush();
    this.#unflushed.clear();
    return this.#executes.isDirty || this.#unblocks.isDirty;
  }

  #refresh(session: Session): void {
    this.#executes.refresh(session);
    this.#unblocks.refresh(session);
  }

  /** Ends a session from this side. */
  #end(session: Session, reason: EndReason): void {
    if (this.#remove(session, reason)) session.end(reason);
  }

  /**
   * Everything of the session, and of this session alone, is undone. False if it was before: the late end of a stream that
   * was replaced takes nothing from its successor.
   */
  #remove(session: Session, cause: EndReason | 'closed'): boolean {
    if (session.isClosed) return false;
    session.close();
    this.#registry.remove(session);
    this.#unflushed.delete(session);
    this.#executes.leave(session);
    this.#unblocks.leave(session);
    this.#log.info({ session: session.id, group: session.group, worker: session.pid, cause }, 'session ended');
    return true;
  }

  #armSweep(): void {
    this.#sweepTimer = this.#options.timers.after(this.#config.sweepInterval, () => {
      this.#executes.sweep();
      this.#unblocks.sweep();
      this.#armSweep();
    });
  }
}
