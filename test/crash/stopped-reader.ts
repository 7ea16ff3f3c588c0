/**
 * A process with one Dispatch stream, for a parent that stops it: `stopped-reader.js address group pid max_in_flight`. Says
 * `ready` when the stream is open, and nothing more.
 */
import { DispatchRecorder } from '../support/dispatch-recorder.js';

const [address, group, pid, maxInFlight] = process.argv.slice(2) as [string, string, string, string];
const stream = await DispatchRecorder.connect(address, { group, pid, maxInFlight: Number(maxInFlight) });
process.stdout.write('ready\n');
await stream.ended;
stream.close();
