import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** A process name that no other process has: the host and the number for people, the rest for uniqueness. */
export function newPid(): string {
  return `${hostname().slice(0, 200)}-${process.pid}-${randomUUID().slice(0, 8)}`;
}
