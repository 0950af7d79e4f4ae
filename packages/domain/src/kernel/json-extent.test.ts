import { describe, expect, it } from 'vitest';
import { excessOf, OF_CALLERS, OF_DOCUMENTS, OF_REMOTES } from './json-extent.ts';

const KINDS = { OF_CALLERS, OF_REMOTES, OF_DOCUMENTS };
/** Texts of so many values, in the forms that took longest. */
const FORMS: Record<string, (values: number) => string> = {
  numbers: (values) => `[${'1,'.repeat(values - 2)}1]`,
  'empty objects': (values) => `[${'{},'.repeat((values - 1) / 2)}1]`,
  'the same keys': (values) => `[${'{"key":1},'.repeat(values / 2 - 2)}{"key":1}]`,
};
const distinctKeys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;

describe.each(Object.entries(KINDS))('the extent of JSON %s', (_name, limits) => {
  it.each(Object.entries(FORMS))('is limited by its values: %s', (_form, textOf) => {
    expect(excessOf(textOf(limits.values - 10), limits)).toBeUndefined();
    expect(excessOf(textOf(2 * limits.values), limits)).toBe('values');
  });

  it.each([
    ['integers', '1'.repeat(310)],
    ['fractions', `0.${'1'.repeat(310)}`],
    ['numbers between two doubles', `2.2250738585072011${'3'.repeat(290)}e-308`],
    ['exponents', `1e${'0'.repeat(310)}1`],
  ])('is limited by the digits of its numbers: %s', (_form, number) => {
    const textOf = (values: number, one: string) => `[${`${one},`.repeat(values)}1]`;
    expect(excessOf(textOf(limits.values / 10, number), limits)).toBe('values');
    expect(excessOf(textOf(10, number), limits)).toBeUndefined();
    const usual = ['-9223372036854775808', '0.30000000000000004', '1.7976931348623157e+308'];
    for (const one of usual) expect(excessOf(textOf(limits.values - 10, one), limits)).toBeUndefined();
  });

  it('is limited by its depth, and not by what is in its texts', () => {
    expect(excessOf('['.repeat(limits.depth + 1).padEnd(3 * limits.depth), limits)).toBe('depth');
    expect(excessOf(JSON.stringify({ text: '[{,'.repeat(limits.values) }), limits)).toBeUndefined();
  });
});

describe('the extent of JSON of callers', () => {
  const { keys } = OF_CALLERS;

  it('is limited by its distinct keys, wherever they are, and not by those that repeat', () => {
    expect(excessOf(distinctKeys(keys), OF_CALLERS)).toBeUndefined();
    expect(excessOf(distinctKeys(2 * keys + 1), OF_CALLERS)).toBe('keys');
    const objects = Array.from({ length: 2 * keys + 1 }, (_, at) => `{"k${at}":1}`);
    expect(excessOf(`[${objects.join(',')}]`, OF_CALLERS)).toBe('keys');
    expect(
      excessOf(`[${objects[0]},${distinctKeys(keys).repeat(3).replaceAll('}{', '},{')}]`, OF_CALLERS),
    ).toBeUndefined();
    expect(excessOf(distinctKeys(2 * keys + 1), OF_REMOTES)).toBeUndefined();
  });

  it('is found without reading one key for each of many colons', () => {
    expect(excessOf(`{"${'x'.repeat(4_000_000)}"${':'.repeat(1_000_000)}`, OF_CALLERS)).toBeUndefined();
  });
});

describe('a JSON text of six megabytes', () => {
  it('is refused before it is parsed, as soon as it has too many values', () => {
    const text = FORMS['numbers']!(3_000_000);
    let looked = 0;
    const counted = { length: text.length, charCodeAt: (at: number) => (looked++, text.charCodeAt(at)) };
    expect(excessOf(counted as unknown as string, OF_REMOTES)).toBe('values');
    expect(looked).toBeLessThan(3 * OF_REMOTES.values);
  });
});
