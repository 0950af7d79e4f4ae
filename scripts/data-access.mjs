// Checks how tables are accessed: `node scripts/data-access.mjs`. The rules are in
// docs/decisions/0003-raw-sql-on-hot-paths.md.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const DOMAIN = 'packages/domain/src';
// A checker that finds nothing to check also finds nothing wrong.
const expected = { entities: 20, statements: 500 };

const ENTITY = /export const (\w+) = defineEntity\(\{[^]*?tableName: '(\w+)'/g;
const WRITE = /\b(?:insert into|update|delete from)\s+(\w+)\b/g;
const EM_WRITE = /\bem\s*\.\s*(?:create|insert|insertMany|upsert|upsertMany|nativeUpdate|nativeDelete)\(\s*(\w+)\b/g;
const SNAKE_CASE = /^[a-z]+(?:_[a-z0-9]+)+$/;

/** Reads the sources at `root`; returns the numbers of entities and statements, and the violations, one sentence each. */
export function checkDataAccess(root) {
  const paths = globSync(`${DOMAIN}/**/*.ts`, {
    cwd: root,
    exclude: (path) => /(^|\/)(testing|migrations)$/.test(path),
  })
    .filter((path) => !/\.test\.ts$|\/(testing|migrations)\/|\/examples\.ts$/.test(path))
    .toSorted();
  const files = paths.map((path) => ({ path, ...codeOf(path, readFileSync(join(root, path), 'utf8')) }));
  const entities = files
    .filter(({ path }) => path.endsWith('.entity.ts'))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(ENTITY), ([, name, table]) => ({ name, table, feature: dirname(path) })),
    );
  const problems = files.flatMap((file) => [...foreignWrites(file, entities), ...snakeCaseRows(file)]);
  const statements = files.reduce((sum, { text }) => sum + (text.match(/\bstatement\(/g)?.length ?? 0), 0);
  return { entities: entities.length, statements, problems };
}

/** The table of an entity is written only by the feature of the entity. */
function foreignWrites({ path, text }, entities) {
  const named = (pattern) => new Set(Array.from(text.matchAll(pattern), ([, name]) => name));
  const [tables, names] = [named(WRITE), named(EM_WRITE)];
  return entities
    .filter(({ feature, name, table }) => !path.startsWith(`${feature}/`) && (tables.has(table) || names.has(name)))
    .map(({ feature, table }) => `${path}: only ${feature} writes ${table}`);
}

/** Rows have camelCase names in TypeScript. */
const snakeCaseRows = ({ path, snakeCase }) =>
  snakeCase.map(
    (name) => `${path}: ${name} is the name of a column; rows have camelCase names (as "${camelCase(name)}")`,
  );

/** The text without comments, and the properties of types that have the names of columns. */
function codeOf(path, source) {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const text = comments.toReversed().reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), source);
  const snakeCase = [];
  new Visitor({
    TSPropertySignature: ({ key }) => SNAKE_CASE.test(key.name ?? '') && snakeCase.push(key.name),
  }).visit(program);
  return { text, snakeCase };
}

const camelCase = (name) => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());

if (import.meta.main) {
  const { entities, statements, problems } = checkDataAccess(resolve(import.meta.dirname, '..'));
  if (entities < expected.entities || statements < expected.statements)
    problems.push(
      `fewer than the ${expected.entities} entities and ${expected.statements} statements that are known to exist`,
    );
  for (const problem of problems) console.error(problem);
  console.log(`${entities} entities, ${statements} statements, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
