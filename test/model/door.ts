/** SPEC "Requests that are not requests": whether a request is let in. The message of a refusal is not modelled. */
import { isCron, nextCron } from './cron.js';
import type { Request } from './operations.js';
import type { PromiseCreate, PromiseSettle } from './promises.js';
import type { ScheduleCreate } from './schedules.js';
import { MAX_NUMBER, tagOf, type Pairs, type PromiseState } from './state.js';
import { expand } from './timeouts.js';

export function isLetIn({ name, request }: Request): boolean {
  switch (name) {
    case 'promise.get':
    case 'task.get':
    case 'task.halt':
    case 'task.continue':
    case 'schedule.get':
    case 'schedule.delete':
      return isId(request.id);
    case 'promise.create':
      return isPromise(request);
    case 'promise.settle':
      return isSettlement(request);
    case 'promise.register_callback':
      return isId(request.awaited) && isId(request.awaiter);
    case 'promise.register_listener':
      return isId(request.awaited) && isId(request.address);
    case 'promise.search':
    case 'task.search':
    case 'schedule.search':
      return true;
    case 'task.create':
      return isId(request.pid) && isTtl(request.ttl) && isPromise(request.action);
    case 'task.acquire':
      return isId(request.id) && isNatural(request.version) && isId(request.pid) && isTtl(request.ttl);
    case 'task.fence': {
      const { action } = request;
      const isAction = action.kind === 'create' ? isPromise(action.promise) : isSettlement(action.promise);
      return isId(request.id) && isNatural(request.version) && isAction;
    }
    case 'task.heartbeat':
      return isId(request.pid) && request.tasks.every(({ id, version }) => isId(id) && isNatural(version));
    case 'task.suspend':
      return (
        isId(request.id) &&
        isNatural(request.version) &&
        request.awaited.length > 0 &&
        request.awaited.every((id) => isId(id) && id !== request.id)
      );
    case 'task.fulfill':
      return isId(request.id) && isNatural(request.version) && isSettleState(request.state);
    case 'task.release':
      return isId(request.id) && isNatural(request.version);
    case 'schedule.create':
      return isSchedule(request);
  }
}

/** An id, a pid, an address or a cron. */
function isId(text: string): boolean {
  return text !== '' && isShort(text);
}

function isShort(text: string): boolean {
  const bytes = Buffer.from(text);
  return bytes.length <= 512 && !text.includes('\0') && bytes.toString() === text;
}

function isNatural(number: number): boolean {
  return number >= 0 && number <= MAX_NUMBER;
}

function isTtl(number: number): boolean {
  return number !== 0 && isNatural(number);
}

function isPromise({ id, timeoutAt, tags }: PromiseCreate): boolean {
  return isId(id) && isNatural(timeoutAt) && areTags(tags);
}

function areTags(tags: Pairs): boolean {
  const delay = tagOf(tags, 'resonate:delay') ?? '0';
  return isShort(tagOf(tags, 'resonate:target') ?? '') && /^[0-9]+$/.test(delay) && isNatural(Number(delay));
}

function isSettlement({ id, state }: PromiseSettle): boolean {
  return isId(id) && isSettleState(state);
}

function isSettleState(state: PromiseState): boolean {
  return state === 'resolved' || state === 'rejected' || state === 'rejected_canceled';
}

function isSchedule({ id, cron, promiseId, promiseTimeout, promiseTags }: ScheduleCreate): boolean {
  return (
    isId(id) &&
    isId(cron) &&
    isCron(cron) &&
    nextCron(cron, 0) < Infinity &&
    isId(promiseId) &&
    isId(expand(promiseId, id, MAX_NUMBER)) &&
    isNatural(promiseTimeout) &&
    areTags(promiseTags)
  );
}
