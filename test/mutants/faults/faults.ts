/** All named faults. */
import { deliveryFaults } from './delivery.js';
import type { Fault } from './fault.js';
import { protocolFaults } from './protocol.js';
import { serverFaults } from './server.js';
import { sessionFaults } from './sessions.js';
import { timeFaults } from './time.js';
import { writingFaults } from './writing.js';

export const FAULTS: readonly Fault[] = [
  ...writingFaults,
  ...timeFaults,
  ...deliveryFaults,
  ...sessionFaults,
  ...serverFaults,
  ...protocolFaults,
];
