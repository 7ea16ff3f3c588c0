import { expect } from 'chai';
import { expandTemplate, scheduleTimeout } from '../../src/protocol/actions/02-timeouts.js';
import type { ScheduleCreateRequest } from '../../src/protocol/requests.js';
import {
  MAX,
  RETRY,
  retry,
  spec,
  storedPromise,
  storedTask,
  value,
  World,
  type Fields,
  type SpecOptions,
} from './fixture.js';

/** The first instant of `every 60` after NOW. */
const FIRST = 1_000_020;

describe('02 schedule timeout', () => {
  const fire = (world: World, limit = 100): number =>
    world.transact((tx) => scheduleTimeout(tx, 's', world.now, limit));

  function scheduled(fields: Partial<ScheduleCreateRequest> = {}): World {
    const world = new World();
    world.run('schedule.create', {
      id: 's',
      cron: 'every 60',
      promiseId: '{{.id}}.{{.timestamp}}',
      promiseTimeout: 1_000_000,
      promiseParam: value('x'),
      promiseTags: new Map(),
      ...fields,
    });
    return world;
  }

  /** What the schedule creates as of `at`. */
  function occurrence(at: number, options: SpecOptions, fields: Fields = {}): Fields {
    const request = { ...spec(`s.${at}`, options), param: value('x') };
    return storedPromise(request, { createdAt: at, ...fields });
  }

  it('does nothing when there is no such schedule', () => {
    const world = new World();
    expect(world.changes(() => fire(world), {})).to.equal(0);
  });

  it('does nothing before its instant', () => {
    const world = scheduled();
    world.now = FIRST - 1;
    expect(world.changes(() => fire(world), {})).to.equal(0);
  });

  it('creates a promise as of its instant, and moves on to the next', () => {
    const world = scheduled({ promiseTags: new Map([['k', 'v']]) });
    world.now = FIRST;
    const fired = world.changes(() => fire(world), {
      promises: {
        [`s.${FIRST}`]: occurrence(FIRST, { timeoutAt: FIRST + 1_000_000, tags: { k: 'v' } }),
      },
      schedules: { s: { lastRunAt: FIRST, nextRunAt: FIRST + 60 } },
    });
    expect(fired).to.equal(1);
    expect(
      world.changes(() => fire(world), {}),
      'a second time',
    ).to.equal(0);
  });

  it('catches up with every instant, in order, each as of its own', () => {
    const world = scheduled({ promiseTags: new Map([['resonate:target', 'worker']]) });
    world.now = FIRST + 130;
    const instants = [FIRST, FIRST + 60, FIRST + 120];
    const options = (at: number): SpecOptions => ({ target: 'worker', timeoutAt: at + 1_000_000 });
    const fired = world.changes(() => fire(world), {
      promises: Object.fromEntries(
        instants.map((at) => [`s.${at}`, occurrence(at, options(at), { timeoutArmed: true })]),
      ),
      tasks: Object.fromEntries(
        instants.map((at) => [`s.${at}`, storedTask(`s.${at}`, { timeout: retry(at + RETRY) })]),
      ),
      schedules: { s: { lastRunAt: FIRST + 120, nextRunAt: FIRST + 180 } },
      executes: instants.map((at) => `s.${at} 0 → worker`),
      changes: instants.flatMap((at) => [`task s.${at} pending 0`, `execute s.${at} 0 → worker`]),
    });
    expect(fired).to.equal(3);
  });

  it('catches up in bounded batches, and stays due in between', () => {
    const world = scheduled();
    world.now = FIRST + 130;
    const created = (at: number) => ({ [`s.${at}`]: occurrence(at, { timeoutAt: at + 1_000_000 }) });
    world.changes(() => fire(world, 2), {
      promises: { ...created(FIRST), ...created(FIRST + 60) },
      schedules: { s: { lastRunAt: FIRST + 60, nextRunAt: FIRST + 120 } },
    });
    expect(world.store.dueTimeouts('schedule', world.now, 9)).to.have.length(1);
    const fired = world.changes(() => fire(world, 2), {
      promises: created(FIRST + 120),
      schedules: { s: { lastRunAt: FIRST + 120, nextRunAt: FIRST + 180 } },
    });
    expect(fired).to.equal(1);
    expect(world.store.dueTimeouts('schedule', world.now, 9)).to.deep.equal([]);
  });

  it('drops the rest when it is deleted in between', () => {
    const world = scheduled();
    world.now = FIRST + 130;
    fire(world, 1);
    world.run('schedule.delete', { id: 's' });
    expect(world.changes(() => fire(world, 1), {})).to.equal(0);
    expect(Object.keys(world.state().promises)).to.deep.equal([`s.${FIRST}`]);
  });

  it('stores occurrences that were over before their own instant as settled', () => {
    const world = scheduled({ promiseTimeout: 0, promiseTags: new Map([['resonate:target', 'worker']]) });
    world.now = FIRST;
    world.changes(() => fire(world), {
      promises: {
        [`s.${FIRST}`]: occurrence(
          FIRST,
          { target: 'worker', timeoutAt: FIRST },
          { state: 'rejected_timedout', settledAt: FIRST },
        ),
      },
      tasks: { [`s.${FIRST}`]: storedTask(`s.${FIRST}`, { state: 'fulfilled' }) },
      schedules: { s: { lastRunAt: FIRST, nextRunAt: FIRST + 60 } },
      changes: [`settled s.${FIRST} rejected_timedout`, `task s.${FIRST} fulfilled 0`],
    });
  });

  it('backfills an occurrence that has died since as of its instant, pending and armed, but sends nothing', () => {
    const world = scheduled({ promiseTimeout: 10, promiseTags: new Map([['resonate:target', 'worker']]) });
    world.now = FIRST + 10;
    world.changes(() => fire(world), {
      promises: {
        [`s.${FIRST}`]: occurrence(FIRST, { target: 'worker', timeoutAt: FIRST + 10 }, { timeoutArmed: true }),
      },
      tasks: { [`s.${FIRST}`]: storedTask(`s.${FIRST}`, { timeout: retry(FIRST + RETRY) }) },
      schedules: { s: { lastRunAt: FIRST, nextRunAt: FIRST + 60 } },
      changes: [`task s.${FIRST} pending 0`],
    });
  });

  it('compares a delay with the instant of the occurrence', () => {
    const tags = new Map([
      ['resonate:target', 'worker'],
      ['resonate:delay', String(FIRST + 60)],
    ]);
    const world = scheduled({ promiseTags: tags });
    world.now = FIRST + 60;
    fire(world);
    const { tasks, executes } = world.state();
    expect(tasks[`s.${FIRST}`]).to.deep.include({ timeout: { kind: 'delay', dueAt: FIRST + 60 } });
    expect(tasks[`s.${FIRST + 60}`]).to.deep.include({ timeout: retry(FIRST + 60 + RETRY) });
    expect(executes).to.deep.equal([`s.${FIRST + 60} 0 → worker`]);
  });

  it('changes nothing about an occurrence whose promise exists: a template in which nothing varies', () => {
    const world = scheduled({ promiseId: 'same' });
    world.now = FIRST + 60;
    const request = { ...spec('same', { timeoutAt: FIRST + 1_000_000 }), param: value('x') };
    const fired = world.changes(() => fire(world), {
      promises: { same: storedPromise(request, { createdAt: FIRST }) },
      schedules: { s: { lastRunAt: FIRST + 60, nextRunAt: FIRST + 120 } },
    });
    expect(fired).to.equal(2);
  });

  it('saturates the deadline of an occurrence', () => {
    const world = scheduled({ promiseTimeout: MAX });
    world.now = FIRST;
    fire(world);
    expect(world.state().promises[`s.${FIRST}`]).to.include({ timeoutAt: MAX });
  });

  it('is kept, and never fires again, once its cron has no instant left', () => {
    const world = scheduled({ cron: `once ${FIRST}` });
    world.now = FIRST;
    expect(fire(world)).to.equal(1);
    expect(world.state().schedules.s).to.include({ lastRunAt: FIRST });
    for (const later of [FIRST + 1, MAX]) {
      world.now = later;
      expect(
        world.changes(() => fire(world), {}),
        `at ${later}`,
      ).to.equal(0);
    }
  });
});

describe('02 schedule templates', () => {
  for (const [template, expanded] of [
    ['{{.id}}-{{.timestamp}}', 's-60000'],
    ['{{.timestamp}}{{.timestamp}}/{{.id}}', '6000060000/s'],
    ['fixed', 'fixed'],
    ['{{ .id }}', '{{ .id }}'],
    ['{{.ID}} {{.other}} {.id}', '{{.ID}} {{.other}} {.id}'],
    ['{{{.id}}}', '{s}'],
  ] as const)
    it(`expands ${template} to ${expanded}`, () => {
      expect(expandTemplate(template, 's', 60_000)).to.equal(expanded);
    });

  it('replaces literally: what an id holds is not expanded, nor is it a pattern', () => {
    expect(expandTemplate('{{.id}}', '{{.timestamp}}', 5)).to.equal('{{.timestamp}}');
    expect(expandTemplate('a{{.id}}b', "$& $1 $' \\", 5)).to.equal("a$& $1 $' \\b");
  });
});
