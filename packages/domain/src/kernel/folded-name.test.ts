import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedWork, processorTime } from '../testing/index.ts';
import { foldedName } from './folded-name.ts';

describe('a folded name', () => {
  it.each([
    ['José', 'jose'],
    ['JOSE\u0301', 'jose'],
    ['straße', 'strasse'],
    ['Ærø', 'aero'],
    ['ｓａ', 'sa'],
    ['s\u00ada\u200b\u2060\ufe0f', 'sa'],
    ['カタカナ', 'かたかな'],
    ['ｶﾀｶﾅ', 'かたかな'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['ﬁle\u0000', 'file'],
    ['İı', 'ii'],
    ['a b', 'a b'],
  ])('of %j is %j', (name, folded) => {
    expect(foldedName(name)).toBe(folded);
  });

  it('takes no longer with many marks on one letter, which normalization would sort', () => {
    const name = `a${'\u0301\u0327'.repeat(50_000)}b`;
    const before = processorTime();
    expect(foldedName(name)).toBe('ab');
    expect((processorTime() - before) / fixedWork()).toBeLessThan(2);
  });

  it('is the same in every case and normal form, and of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const folded = foldedName(name);
        for (const same of [
          folded,
          name.toUpperCase(),
          name.toLowerCase(),
          ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => name.normalize(form)),
        ])
          expect([name, same, foldedName(same)]).toEqual([name, same, folded]);
      }),
    );
  });
});
