import { expect } from 'chai';
import { plain } from '../store/plain.js';
import { MAX, NOW, value, World } from './fixture.js';

describe('S-02 schedule.create', () => {
  const request = {
    id: 's',
    cron: 'every 60',
    promiseId: '{{.id}}-{{.timestamp}}',
    promiseTimeout: 10,
    promiseParam: value('x'),
    promiseTags: new Map([['k', 'v']]),
  };

  it('stores the schedule, due at the next instant of its cron', () => {
    const world = new World();
    const stored = { ...request, createdAt: NOW, nextRunAt: 1_000_020 };
    const { schedule } = world.accept('schedule.create', request, { schedules: { s: stored } });
    expect(plain(schedule)).to.deep.equal(stored);
    expect(world.store.dueTimeouts('schedule', 1_000_019, 9)).to.deep.equal([]);
    expect(world.store.dueTimeouts('schedule', 1_000_020, 9)).to.have.length(1);
  });

  it('takes an instant strictly after now', () => {
    const world = new World();
    world.now = 1_000_020;
    world.accept('schedule.create', request, {
      schedules: { s: { ...request, createdAt: 1_000_020, nextRunAt: 1_000_080 } },
    });
  });

  it('answers the one that exists, and changes nothing', () => {
    const world = new World();
    world.run('schedule.create', request);
    world.now = NOW + 500;
    const other = { ...request, cron: 'every 7', promiseId: 'x', promiseTimeout: 1, promiseTags: new Map() };
    const { schedule } = world.accept('schedule.create', other, {});
    expect(schedule).to.include({ cron: 'every 60', promiseId: '{{.id}}-{{.timestamp}}', createdAt: NOW });
  });

  it('keeps a cron that has no instant left, and never fires it', () => {
    const world = new World();
    const cron = `once ${NOW}`;
    world.run('schedule.create', { ...request, cron });
    expect(world.state().schedules.s).to.include({ cron, nextRunAt: MAX });
  });
});
