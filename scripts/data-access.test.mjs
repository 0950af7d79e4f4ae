import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDataAccess } from './data-access.mjs';

const DOMAIN = 'packages/domain/src';
const entity = `export const TagEntity = defineEntity({ name: 'Tag', tableName: 'tags' });`;
let root = '';

/** The violations of one file beside a feature with an entity. */
function problemsOf(path, text) {
  root = mkdtempSync(join(tmpdir(), 'data-access-'));
  for (const [name, source] of Object.entries({ 'secrets/tag/tag.entity.ts': entity, [path]: text })) {
    const file = join(root, DOMAIN, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source);
  }
  return checkDataAccess(root).problems;
}
afterEach(() => root && rmSync(root, { recursive: true, force: true }));

const WRITES = [`${DOMAIN}/users/a/a.ts: only ${DOMAIN}/secrets/tag writes tags`];

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
  ])('%s', (_, path, text, problems) => expect(problemsOf(path, text)).toEqual(problems));
});

describe('the rows of statements', () => {
  it.each([
    ['have camelCase names', `interface Row { tagId: string }`, []],
    ['have no names of columns', `interface Row { tag_id: string }`, [expect.stringContaining('(as "tagId")')]],
  ])('%s', (_, row, problems) => expect(problemsOf('users/a/row.ts', `export ${row}`)).toEqual(problems));
});

describe('the time', () => {
  const clock = (of) => [
    `${DOMAIN}/users/a/a.ts: it uses the clock of the ${of}; take the time from \`now()\` of the context`,
  ];
  it.each([
    ['is that of the context', `const a = ctx.now(); new Date(a.getTime() + 1); statement('a', 'select $1')`, []],
    ['is not a new date', 'const a = new Date()', clock('machine')],
    ['is not a function of the machine', 'const a = (now = Date.now) => now()', clock('machine')],
    [
      'is not a function of the database',
      `statement('a', \`update users set a = \${b}, c = now()\`)`,
      clock('database'),
    ],
    ['is not a word of the database', `statement('a', 'select current_timestamp')`, clock('database')],
  ])('%s', (_, text, problems) => expect(problemsOf('users/a/a.ts', text)).toEqual(problems));

  it('comes from another clock in some files, as long as they use it', () => {
    expect(problemsOf('audit/sealer.ts', `statement('a', 'select now()')`)).toEqual([]);
    expect(problemsOf('audit/sealer.ts', 'export const a = 1')).toEqual([expect.stringContaining('no longer uses')]);
  });
});
