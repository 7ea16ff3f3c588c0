/** Waiting for conditions: as long as a slow machine may need, and never for a time that has to pass. */
import { setTimeout as pause } from 'node:timers/promises';

/** How long a condition may take to come true, in ms. */
export const PATIENCE_MS = 120_000;

/** From one look to the next, in ms: longer and longer, up to this. */
const FIRST_INTERVAL_MS = 20;
const LONGEST_INTERVAL_MS = 200;

/** Looks until it finds something, and returns it. Throws, saying what was expected, when its patience ends. */
export async function until<T>(
  expected: string,
  look: () => Promise<T | undefined | false>,
  patienceMs: number,
): Promise<T> {
  const endAt = performance.now() + patienceMs;
  for (let intervalMs = FIRST_INTERVAL_MS; ; intervalMs = Math.min(1.5 * intervalMs, LONGEST_INTERVAL_MS)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > endAt) throw new Error(`expected within ${patienceMs} ms: ${expected}`);
    await pause(intervalMs);
  }
}
