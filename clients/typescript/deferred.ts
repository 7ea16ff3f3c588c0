/** A promise that is settled from outside, once. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  /** True if this call settled it. */
  resolve(value: T): boolean;
  /** True if this call settled it. */
  reject(error: Error): boolean;
}

/** A new one; only the first call of `resolve` or `reject` counts. */
export function deferred<T = void>(): Deferred<T> {
  let settled = false;
  let accept!: (value: T) => void;
  let refuse!: (error: Error) => void;
  const promise = new Promise<T>((resolve, reject) => {
    accept = resolve;
    refuse = reject;
  });
  const once = (settle: () => void): boolean => {
    if (settled) return false;
    settled = true;
    settle();
    return true;
  };
  return {
    promise,
    resolve: (value) => once(() => accept(value)),
    reject: (error) => once(() => refuse(error)),
  };
}
