/** The processes that the driver has started: none outlives it. */
import type { ChildProcess } from 'node:child_process';

const alive = new Set<ChildProcess>();
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')));

/** Ends the child with this process, if it has not ended before. */
export function endWithUs(child: ChildProcess): void {
  alive.add(child);
  child.once('exit', () => alive.delete(child));
}
