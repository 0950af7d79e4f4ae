// Checks how tables are accessed: `node scripts/data-access.mjs`. The rules are in
// docs/decisions/0003-raw-sql-on-hot-paths.md; known violations are listed in data-access.json, which may only shrink.
// `--shrink` removes files without violations.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const DOMAIN = 'packages/domain/src';
const LIST = 'scripts/data-access.json';
// A checker that finds nothing to check also finds nothing wrong.
const expected = { entities: 20, statements: 500 };

const ENTITY = /export const (\w+) = defineEntity\(\{[^]*?tableName: '(\w+)'/g;
const WRITE = /\b(?:insert into|update|delete from)\s+(\w+)\b/g;
const EM_WRITE = /\bem\s*\.\s*(?:create|insert|insertMany|upsert|upsertMany|nativeUpdate|nativeDelete)\(\s*(\w+)\b/g;
const SNAKE_CASE = /^[a-z]+(?:_[a-z0-9]+)+$/;

/** Reads the sources at `root`; returns its files, and the violations: `{file, why}` by rule. */
export function checkDataAccess(root) {
  const paths = globSync(`${DOMAIN}/**/*.ts`, {
    cwd: root,
    exclude: (path) => /(^|\/)(testing|migrations)$/.test(path),
  })
    .filter((path) => !/\.test\.ts$|\/(testing|migrations)\/|\/examples\.ts$/.test(path))
    .toSorted();
  const files = new Map(paths.map((path) => [path, codeOf(path, readFileSync(join(root, path), 'utf8'))]));
  const entities = [...files].flatMap(([path, { text }]) =>
    path.endsWith('.entity.ts')
      ? Array.from(text.matchAll(ENTITY), ([, name, table]) => ({ name, table, feature: dirname(path) }))
      : [],
  );
  const writes = [...files].flatMap(([path, code]) => foreignWrites(path, code, entities));
  const snakeRows = [...files].flatMap(([path, code]) =>
    code.hasStatements && code.snakeCase.length > 0
      ? [{ file: path, why: `rows have camelCase names (as "${camelCase(code.snakeCase[0])}")` }]
      : [],
  );
  const statements = [...files.values()].reduce((sum, { statements: count }) => sum + count, 0);
  return { entities: entities.length, statements, found: { writes, snakeRows } };
}

/** The table of an entity is written only by the feature of the entity. */
function foreignWrites(path, { text }, entities) {
  const written = (pattern, key) =>
    new Set(Array.from(text.matchAll(pattern), ([, name]) => name)).intersection(
      new Set(entities.map((entity) => entity[key])),
    );
  const [tables, names] = [written(WRITE, 'table'), written(EM_WRITE, 'name')];
  const foreign = entities.filter(
    ({ feature, name, table }) => !path.startsWith(`${feature}/`) && (tables.has(table) || names.has(name)),
  );
  return foreign.length > 0
    ? [
        {
          file: path,
          why: `${foreign.map(({ table }) => table).join(', ')}: only the feature of its entity writes a table`,
        },
      ]
    : [];
}

/** The text without comments, with cached queries about it. */
function codeOf(path, source) {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const text = comments.toReversed().reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), source);
  const snakeCase = [];
  new Visitor({
    TSPropertySignature: ({ key }) => SNAKE_CASE.test(key.name ?? '') && snakeCase.push(key.name),
  }).visit(program);
  const statements = text.match(/\bstatement\(/g)?.length ?? 0;
  return { text, snakeCase, statements, hasStatements: statements > 0 || /\b(?:sql|query)</.test(text) };
}

const camelCase = (name) => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());

/** The faults, one sentence each: unlisted violations, and listed files without any. */
export const problemsOf = (found, listed) =>
  Object.entries(found).flatMap(([rule, faults]) => {
    const known = new Set(listed[rule]);
    const here = new Set(faults.map(({ file }) => file));
    return [
      ...faults.filter(({ file }) => !known.has(file)).map(({ file, why }) => `${file}: ${why}`),
      ...[...known]
        .filter((file) => !here.has(file))
        .map((file) => `${file}: keeps the rule; take it out of ${LIST} (--shrink)`),
    ];
  });

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const { entities, statements, found } = checkDataAccess(root);
  const listed = JSON.parse(readFileSync(join(root, LIST), 'utf8'));
  if (process.argv.includes('--shrink')) {
    const shrink = ([rule, files]) => [rule, files.filter((file) => found[rule].some((fault) => fault.file === file))];
    const shrunk = Object.fromEntries(Object.entries(listed).map(shrink));
    writeFileSync(join(root, LIST), `${JSON.stringify(shrunk, null, 2)}\n`);
    Object.assign(listed, shrunk);
  }
  const problems = problemsOf(found, listed);
  if (entities < expected.entities || statements < expected.statements)
    problems.push(
      `fewer than the ${expected.entities} entities and ${expected.statements} statements that are known to exist`,
    );
  for (const problem of problems) console.error(problem);
  const exceptions = Object.entries(listed).map(([rule, files]) => `${files.length} ${rule}`);
  console.log(
    `${entities} entities, ${statements} statements, ${problems.length} problems; listed: ${exceptions.join(', ')}`,
  );
  process.exitCode = problems.length > 0 ? 1 : 0;
}
