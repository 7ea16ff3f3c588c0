/** Does work for 0 up to `count`, with at most `width` of them under way at one time. */
export async function inParallel(count: number, width: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}
