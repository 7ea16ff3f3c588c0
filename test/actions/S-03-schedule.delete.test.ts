import { NOW, value, World } from './fixture.js';
import { expect } from 'chai';

describe('S-03 schedule.delete', () => {
  it('refuses an absent schedule: 404 SCHEDULE_NOT_FOUND', () => {
    const world = new World();
    world.create('s');
    world.refuse('schedule.delete', { id: 's' }, [404, 'SCHEDULE_NOT_FOUND', { id: 's' }]);
  });

  it('deletes the schedule and its timeout, and nothing that it has created', () => {
    const world = new World();
    const request = {
      cron: 'every 60',
      promiseId: 'p',
      promiseTimeout: 10,
      promiseParam: value('x'),
      promiseTags: new Map(),
    };
    for (const id of ['s', 't']) world.run('schedule.create', { ...request, id });
    world.create('p');
    world.accept('schedule.delete', { id: 's' }, { schedules: { s: undefined } });
    expect(world.store.dueTimeouts('schedule', NOW + 1000, 9).map(({ id }) => id)).to.deep.equal(['t']);
    world.refuse('schedule.delete', { id: 's' }, [404, 'SCHEDULE_NOT_FOUND', { id: 's' }]);
  });
});
