import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Members } from './members.ts';

describe('Members', () => {
  it('has what a set has', () => {
    const changes = fc.array(fc.tuple(fc.boolean(), fc.nat(9)), { maxLength: 60 });
    fc.assert(
      fc.property(changes, (all) => {
        const ones = Array.from({ length: 10 }, (_, index) => ({ index, position: -1 }));
        const [members, set] = [new Members<(typeof ones)[number]>(), new Set<(typeof ones)[number]>()];
        for (const [isAdded, index] of all) {
          const one = ones[index]!;
          const before = [members, set].map((each) => (isAdded ? each.add(one) : each.delete(one)));
          expect(isAdded || before[0] === before[1]).toBe(true);
          expect([members.size, new Set(members)]).toEqual([set.size, set]);
        }
      }),
    );
  });

  it('keeps nothing that was deleted between two collections of the old generation', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void;
    const [REQUESTS, VALUES] = [4_000, 1_000];
    const members = new Members();
    const working: { position: number }[] = [];
    let before = 0;
    for (let i = 0; i < REQUESTS; i++) {
      const request = { position: -1, values: Array.from({ length: VALUES }, () => i) };
      if (working.length === 20) members.delete(working.shift()!);
      members.add(request);
      working.push(request);
      if (i % 100 !== 0) continue;
      // After the first one, whatever is at work is old.
      collect({ type: i === 100 ? 'major' : 'minor' });
      if (i === 100) before = process.memoryUsage().heapUsed;
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan((REQUESTS * VALUES * 8) / 20);
  });
});
