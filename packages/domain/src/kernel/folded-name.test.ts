import { globSync, readFileSync } from 'node:fs';
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

it('normalization, which sorts the marks of a letter in quadratic time, is used only where texts are short, or have none', () => {
  const cwd = new URL('../../../..', import.meta.url).pathname;
  const files = globSync('{packages,apps}/*/src/**/*.ts', {
    cwd,
    exclude: ['**/*.test.ts', '**/testing/**', 'apps/{web,cli}/**'],
  });
  expect(files.length).toBeGreaterThan(1_000);
  expect(
    files
      .filter((file) => /\.normalize\('?NF|\.normalize\(\)|localeCompare\(/.test(readFileSync(cwd + file, 'utf8')))
      .toSorted(),
  ).toEqual([
    // IDs.
    'packages/domain/src/access-insight/plan/plan.service.ts',
    'packages/domain/src/access/holdings.ts',
    // Has a limit of its own.
    'packages/domain/src/apps/ldap/dn.ts',
    // A password of at most 1,024 characters.
    'packages/domain/src/apps/mongo-db/sasl-prep.ts',
    'packages/domain/src/kernel/folded-name.ts',
    // Names of projects, groups and organizations, and of certificate authorities.
    'packages/domain/src/kernel/scalars.ts',
    'packages/domain/src/organizations/member/list.ts',
    // A password of at most 1,024 characters.
    'packages/domain/src/users/password/common-password.ts',
  ]);
});
