/** A store under test: the project's handlers on it, driven by the steps of a script, its answers and state in the model's terms. */
import { nextCron } from '../../src/engine/cron.js';
import { fireDue, SWEEP_ORDER } from '../../src/engine/timeouts.js';
import { promiseTimeout, scheduleTimeout, taskLease, taskRetry } from '../../src/protocol/actions/02-timeouts.js';
import { execute, isRead, wouldProject, type Operation } from '../../src/protocol/operations.js';
import { isRefusal } from '../../src/protocol/outcome.js';
import type { Config, Tx } from '../../src/protocol/tx.js';
import { RequestError } from '../../src/server/errors.js';
import type { Store, StoreTx } from '../../src/store/store.js';
import type { Request } from '../model/operations.js';
import { REFUSED_AT_THE_DOOR, type Response } from '../model/response.js';
import { RETRY_TIMEOUT, type State } from '../model/state.js';
import { responseOf, stateOf } from './records.js';
import type { Step } from './script.js';
import { throughTheDoor } from './wire.js';

export const config: Config = { retryTimeout: RETRY_TIMEOUT, nextCron };

/** A response, or how much a step of another sort fired or removed. */
export type Answer = Response | { readonly count: number };

export class Subject {
  constructor(
    readonly name: string,
    readonly store: Store,
  ) {}

  /** One step, in one transaction. */
  run(step: Step, now: number): Answer {
    switch (step.do) {
      case 'request':
        return this.#request(step.operation, now);
      case 'clock':
        return { count: 0 };
      case 'sweep':
        return this.#count((tx) => SWEEP_ORDER.reduce((fired, kind) => fired + this.#fire(tx, kind, now), 0));
      case 'slice':
        return this.#count((tx) => this.#fire(tx, step.kind, now, step.limit));
      case 'fire':
        return this.#count((tx) => fireOne(tx, step, now));
      case 'acknowledge':
        return this.#count((tx) => Number(tx.deleteUnblock(step.promiseId, step.address)));
      case 'drop unblocks':
        return this.#count((tx) => tx.deleteUnblocksBefore(step.before, Infinity));
    }
  }

  /** What is stored. Throws if its parts contradict each other. */
  state(): State {
    return stateOf(this.store);
  }

  #request(request: Request, now: number): Response {
    let operation: Operation;
    try {
      operation = throughTheDoor(request);
    } catch (error) {
      if (error instanceof RequestError && error.reason === 'INVALID_REQUEST') return REFUSED_AT_THE_DOOR;
      throw error;
    }
    if (!isRead(operation.name)) return responseOf(this.store.transact((tx) => execute(tx, operation, now)).result);
    return this.store.read((tx) => this.#read(tx, operation, now));
  }

  /** The server must know of a read that it would show what is not written yet: it takes its turn among the writes then. */
  #read(tx: Tx, operation: Operation, now: number): Response {
    const outcome = execute(tx, operation, now);
    const [id] = 'id' in operation.request ? [operation.request.id] : [];
    const stored = id === undefined || operation.name.startsWith('schedule') ? undefined : tx.getPromise(id);
    const projects = !isRefusal(outcome) && stored?.state === 'pending' && stored.timeoutAt <= now;
    if (projects && !wouldProject(tx, operation, now)) throw new Error('wouldProject overlooks a projection');
    return responseOf(outcome);
  }

  #fire(tx: StoreTx, kind: Parameters<typeof fireDue>[2], now: number, limit?: number): number {
    return fireDue(this.store, tx, kind, now, {
      limit: limit ?? Infinity,
      leases: true,
      retries: limit === undefined,
      mayFire: () => true,
    });
  }

  #count(work: (tx: StoreTx) => number): Answer {
    return { count: this.store.transact(work).result };
  }
}

function fireOne(tx: StoreTx, { kind, id, limit }: Extract<Step, { do: 'fire' }>, now: number): number {
  switch (kind) {
    case 'schedule':
      return scheduleTimeout(tx, id, now, limit);
    case 'promise':
      return Number(promiseTimeout(tx, id, now));
    case 'retry':
      return Number(taskRetry(tx, id, now));
    case 'lease':
      return Number(taskLease(tx, id, now));
  }
}
