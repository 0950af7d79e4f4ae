import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeBelow } from './find.ts';
import { childPath, FolderName, FolderPath, folderPath, nameOf, parentPath } from './folder.ts';

const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const path = fc.array(name, { maxLength: 5 }).map((names) => `/${names.join('/')}`);
const odd = fc.constantFrom(
  '/',
  '//',
  '.',
  '..',
  '%2F',
  '%',
  '\\',
  ' ',
  '\t',
  '\0',
  '*',
  '**',
  '{a,b}',
  '[!a]',
  'a',
  'A',
  'ä',
  'а',
  '﹒',
  '\u200b',
  '\ud800',
  'root',
);

describe('FolderPath', () => {
  it('keeps a canonical path, and removes one slash at its end', () => {
    fc.assert(
      fc.property(path, (canonical) => {
        expect(FolderPath.parse(canonical)).toBe(canonical);
        expect(FolderPath.parse(`  ${canonical}\n`)).toBe(canonical);
        expect(FolderPath.parse(canonical === '/' ? '' : `${canonical}/`)).toBe(canonical);
        expect(FolderPath.safeParse(`/${canonical}`).success).toBe(false);
        expect(FolderPath.safeParse(`${canonical}//`).success).toBe(false);
      }),
    );
  });

  it('refuses whatever is not canonical and never repairs it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, name), { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        const parsed = FolderPath.safeParse(text);
        if (!parsed.success) return;
        expect(parsed.data).toMatch(/^\/$|^(\/[A-Za-z0-9_-]+)+$/);
        expect([parsed.data, `${parsed.data}/`, '']).toContain(text.trim());
      }),
      { numRuns: 2000 },
    );
  });

  it('is the root by default', () => {
    expect(folderPath().parse(undefined)).toBe('/');
    expect(folderPath().parse('')).toBe('/');
    expect(FolderPath.optional().parse(undefined)).toBeUndefined();
    for (const wrong of [null, 7, {}, ['/']]) expect(folderPath().safeParse(wrong).success).toBe(false);
  });
});

describe('paths', () => {
  it('are joined and split', () => {
    fc.assert(
      fc.property(path, name, (parent, child) => {
        expect(parentPath(childPath(parent, child))).toBe(parent);
        expect(nameOf(childPath(parent, child))).toBe(child);
        expect(FolderName.parse(child)).toBe(child);
      }),
    );
  });

  it('below a path are those in its range, in byte order', () => {
    fc.assert(
      fc.property(path, path, (above, other) => {
        const [from, to] = rangeBelow(above);
        const isBelow = above === '/' || other.startsWith(`${above}/`);
        expect(other >= from && other < to).toBe(isBelow);
      }),
      { numRuns: 1000 },
    );
  });
});
