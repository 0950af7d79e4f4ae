import { describe, expect, it } from 'vitest';
import { count, MAX_COUNT } from './schema.ts';

describe('a whole number of a query', () => {
  it('reads its maximum from text, and has none that it could not read', () => {
    const largest = count(0, MAX_COUNT);
    expect([largest.parse(String(MAX_COUNT)), largest.parse(MAX_COUNT)]).toEqual([MAX_COUNT, MAX_COUNT]);
    expect(largest.safeParse(String(MAX_COUNT + 1)).success).toBe(false);
    expect(largest.safeParse(MAX_COUNT + 1).success).toBe(false);
    expect(() => count(0, MAX_COUNT + 1)).toThrow(RangeError);
  });
});
