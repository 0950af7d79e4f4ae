import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTooDeep } from './bodies.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 'x'.repeat(300));

describe('isTooDeep', () => {
  it('draws the line at a hundred', () => {
    expect(isTooDeep(JSON.stringify(nested(100)))).toBe(false);
    expect(isTooDeep(JSON.stringify(nested(101)))).toBe(true);
  });

  it('does not count brackets in strings', () => {
    expect(isTooDeep(JSON.stringify({ a: '['.repeat(500), b: `\\"${'{'.repeat(500)}` }))).toBe(false);
    expect(isTooDeep(`{"a":"${'['.repeat(500)}`)).toBe(false);
  });

  it('agrees with the depth of what was read', () => {
    const value = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.nat(120), fc.string()).map(([inner, depth, text]) => ({
      text,
      deep: Array.from({ length: depth }).reduce<unknown>((one) => ({ '}"': one }), inner),
    }));
    fc.assert(
      fc.property(
        value,
        (one) => JSON.stringify(one).length <= 200 || isTooDeep(JSON.stringify(one)) === depthOf(one) > 100,
      ),
    );
  });
});
