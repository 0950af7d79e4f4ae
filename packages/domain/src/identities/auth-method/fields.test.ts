import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allows, commaList } from './fields.ts';

const list = commaList();

describe('a comma list', () => {
  it('has one blank after each comma and no empty entries', () => {
    expect(list.parse(' a ,b,, c\td ,')).toBe('a, b, c\td');
    expect(list.parse(' , ')).toBe('');
  });

  it('may have the published length with any blanks, and is still valid when it is returned', () => {
    for (const given of ['a,'.repeat(2048), 'a , '.repeat(2048), 'x'.repeat(4096)]) {
      const stored = list.parse(given);
      expect(list.parse(stored)).toBe(stored);
    }
    for (const given of ['a,'.repeat(2049), 'x'.repeat(4097), ' '.repeat(10_000)])
      expect(list.safeParse(given).success).toBe(false);
  });

  it('is returned as stored', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'é', ',', ' ', '\t', '\u00a0', '😀'), maxLength: 40 });
    fc.assert(
      fc.property(texts, (given) => {
        const stored = list.parse(given);
        expect(list.parse(stored)).toBe(stored);
        const entries = stored.split(', ');
        for (const entry of entries) expect(allows(stored, entry)).toBe(true);
      }),
    );
  });

  it('allows exactly its entries, and everything without entries', () => {
    expect([allows('a, b', 'b'), allows('a, b', 'B'), allows('a, b', 'a, b'), allows('a, b', undefined)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([allows('', 'b'), allows('', undefined)]).toEqual([true, true]);
  });
});
