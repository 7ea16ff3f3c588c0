import { expect } from 'chai';
import { plain } from '../store/plain.js';
import { NOW, value, World } from './fixture.js';

describe('S-01 schedule.get', () => {
  it('refuses an absent schedule: 404 SCHEDULE_NOT_FOUND', () => {
    const world = new World();
    world.create('s');
    world.refuse('schedule.get', { id: 's' }, [404, 'SCHEDULE_NOT_FOUND', { id: 's' }]);
  });

  it('answers the schedule as it is stored, overdue or not', () => {
    const world = new World();
    const request = {
      id: 's',
      cron: 'every 60',
      promiseId: 'p',
      promiseTimeout: 10,
      promiseParam: value('x'),
      promiseTags: new Map([['k', 'v']]),
    };
    world.run('schedule.create', request);
    world.now = NOW + 1000;
    const { schedule } = world.accept('schedule.get', { id: 's' }, {});
    expect(plain(schedule)).to.deep.equal({ ...request, createdAt: NOW, nextRunAt: 1_000_020 });
  });
});
