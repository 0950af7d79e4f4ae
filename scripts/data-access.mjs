// Checks how tables are accessed, and by which clock: `node scripts/data-access.mjs`. The rules are in
// docs/decisions/0003-raw-sql-on-hot-paths.md and 0067-one-clock.md.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const DOMAIN = 'packages/domain/src';
// A checker that finds nothing to check also finds nothing wrong.
const expected = { entities: 20, statements: 500 };

const ENTITY = /export const (\w+) = defineEntity\(\{[^]*?tableName: '(\w+)'/g;
const WRITE = /\b(?:insert into|update|delete from)\s+(\w+)\b/g;
const EM_WRITE = /\bem\s*\.\s*(?:create|insert|insertMany|upsert|upsertMany|nativeUpdate|nativeDelete)\(\s*(\w+)\b/g;
/** The clock of the database, in statements. */
const SQL_NOW =
  /\b(?:(?:now|clock_timestamp|(?:statement|transaction)_timestamp)\(\)|current_(?:date|time(?:stamp)?)\b|localtime(?:stamp)?\b)/i;
/** What does not take the time from `now()` of its context: see docs/decisions/0067-one-clock.md. */
const CLOCKS = {
  machine: {
    'app/database-clock.ts': 'compares it with that of the database',
    'audit/limit/export-directory.ts': 'compares it with times of files',
    'cache/cache-bus.ts': 'whether this process was stopped for some time',
    'kernel/entity.ts': 'times IDs until the clock of the process is there',
  },
  database: {
    'audit/archive/archive.ts': 'compares it with times of migrations',
    'audit/archive/expire.ts': 'what is removed is due by both clocks',
    'audit/sealer.ts': 'belongs to the transaction IDs beside it',
    'cache/cache-bus.ts': 'asks for the time of the database',
    'crypto/rotation/root.ts': 'runs without a process that serves',
    'crypto/rotation/rotate.ts': 'keys change by the clock of the database alone',
    'database/migrate.ts': 'times of migrations',
    'instance/overview.ts': 'compares it with times of the queue',
    'jobs/job.ts': 'times of the queue',
  },
};
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
  const problems = files.flatMap((file) => [
    ...foreignWrites(file, entities),
    ...snakeCaseRows(file),
    ...otherClocks(file),
  ]);
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

/** What is stored and compared is the time of the context: each process has one clock, all of them the same time. */
function otherClocks({ path, clocks }) {
  const file = path.slice(DOMAIN.length + 1);
  return Object.entries(CLOCKS)
    .filter(([clock, users]) => clocks.has(clock) !== file in users)
    .map(([clock, users]) =>
      file in users
        ? `${path}: it no longer uses the clock of the ${clock}: remove it from CLOCKS in scripts/data-access.mjs`
        : `${path}: it uses the clock of the ${clock}; take the time from \`now()\` of the context`,
    );
}

/** Rows have camelCase names in TypeScript. */
const snakeCaseRows = ({ path, snakeCase }) =>
  snakeCase.map(
    (name) => `${path}: ${name} is the name of a column; rows have camelCase names (as "${camelCase(name)}")`,
  );

/** The text without comments, the properties of types that have the names of columns, and the clocks that it uses. */
function codeOf(path, source) {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const text = comments.toReversed().reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), source);
  const snakeCase = [];
  const clocks = new Set();
  const isDate = ({ type, name }) => type === 'Identifier' && name === 'Date';
  const noteSql = (sql) => SQL_NOW.test(sql) && clocks.add('database');
  new Visitor({
    TSPropertySignature: ({ key }) => SNAKE_CASE.test(key.name ?? '') && snakeCase.push(key.name),
    NewExpression: ({ callee, arguments: given }) => isDate(callee) && given.length === 0 && clocks.add('machine'),
    CallExpression: ({ callee }) => isDate(callee) && clocks.add('machine'),
    MemberExpression: ({ object, property }) => isDate(object) && property.name === 'now' && clocks.add('machine'),
    Literal: ({ value }) => typeof value === 'string' && noteSql(value),
    TemplateElement: ({ value }) => noteSql(value.raw),
  }).visit(program);
  return { text, snakeCase, clocks };
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
