import { describe, expect, it } from 'vitest';
import { Random } from '../chaos/random.ts';
import { compare, welch } from './welch.ts';

describe('welch', () => {
  it('returns published values for an example', () => {
    // Two samples of unequal size and variance, and their t (en.wikipedia.org/wiki/Welch's_t-test, example 3).
    const a = [19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0];
    const b = [
      28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7, 23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4, 24.0,
      13.2,
    ];
    expect(welch(a, b)).toBeCloseTo(-2.22, 1);
  });
});

describe('compare', () => {
  const random = new Random(7);
  const sample = (shift: number, tail: number) =>
    Array.from({ length: 20_000 }, () => {
      const spread = Array.from({ length: 6 }, () => random.next()).reduce((sum, one) => sum + one, 0);
      return 100 + shift + spread + (random.next() < 0.01 ? tail * random.next() : 0);
    });

  it('does not distinguish equal distributions', () => {
    expect(Math.abs(compare(sample(0, 500), sample(0, 500)).worst)).toBeLessThan(4.5);
  });

  it('distinguishes small differences, also below noise that hides them', () => {
    const compared = compare(sample(0.2, 5000), sample(0, 5000));
    expect(Math.abs(compared.worst)).toBeGreaterThan(4.5);
  });
});
