import { expect } from 'chai';
import { countSteps, describe as explain, examine, isExplained, refute, type Examination } from './linearize.js';
import { record } from './record.js';

const SEED = 1;
/** Of each class; `npm run linearize` alters more. */
const ALTERED = 3;

describe('linearizability of a server under concurrent clients', function () {
  this.timeout(120_000);
  let examination: Examination;

  before(async () => {
    examination = examine(await record({ clients: 16, ops: 2_000, seed: SEED }));
  });

  it('explains every answer by one order of the calls', () => {
    const unexplained = examination.components.filter(({ verdict }) => verdict.kind !== 'explained').map(explain);
    expect(unexplained).to.deep.equal([]);
    expect(isExplained(examination)).to.equal(true);
  });

  it('saw tasks change hands, by release and by lost leases', () => {
    const steps = [...countSteps(examination.components).keys()];
    expect(steps).to.include.members(['task.acquire 200', 'task.create 200', 'task.release 200', 'a lease lost']);
  });

  it('refutes altered histories of each class, and agrees with brute force', () => {
    for (const { kind, impossible, refuted, possible, explained } of refute(examination, SEED, ALTERED)) {
      expect({ kind, refuted, explained }).to.deep.equal({ kind, refuted: impossible, explained: possible });
      expect(impossible, kind).to.equal(ALTERED);
    }
  });
});
