import { DomainError } from '@coffer/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireModest } from './bodies.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 'x'.repeat(300));

const refusal = (text: string): string | undefined => {
  try {
    requireModest(text);
  } catch (error) {
    return error instanceof DomainError ? error.kind : undefined;
  }
};
const isTooDeep = (text: string) => refusal(text) === 'bad_request';

describe('JSON nested too deep', () => {
  it('draws the line at a hundred', () => {
    expect(isTooDeep(JSON.stringify(nested(100)))).toBe(false);
    expect(isTooDeep(JSON.stringify(nested(101)))).toBe(true);
  });

  it('does not count brackets in strings', () => {
    expect(isTooDeep(JSON.stringify({ a: '['.repeat(500), b: `\\"${'{'.repeat(500)}` }))).toBe(false);
    expect(isTooDeep(`{"a":"${'['.repeat(500)}`)).toBe(false);
  });

  it('counts on after strings with any escapes', () => {
    const parts = ['\\', '"', '[', 'x'.repeat(120), '\n', '\\"'];
    const texts = fc.array(fc.array(fc.constantFrom(...parts)).map((some) => some.join('')));
    fc.assert(
      fc.property(texts, (some) => {
        for (const depth of [99, 100]) expect(isTooDeep(JSON.stringify([some, nested(depth)]))).toBe(depth === 100);
      }),
    );
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

describe('JSON with too many values', () => {
  it.each([
    ['an array', `[${'0,'.repeat(50_000)}0]`],
    ['objects', `[${'{},'.repeat(26_000)}{}]`],
    ['an object', `{${Array.from({ length: 50_001 }, (_, i) => `"${i}":0`).join(',')}}`],
    ['many arrays', `[${`[${'0,'.repeat(99)}0],`.repeat(600)}0]`],
  ])('is too large: %s', (_, text) => {
    expect(refusal(text)).toBe('too_large');
  });

  it('does not count separators inside strings', () => {
    expect(refusal(JSON.stringify({ value: ',{['.repeat(1_000_000) }))).toBeUndefined();
    const secret = {
      secretKey: 'A',
      secretValue: 'a,b,c',
      secretComment: '',
      tagIds: ['x'],
      secretMetadata: [{ key: 'k', value: 'v' }],
    };
    expect(refusal(JSON.stringify({ secrets: Array.from({ length: 1000 }, () => secret) }))).toBeUndefined();
  });
});
