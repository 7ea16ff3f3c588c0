/** The scenarios, in the order of the table. */
import { attempts } from './attempts.js';
import { drain } from './drain.js';
import { fanOut } from './fan-out.js';
import { inFlight } from './in-flight.js';
import { leaseLoss } from './lease-loss.js';
import type { Scenario } from './scenario.js';
import { serverKill } from './server-kill.js';
import { sessionReplaced } from './session-replaced.js';
import { settle } from './settle.js';
import { silence, streamCut } from './stream-cut.js';
import { sleep } from './sleep.js';
import { suspend } from './suspend.js';
import { unblock } from './unblock.js';
import { values } from './values.js';

/** All of them. */
export const SCENARIOS: readonly Scenario[] = [
  values,
  attempts,
  settle,
  sleep,
  fanOut,
  suspend,
  leaseLoss,
  serverKill,
  streamCut,
  silence,
  drain,
  sessionReplaced,
  inFlight,
  unblock,
];
