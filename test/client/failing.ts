import { ResonateError } from '../../clients/typescript/index.js';

/** The error that a call fails with. */
export async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('did not fail');
}

/** The same, for errors of calls. */
export async function refusal(promise: Promise<unknown>): Promise<ResonateError> {
  const error = await failure(promise);
  if (error instanceof ResonateError) return error;
  throw error;
}
