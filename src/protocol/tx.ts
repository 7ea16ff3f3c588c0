/** The effects of the protocol: all that a handler can do. Synchronous, and by key. */
import type { PromiseObject, ScheduleObject, TaskObject } from './objects.js';

/** What the protocol takes from outside: configuration, and the calendar. */
export interface Config {
  /** How long a pushed task may stay pending before it is sent again, in ms. */
  readonly retryTimeout: number;
  /** The first instant of the cron expression strictly after `after`, or undefined if there is none. */
  readonly nextCron: (cron: string, after: number) => number | undefined;
}

/**
 * One transaction. Reads see its own writes; all of it is committed, or nothing.
 *
 * The objects are immutable: change one by setting a new one under the same id. A timeout is a field of its object, so
 * setting the object arms and disarms it.
 */
export interface Tx {
  readonly config: Config;

  getPromise(id: string): PromiseObject | undefined;
  setPromise(promise: PromiseObject): void;

  getTask(id: string): TaskObject | undefined;
  setTask(task: TaskObject): void;

  getSchedule(id: string): ScheduleObject | undefined;
  setSchedule(schedule: ScheduleObject): void;
  deleteSchedule(id: string): void;

  /** Adds the awaiter to the callbacks of the awaited promise. A set: twice is once, at its first place. Both exist. */
  addCallback(awaitedId: string, awaiterId: string): void;
  /** Removes and returns the callbacks of a promise, in order. */
  takeCallbacks(awaitedId: string): readonly string[];
  /** Removes the awaiter from the callbacks of every promise: the settlement scrub. */
  dropCallbacksOf(awaiterId: string): void;

  /** Adds an address to the listeners of a promise. A set: twice is once, at its first place. */
  addListener(awaitedId: string, address: string): void;
  /** Removes and returns the listeners of a promise, in order. */
  takeListeners(awaitedId: string): readonly string[];

  /** Adds an awaited id to the resumes of a task. A set: false if it was there. The count is the task's `resumes`. */
  addResume(taskId: string, awaitedId: string): boolean;
  /** Empties the resumes of a task. */
  clearResumes(taskId: string): void;

  /** Puts execute(taskId, version) into the outbox. One that is there already, for the same address, keeps its place. */
  sendExecute(taskId: string, version: number, address: string): void;
  /** Takes the task's execute out of the outbox, if there is one. */
  withdrawExecute(taskId: string): void;
  /** Puts unblock(promise) for the address into the outbox. The promise is settled; it is read when the message is sent. */
  sendUnblock(promiseId: string, address: string, now: number): void;
}
