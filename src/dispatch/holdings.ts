/** Who holds which task, as committed. */
import type { TaskObject } from '../protocol/objects.js';

/** Kept by pid, not by session: a process that reconnects still holds what it held. */
export class Holdings {
  readonly #holders = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(held: Iterable<{ readonly taskId: string; readonly pid: string }>) {
    for (const { taskId, pid } of held) this.#hold(taskId, pid);
  }

  /** How many tasks are acquired under the pid. */
  count(pid: string): number {
    return this.#counts.get(pid) ?? 0;
  }

  /** Takes a committed task over. Says who gained it and who lost it; nobody if nothing changed hands. */
  apply(task: TaskObject): { readonly gained?: string | undefined; readonly lost?: string | undefined } {
    const before = this.#holders.get(task.id);
    const after = task.state === 'acquired' ? task.pid : undefined;
    if (before === after) return {};
    if (before !== undefined) this.#release(task.id, before);
    if (after !== undefined) this.#hold(task.id, after);
    return { gained: after, lost: before };
  }

  #hold(taskId: string, pid: string): void {
    this.#holders.set(taskId, pid);
    this.#counts.set(pid, this.count(pid) + 1);
  }

  #release(taskId: string, pid: string): void {
    this.#holders.delete(taskId);
    const left = this.count(pid) - 1;
    if (left > 0) this.#counts.set(pid, left);
    else this.#counts.delete(pid);
  }
}
