import type { ScheduleObject } from '../../protocol/objects.js';
import { decodeSchedule, encodeSchedule } from './codec.js';
import { scheduleKey } from './keys.js';
import type { Rows } from './rows.js';
import { moveTimeout, scheduleTimeoutOf } from './timeout-index.js';

/** The schedules of one transaction: each is read once, changed in memory, and written once when the transaction ends. */
export class Schedules {
  readonly #rows: Rows;
  readonly #stored = new Map<string, ScheduleObject | undefined>();
  readonly #changed = new Map<string, ScheduleObject | undefined>();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  get haveChanged(): boolean {
    return this.#changed.size > 0;
  }

  get(id: string): ScheduleObject | undefined {
    return this.#changed.has(id) ? this.#changed.get(id) : this.#load(id);
  }

  /** Undefined deletes it. */
  set(id: string, schedule: ScheduleObject | undefined): void {
    this.#changed.set(id, schedule);
  }

  /** Writes what has changed since the last flush. */
  flush(): void {
    for (const [id, schedule] of this.#changed) {
      const stored = this.#load(id);
      const key = scheduleKey(id);
      if (schedule !== undefined) this.#rows.put(key, encodeSchedule(schedule));
      else this.#rows.remove(key);
      moveTimeout(this.#rows, 'schedule', id, scheduleTimeoutOf(stored), scheduleTimeoutOf(schedule));
      this.#stored.set(id, schedule);
    }
    this.#changed.clear();
  }

  #load(id: string): ScheduleObject | undefined {
    if (!this.#stored.has(id)) {
      const bytes = this.#rows.get(scheduleKey(id));
      this.#stored.set(id, bytes === undefined ? undefined : decodeSchedule(id, bytes));
    }
    return this.#stored.get(id);
  }
}
