/** What the worker of the conformance test says about itself, a line each. */
import { Reject, RunOver, type Handler, type PromiseRecord } from '../index.js';

/** Prints a line; it is out when this returns. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The handler, saying when it begins and how it ends: by itself, or because its run is over. */
export function reported(handler: Handler): Handler {
  return async (context) => {
    const { task, signal } = context;
    let how: string | undefined;
    const end = (by: string): void => {
      if (how === undefined) say(`ended ${task.id} ${task.version} ${by}`);
      how ??= by;
    };
    say(`started ${task.id} ${task.version}`);
    signal.addEventListener('abort', () => end((signal.reason as RunOver).end));
    try {
      const result: unknown = await handler(context);
      end('returned');
      return result;
    } catch (error) {
      if (error instanceof RunOver) end(error.end);
      else end(error instanceof Reject ? 'rejected' : 'failed');
      throw error;
    }
  };
}

/** Says which unblocks come. Fails the first time that one comes for a promise which asks for it. */
export function reportedUnblocks(): (promise: PromiseRecord, address: string) => void {
  const failed = new Set<string>();
  return ({ id, tags }, address) => {
    say(`unblocked ${id} ${address}`);
    if (tags.get('conformance:unblock') !== 'twice' || failed.has(id)) return;
    failed.add(id);
    throw new Error('the first time fails');
  };
}
