import { parseAddress } from '../protocol/address.js';
import type { Queue } from './store.js';

/** The queue that a message to this address waits in. A preferred pid is only a preference: it waits with its group's. */
export function queueOf(address: string): Queue {
  const parsed = parseAddress(address);
  return parsed.kind === 'uni' ? { group: parsed.group, pid: parsed.pid } : { group: parsed.group };
}

export function sameQueue(a: Queue, b: Queue): boolean {
  return a.group === b.group && a.pid === b.pid;
}
