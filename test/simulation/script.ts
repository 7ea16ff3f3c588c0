/** A script of the simulation: plain data, so that it can be printed, shrunk and replayed. Instants are absolute, in ms. */
import type { Request } from '../model/operations.js';

export type Step =
  | { readonly do: 'request'; readonly operation: Request }
  /** The clock goes on to an instant; never back. */
  | { readonly do: 'clock'; readonly to: number }
  /** Everything that is due fires once, retries included. */
  | { readonly do: 'sweep' }
  /** As the server fires by itself: at most `limit` of a kind, retries left to the dispatcher. */
  | { readonly do: 'slice'; readonly kind: 'schedule' | 'promise' | 'task'; readonly limit: number }
  /** One firing, due or not. `limit` is for schedules. */
  | {
      readonly do: 'fire';
      readonly kind: 'schedule' | 'promise' | 'retry' | 'lease';
      readonly id: string;
      readonly limit: number;
    }
  | { readonly do: 'acknowledge'; readonly promiseId: string; readonly address: string }
  /** Unblocks that were sent before an instant are dropped. */
  | { readonly do: 'drop unblocks'; readonly before: number };

/** Where every script's clock starts: a minute after the epoch, so that instants are short to read. */
export const START = 60_000;

export function showStep(step: Step): string {
  return step.do === 'request'
    ? `${step.operation.name} ${JSON.stringify(step.operation.request)}`
    : JSON.stringify(step);
}
