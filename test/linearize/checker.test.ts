import { expect } from 'chai';
import type { Request } from '../model/operations.js';
import type { Response } from '../model/response.js';
import type { Pairs } from '../model/state.js';
import { Random } from '../support/random.js';
import { ALTERATIONS } from './alterations.js';
import { bruteForce } from './brute-force.js';
import { check, type Step } from './checker.js';
import { clockFaults, components, place, type Call, type PlacedCall } from './history.js';
import { Load } from './load.js';
import { due, fire, INITIAL, run } from './specification.js';

const TARGET: Pairs = [['resonate:target', 'any@w']];
const LATE = 10_000;

const create = (id: string, tags: Pairs = [], timeoutAt = LATE): Request => ({
  name: 'promise.create',
  request: { id, timeoutAt, param: { headers: [] }, tags },
});
const get = (id: string): Request => ({ name: 'promise.get', request: { id } });
const getTask = (id: string): Request => ({ name: 'task.get', request: { id } });
const takeTask = (id: string, ttl = LATE): Request => ({
  name: 'task.create',
  request: { pid: 'p', ttl, action: { id, timeoutAt: LATE, param: { headers: [] }, tags: TARGET } },
});
const suspend = (id: string, ...awaited: string[]): Request => ({
  name: 'task.suspend',
  request: { id, version: 1, awaited },
});

const missing = (id: string): Response => ({ status: 404, reason: 'PROMISE_NOT_FOUND', metadata: { id } });
const promise = (id: string, createdAt: number, tags: Pairs = [], timeoutAt = LATE): Response => ({
  status: 200,
  promise: {
    id,
    state: 'pending',
    param: { headers: [] },
    value: { headers: [] },
    tags,
    timeoutAt,
    createdAt,
  },
});
const task = (state: 'pending' | 'suspended', resumes = 0): Response => ({
  status: 200,
  task: { id: 't', state, version: 1, resumes },
});
const held = (ttl = LATE): Response => ({
  status: 200,
  task: { id: 't', state: 'acquired', version: 1, resumes: 0, ttl, pid: 'p' },
});
const taken = (now: number, ttl = LATE): Response => ({ ...promise('t', now, TARGET), ...held(ttl) });

/** A call over an interval, answered by a handler at `now`. */
function call([calledAt, returnedAt]: [number, number], now: number, operation: Request, response: Response): Call {
  return { client: 0, operation, calledAt, answer: { returnedAt, now, response } };
}

function lost(calledAt: number, operation: Request): Call {
  return { client: 0, operation, calledAt };
}

const verdict = (...calls: Call[]) => check(place(calls)).kind;

