import { expect } from 'chai';
import fc from 'fast-check';
import { Heap } from '../../src/dispatch/heap.js';

describe('dispatch: heap', () => {
  it('has the least first, through additions, changes and removals', () => {
    const acts = fc.array(fc.record({ item: fc.nat(15), key: fc.nat(20), removes: fc.boolean() }), { maxLength: 100 });
    fc.assert(
      fc.property(acts, (script) => {
        const items = Array.from({ length: 16 }, () => ({ key: 0 }));
        const heap = new Heap<{ key: number }>((a, b) => a.key < b.key);
        const inside = new Set<{ key: number }>();
        for (const { item: place, key, removes } of script) {
          const item = items[place] as { key: number };
          if (removes) {
            expect(heap.remove(item)).to.equal(inside.delete(item));
          } else {
            item.key = key;
            heap.put(item);
            inside.add(item);
          }
          expect(heap.size).to.equal(inside.size);
          for (const it of items) expect(heap.has(it)).to.equal(inside.has(it));
          const least = Math.min(...[...inside].map((it) => it.key));
          expect(heap.peek()?.key ?? Infinity).to.equal(least);
        }
        // Emptied from the top, it is sorted.
        const sorted = [...inside].map((it) => it.key).sort((a, b) => a - b);
        const popped: number[] = [];
        for (let top = heap.peek(); top !== undefined; top = heap.peek()) {
          popped.push(top.key);
          heap.remove(top);
        }
        expect(popped).to.deep.equal(sorted);
      }),
    );
  });
});
