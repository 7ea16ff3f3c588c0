import { NOW, World } from './fixture.js';

describe('T-11 task.search', () => {
  for (const request of [{}, { state: 'pending', limit: 0, cursor: 'c' }] as const)
    it('refuses whatever the request: 501 NOT_IMPLEMENTED', () => {
      const world = new World();
      world.pending('a', { timeoutAt: NOW + 1 });
      world.now = NOW + 1;
      world.refuse('task.search', request, [501, 'NOT_IMPLEMENTED', {}]);
    });
});
