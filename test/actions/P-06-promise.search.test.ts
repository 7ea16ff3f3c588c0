import { NOW, World } from './fixture.js';

describe('P-06 promise.search', () => {
  for (const request of [
    { tags: new Map() },
    { state: 'pending', tags: new Map([['k', 'v']]), limit: 0, cursor: 'c' },
  ] as const)
    it('refuses whatever the request: 501 NOT_IMPLEMENTED', () => {
      const world = new World();
      world.pending('a', { timeoutAt: NOW + 1 });
      world.now = NOW + 1;
      world.refuse('promise.search', request, [501, 'NOT_IMPLEMENTED', {}]);
    });
});
