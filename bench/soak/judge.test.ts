import { describe, expect, it } from 'vitest';
import { Random } from '../chaos/random.ts';
import { growthOf, TELLING, trendOf } from './judge.ts';

describe('Mann–Kendall', () => {
  it('returns known values', () => {
    // Ten rising values: all 45 pairs rise, and the variance is 10 · 9 · 25 / 18 = 125.
    expect(trendOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBeCloseTo(44 / Math.sqrt(125), 10);
    expect(trendOf([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toBeCloseTo(-44 / Math.sqrt(125), 10);
    // Of the six pairs of 1, 1, 2, 2 four rise; two pairs of ties take 2 · (2 · 1 · 9) / 18 from 4 · 3 · 13 / 18.
    expect(trendOf([1, 1, 2, 2])).toBeCloseTo(3 / Math.sqrt((156 - 36) / 18), 10);
    expect(trendOf([3, 3, 3])).toBe(0);
  });

  const random = new Random(11);
  /** Latencies with a long tail, as those of a busy machine. */
  const series = (slope: number) =>
    Array.from({ length: 48 }, (_, n) => 20 + slope * n + 5 * random.next() + (random.next() < 0.1 ? 200 : 0));

  it('finds a rise of a quarter within an hour, and hardly ever one where there is none', () => {
    const found = (slope: number) =>
      Array.from({ length: 200 }, () => trendOf(series(slope))).filter((z) => z > TELLING);
    expect(found(0.1).length).toBeGreaterThan(190);
    expect(found(0).length).toBeLessThan(10);
  });
});

describe('growth', () => {
  it('is that of the median from the second fifth to the last, whatever the first one was', () => {
    expect(growthOf([900, 500, 100, 102, 104, 108, 105, 110, 120])).toBeCloseTo(120 / 500);
    expect(growthOf([900, 900, 100, 104, 500, 1, 1, 1, 110, 114])).toBeCloseTo(112 / 102);
  });
});
