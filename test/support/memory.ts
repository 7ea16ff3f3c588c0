import { readFileSync, writeFileSync } from 'node:fs';

/** The high-water mark of a process's resident memory, in MB: since it began, or since `forgetPeak`. */
export function peakMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.ceil(Number(kilobytes) / 1024);
}

/** The mark is what it holds now. */
export function forgetPeak(pid: number): void {
  // The number that the kernel takes for this.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
