import { describe, expect, it } from 'vitest';
import { findDuplicates, problemsOf } from './duplicates.mjs';

const copied = `
  const rows = await ctx.sql(FIND, [organizationId, id]);
  if (rows.length === 0) throw notFound('tag');
  return rows.map((row) => ({ id: row.id, name: row.name }));`;
const one = `export async function find(ctx) {${copied}\n}`;
const two = `import { a } from './a.ts';\n\nexport const read = async (ctx) => {${copied}\n};`;

const placesOf = (files, minTokens = 40) =>
  findDuplicates(Object.entries(files), minTokens).map(({ places }) => places);

describe('the check of duplicates', () => {
  it.each([
    ['finds a run that stands in two files', { 'a.ts': one, 'b.ts': two }, [['a.ts:1-5', 'b.ts:3-7']]],
    ['finds a run that stands twice in one file', { 'a.ts': `${one}\n${two}` }, [['a.ts:1-5', 'a.ts:8-12']]],
    [
      'finds it under another layout, with comments',
      { 'a.ts': one, 'b.ts': `// Other\n${one.replaceAll('\n', ' ').replace('throw', '/* why */ throw')}` },
      [['a.ts:1-5', 'b.ts:2-2']],
    ],
    [
      'lets other names pass',
      { 'a.ts': one, 'b.ts': one.replaceAll(/\brows?\b/g, 'tag').replaceAll(/\bid\b/g, 'slug') },
      [],
    ],
    ['lets short runs pass', { 'a.ts': `const a = f(1);`, 'b.ts': `const a = f(1);` }, []],
    ['lets lists of imports pass', Object.fromEntries(['a.ts', 'b.ts'].map((path) => [path, imports()])), []],
  ])('%s', (_, files, places) => expect(placesOf(files)).toEqual(places));

  it('accepts listed pairs, and wants none listed that share nothing', () => {
    const found = findDuplicates(
      [
        ['a.ts', one],
        ['b.ts', two],
      ],
      40,
    );
    expect(problemsOf(found, [])).toEqual([
      expect.stringMatching(/^a\.ts:1-5 stands again at b\.ts:3-7 \(\d+ tokens\)$/),
    ]);
    expect(problemsOf(found, [['a.ts', 'b.ts', 'reason']])).toEqual([]);
    expect(problemsOf([], [['a.ts', 'b.ts', 'reason']])).toHaveLength(1);
  });
});

function imports() {
  const names = Array.from({ length: 60 }, (_, index) => `name${index}`);
  return `import { ${names.join(', ')} } from './names.ts';\nexport { ${names.join(', ')} } from './names.ts';`;
}
