import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDataAccess, problemsOf } from './data-access.mjs';

const entity = `export const TagEntity = defineEntity({ name: 'Tag', tableName: 'tags' });`;
let root = '';

/** The violations of one file beside a feature with an entity. */
function faultsOf(path, text) {
  root = mkdtempSync(join(tmpdir(), 'data-access-'));
  for (const [name, source] of Object.entries({ 'secrets/tag/tag.entity.ts': entity, [path]: text })) {
    const file = join(root, 'packages/domain/src', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source);
  }
  const { writes, snakeRows } = checkDataAccess(root).found;
  return [...writes, ...snakeRows].map(({ why }) => why);
}
afterEach(() => root && rmSync(root, { recursive: true, force: true }));

const WRITES = ['tags: only the feature of its entity writes a table'];

describe('the table of an entity', () => {
  it.each([
    [
      'is written by its feature',
      'secrets/tag/a.ts',
      `statement('a', 'update tags set a = 1'); tx.em.create(TagEntity, {})`,
      [],
    ],
    ['is read by others', 'users/a/a.ts', `statement('a', 'select 1 from tags'); ctx.em.find(TagEntity, {})`, []],
    ['is not written by a statement of others', 'users/a/a.ts', `statement('a', 'delete from tags')`, WRITES],
    ['is not written by the entity manager of others', 'users/a/a.ts', `tx.em.create(TagEntity, {})`, WRITES],
    ['is written of in comments', 'users/a/a.ts', `// insert into tags\nstatement('a', 'select 1')`, []],
  ])('%s', (_, path, text, faults) => expect(faultsOf(path, text)).toEqual(faults));
});

describe('the rows of statements', () => {
  it.each([
    ['have camelCase names', `interface Row { tagId: string }`, []],
    ['have no names of columns', `interface Row { tag_id: string }`, ['rows have camelCase names (as "tagId")']],
  ])('%s', (_, row, faults) => expect(faultsOf('users/a/a.ts', `${row}\nctx.sql<Row>(FIND, [])`)).toEqual(faults));
});

describe('the list of exceptions', () => {
  it('shrinks: unlisted violations are faults, and so are listed files without one', () => {
    const found = { writes: [{ file: 'a.ts', why: 'tags' }] };
    expect(problemsOf(found, { writes: ['a.ts'] })).toEqual([]);
    expect(problemsOf(found, { writes: [] })).toEqual(['a.ts: tags']);
    expect(problemsOf({ writes: [] }, { writes: ['a.ts'] })).toHaveLength(1);
  });
});
