/** A closed loop: so many calls are under way at any time. */

export interface Measured {
  readonly calls: number;
  readonly seconds: number;
  /** Latencies in µs, ascending. */
  readonly latencies: readonly number[];
}

/** Calls `next` from `inFlight` loops for a while, or until it has nothing more to call: it answers undefined then. */
export async function load(
  inFlight: number,
  seconds: number,
  next: () => Promise<void> | undefined,
): Promise<Measured> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  const loop = async (): Promise<void> => {
    for (let now = performance.now(); now < endAt;) {
      const call = next();
      if (call === undefined) return;
      await call;
      const after = performance.now();
      latencies.push((after - now) * 1_000);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, loop));
  const took = (performance.now() - startedAt) / 1_000;
  return { calls: latencies.length, seconds: took, latencies: latencies.sort((a, b) => a - b) };
}

/** The smallest latency that this share of all do not exceed. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? NaN;
}
