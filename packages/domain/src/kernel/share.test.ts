import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHaveOneMore, mostOfOneCaller, shareOf, type Portion } from './share.ts';

const PORTIONS: readonly Portion[] = [1, 3];

/** What callers have who ask for one more, in this order, as long as they get it. */
function taken(limit: number, portion: Portion, asks: readonly number[]): Map<number, number> {
  const own = new Map<number, number>();
  let free = limit;
  for (const caller of asks) {
    const has = own.get(caller) ?? 0;
    if (!mayHaveOneMore(has, free, portion)) continue;
    own.set(caller, has + 1);
    free--;
  }
  return own;
}

describe('the share of one process', () => {
  it('is its part of a limit, at least one or what it needs, and no limit where there is none', () => {
    expect([shareOf(32, 2), shareOf(32, 3), shareOf(1, 4), shareOf(0, 4)]).toEqual([16, 10, 1, 0]);
    expect([shareOf(32, 10, 4), shareOf(64, 10, 4), shareOf(0, 10, 4)]).toEqual([4, 6, 0]);
  });
});

describe('the share of one caller', () => {
  it('is less than all wherever there are two, for every limit of a server and every number of workers', () => {
    const limits = Array.from({ length: 256 }, (_, index) => index + 1);
    const workers = Array.from({ length: 64 }, (_, index) => index + 1);
    const shares = new Set(workers.flatMap((count) => limits.map((limit) => shareOf(limit, count))));
    for (const portion of PORTIONS)
      for (const share of shares) {
        const most = taken(share, portion, Array<number>(share + 1).fill(0)).get(0);
        expect([share, most, share < 2 || most! < share]).toEqual([share, mostOfOneCaller(share, portion), true]);
      }
  });

  it('leaves one to another caller, after any others but for those that have one each', () => {
    const asks = fc.array(fc.nat(5), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.constantFrom(...PORTIONS), asks, (limit, portion, order) => {
        const own = taken(limit, portion, order);
        const all = [...own.values()].reduce((sum, one) => sum + one, 0);
        expect(all).toBeLessThanOrEqual(limit);
        const isLeft = mayHaveOneMore(0, limit - all, portion);
        // What is all taken was taken last by a caller that had none.
        expect(isLeft || Math.min(...own.values()) === 1).toBe(true);
        for (const one of own.values()) expect(one).toBeLessThanOrEqual(mostOfOneCaller(limit, portion));
      }),
    );
  });

  it('is three quarters of places, half of connections, and the same of what remains', () => {
    const shares = (limit: number, portion: Portion) => {
      const asks = [0, 1, 2, 3, 4].flatMap((caller) => Array<number>(limit).fill(caller));
      return [...taken(limit, portion, asks).values()];
    };
    expect([shares(32, 3), shares(8, 3), shares(4, 3), shares(3, 3), shares(2, 3)]).toEqual([
      [24, 6, 1, 1],
      [6, 1, 1],
      [3, 1],
      [2, 1],
      [1, 1],
    ]);
    expect([shares(14, 1), shares(7, 1), shares(5, 1), shares(3, 1)]).toEqual([
      [7, 3, 2, 1, 1],
      [3, 2, 1, 1],
      [2, 1, 1, 1],
      [1, 1, 1],
    ]);
  });
});
