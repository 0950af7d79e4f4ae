import { describe, expect, it } from 'vitest';
import { eachPortion, portionsOf } from './portions.ts';

const sizes = (things: number[], rows: number, bytes: number) => [
  ...portionsOf(things, (size) => size, { rows, bytes }),
];

describe('portionsOf', () => {
  it('keeps the order, and the limits of rows and bytes', () => {
    expect(sizes([1, 2, 3, 4, 5], 2, 100)).toEqual([[1, 2], [3, 4], [5]]);
    expect(sizes([1, 2, 3, 4, 5], 100, 5)).toEqual([[1, 2], [3], [4], [5]]);
    expect(sizes([], 2, 5)).toEqual([]);
  });

  it('makes a portion of its own for what is larger than the limit', () => {
    expect(sizes([1, 50, 1, 1], 100, 5)).toEqual([[1], [50], [1, 1]]);
  });
});

describe('eachPortion', () => {
  it('does all of a long list in several steps, and nothing for an empty one', async () => {
    const done: number[] = [];
    await eachPortion(
      Array.from({ length: 12_000 }, (_, n) => n),
      async (portion) => void done.push(portion.length),
    );
    await eachPortion([], () => Promise.reject(new Error('no')));
    expect([Math.max(...done) < 12_000, done.reduce((sum, one) => sum + one, 0)]).toEqual([true, 12_000]);
  });
});