describe('linearizability checker', () => {
  it('explains overlapping calls of one instant in either order', () => {
    const write = call([1, 4], 100, create('p'), promise('p', 100));
    expect(verdict(write, call([2, 3], 100, get('p'), missing('p')))).to.equal('explained');
    expect(verdict(write, call([2, 3], 100, get('p'), promise('p', 100)))).to.equal('explained');
  });

  it('refutes a read that misses a write which had returned', () => {
    const write = call([1, 2], 100, create('p'), promise('p', 100));
    expect(verdict(write, call([3, 4], 100, get('p'), missing('p')))).to.equal('refuted');
  });

  it('refutes overlapping calls against the order of their instants', () => {
    const write = call([1, 4], 100, create('p'), promise('p', 100));
    expect(verdict(write, call([2, 3], 101, get('p'), missing('p')))).to.equal('refuted');
    expect(verdict(write, call([2, 3], 99, get('p'), promise('p', 100)))).to.equal('refuted');
  });

  it('lets a call whose answer was lost run at any later moment, or never', () => {
    const before = call([1, 2], 100, get('p'), missing('p'));
    const write = lost(3, create('p'));
    expect(verdict(before, write, call([4, 5], 200, get('p'), missing('p')))).to.equal('explained');
    expect(verdict(before, write, call([4, 5], 200, get('p'), promise('p', 150)))).to.equal('explained');
    const after = [call([4, 5], 200, get('p'), missing('p')), call([6, 7], 300, get('p'), promise('p', 250))];
    expect(verdict(before, write, ...after)).to.equal('explained');
  });

  it('does not let it run twice, before it was made, in the past, or and then not', () => {
    const write = lost(3, create('p'));
    const seen = call([4, 5], 200, get('p'), promise('p', 150));
    expect(verdict(write, seen, call([6, 7], 200, get('p'), promise('p', 160)))).to.equal('refuted');
    expect(verdict(call([1, 2], 150, get('p'), promise('p', 150)), write)).to.equal('refuted');
    expect(verdict(call([1, 2], 151, get('p'), missing('p')), write, seen)).to.equal('refuted');
    expect(verdict(write, seen, call([6, 7], 200, get('p'), missing('p')))).to.equal('refuted');
  });

  it('takes the earliest instant of a lost call from answers about other ids too', () => {
    const write = lost(3, create('p'));
    const calls = [call([1, 2], 160, get('q'), missing('q')), write, call([4, 5], 200, get('p'), promise('p', 150))];
    expect(components(place(calls)).map((component) => check(component).kind)).to.have.members([
      'explained',
      'refuted',
    ]);
  });

  it('lets a lease be lost from its instant on, but not before, and only once', () => {
    const take = call([1, 2], 100, takeTask('t', 10), taken(100, 10));
    expect(verdict(take, call([3, 4], 109, getTask('t'), task('pending')))).to.equal('refuted');
    const lease = call([3, 4], 110, getTask('t'), task('pending'));
    expect(verdict(take, lease)).to.equal('explained');
    expect(verdict(take, call([3, 4], 200, getTask('t'), held(10)))).to.equal('explained');
    expect(verdict(take, lease, call([5, 6], 200, getTask('t'), held(10)))).to.equal('refuted');
  });

  it('lets a deadline resume an awaiter from its instant on, but not before', () => {
    const parked = [
      call([1, 2], 100, create('q', [], 150), promise('q', 100, [], 150)),
      call([3, 4], 100, takeTask('t'), taken(100)),
      call([5, 6], 100, suspend('t', 'q'), { status: 200 }),
    ];
    expect(verdict(...parked, call([7, 8], 149, getTask('t'), task('pending', 1)))).to.equal('refuted');
    expect(verdict(...parked, call([7, 8], 150, getTask('t'), task('pending', 1)))).to.equal('explained');
    expect(verdict(...parked, call([7, 8], 150, getTask('t'), task('suspended')))).to.equal('explained');
  });

  it('is undecided, not content, when it has to stop before the end', () => {
    const calls = place([call([1, 2], 100, create('p'), promise('p', 100))]);
    expect(check(calls, 1).kind).to.equal('undecided');
  });

  it('finds answers whose clock went back', () => {
    const back = [call([1, 2], 101, get('p'), missing('p')), call([3, 4], 100, get('q'), missing('q'))];
    expect(clockFaults(place(back))).to.have.length(1);
    const overlapping = [call([1, 3], 101, get('p'), missing('p')), call([2, 4], 100, get('q'), missing('q'))];
    expect(clockFaults(place(overlapping))).to.deep.equal([]);
  });

  it('keeps ids together that a call connects, and no others', () => {
    const calls = [get('a'), get('b'), suspend('c', 'b'), get('d')].map((operation) => lost(1, operation));
    const names = components(place(calls)).map((component) => component.length);
    expect(names.sort()).to.deep.equal([1, 1, 2]);
  });

  it('explains every history that the model makes, lost answers and all', () => {
    for (let seed = 0; seed < 150; seed++) {
      expect(check(modelHistory(seed, 20).calls).kind, `seed ${seed}`).to.equal('explained');
    }
  });

  it('agrees with brute force on altered histories', () => {
    const counts = { possible: 0, impossible: 0 };
    for (let seed = 0; seed < 120; seed++) {
      for (const [kind, alter] of Object.entries(ALTERATIONS)) {
        const altered = alter(modelHistory(seed, 0), new Random(seed));
        const finding = altered && bruteForce(altered);
        if (altered === undefined || finding === undefined) continue;
        const judged = check(altered).kind;
        expect(judged, `${kind}, seed ${seed}`).to.equal(finding.possible ? 'explained' : 'refuted');
        counts[finding.possible ? 'possible' : 'impossible']++;
      }
    }
    expect(counts.possible).to.be.greaterThan(5);
    expect(counts.impossible).to.be.greaterThan(150);
  });
});

/** A small history as the model makes it, with an order behind it. Of a hundred answers `percentLost` are lost. */
function modelHistory(seed: number, percentLost: number): { calls: readonly PlacedCall[]; order: readonly Step[] } {
  const random = new Random(seed);
  const load = new Load(random, 1);
  const calls: Call[] = [];
  const order: ((placed: readonly PlacedCall[]) => Step)[] = [];
  let state = INITIAL;
  let now = 1_000;
  for (let at = 0; at < 14; at++) {
    now += random.pick([0, 0, 0, 1, 2, 20, 100]);
    for (const firing of due(state, now).filter(() => random.below(2) === 0)) {
      const firedAt = now;
      state = fire(state, firing, firedAt);
      order.push(() => ({ kind: 'firing', firing, now: firedAt }));
    }
    const { operation, learn } = load.next(`pid-${random.below(3)}`, now);
    const calledAt = at - 4 * random.next();
    const isLost = random.below(100) < percentLost;
    // Of what is lost some never ran.
    if (isLost && random.below(2) === 0) calls.push({ client: 0, operation, calledAt });
    else {
      const after = run(state, operation, now);
      state = after.state;
      learn(after.response);
      const answer = { returnedAt: at + 4 * random.next(), now, response: after.response };
      const made: Call = { client: 0, operation, calledAt, ...(isLost ? {} : { answer }) };
      calls.push(made);
      const ranAt = now;
      order.push((placed) => ({ kind: 'call', call: placed.find((each) => each.calledAt === calledAt)!, now: ranAt }));
    }
  }
  const placed = place(calls);
  return { calls: placed, order: order.map((step) => step(placed)) };
}
