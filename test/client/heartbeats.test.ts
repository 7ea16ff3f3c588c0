import { expect } from 'chai';
import type { ResonateClient } from '../../clients/typescript/index.js';
import type { TaskRef } from '../../clients/typescript/gen/resonate_grpc/v1/task.js';
import { systemClock } from '../../clients/typescript/clock.js';
import { Heartbeats } from '../../clients/typescript/heartbeats.js';
import { Lease } from '../../clients/typescript/lease.js';
import { silentLog } from '../../clients/typescript/log.js';
import { RunOver } from '../../clients/typescript/outcomes.js';

describe('the heartbeats of a worker', () => {
  it('renew any number of leases, in calls that stay within the limit of a request', async () => {
    const sent: TaskRef[][] = [];
    const client = {
      clock: systemClock,
      taskHeartbeat: ({ tasks }: { tasks: TaskRef[] }) => Promise.resolve(void sent.push(tasks)),
    };
    const takenAt = systemClock.now() - 3_000_000;
    const heartbeats = new Heartbeats(client as unknown as ResonateClient, 'pid', 6_000_000, silentLog);
    const leases = Array.from(
      { length: 2_001 },
      (_, i) => new Lease({ id: `t${i}`, version: 1 }, 6_000_000, systemClock, takenAt),
    );
    for (const lease of leases) heartbeats.add(lease);
    await heartbeats.beat();
    for (const lease of leases) {
      heartbeats.remove(lease);
      lease.end(new RunOver('finished'));
    }
    expect(sent.map((tasks) => tasks.length)).to.deep.equal([1_000, 1_000, 1]);
    expect(sent.flat().map(({ id }) => id)).to.deep.equal(leases.map(({ task }) => task.id));
    expect(leases.every(({ leftMs }) => leftMs > 4_000_000)).to.equal(true);
  });
});
