import { World } from './fixture.js';

describe('S-04 schedule.search', () => {
  for (const request of [{}, { limit: 0, cursor: 'c' }])
    it('refuses whatever the request: 501 NOT_IMPLEMENTED', () => {
      new World().refuse('schedule.search', request, [501, 'NOT_IMPLEMENTED', {}]);
    });
});
