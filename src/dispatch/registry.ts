/** The open sessions, by every name they go by. */
import type { Session } from './session.js';

const NOBODY: ReadonlySet<Session> = new Set();

/** At most one session per group and pid. */
export class SessionRegistry {
  readonly #byId = new Map<string, Session>();
  readonly #byPid = new Map<string, Set<Session>>();

  add(session: Session): void {
    this.#byId.set(session.id, session);
    const sessions = this.#byPid.get(session.pid);
    if (sessions === undefined) this.#byPid.set(session.pid, new Set([session]));
    else sessions.add(session);
  }

  remove(session: Session): void {
    this.#byId.delete(session.id);
    const sessions = this.#byPid.get(session.pid);
    sessions?.delete(session);
    if (sessions?.size === 0) this.#byPid.delete(session.pid);
  }

  all(): readonly Session[] {
    return [...this.#byId.values()];
  }

  get(id: string): Session | undefined {
    return this.#byId.get(id);
  }

  find(group: string, pid: string): Session | undefined {
    for (const session of this.of(pid)) if (session.group === group) return session;
    return undefined;
  }

  /** The sessions of a pid: one per group that it is connected to. */
  of(pid: string): ReadonlySet<Session> {
    return this.#byPid.get(pid) ?? NOBODY;
  }
}
