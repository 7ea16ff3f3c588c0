/** What a process has used, as Linux counts it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A tick of the kernel's accounts, in µs. */
const TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export interface Usage {
  /** User and system time of all its threads, in µs. */
  readonly cpuUs: number;
  /** What it has caused to be written to the disk, in bytes. */
  readonly writtenBytes: number;
}

export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in parentheses, may hold blanks; the state comes behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  const written = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
  return { cpuUs: (user + system) * TICK_US, writtenBytes: Number(written) };
}
