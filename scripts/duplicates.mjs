// Refuses product code that is written twice: `node scripts/duplicates.mjs`. A run of the same tokens at two places counts;
// imports, comments, commas and layout do not. Tests, migrations and what is generated are left out.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** A run of fewer tokens (about six lines) is no duplicate: declarations of one kind look alike. */
const MIN_TOKENS = 50;
/** Pairs of files that may share longer runs, each with its reason. */
const ACCEPTED = [
  [
    'packages/domain/src/secrets/dynamic/providers/redis/redis.ts',
    'packages/domain/src/secrets/dynamic/providers/sql-database/sql-database.ts',
    'members of a family: what a login is made by has another type in each, and is rendered in another way',
  ],
  [
    'packages/domain/src/access/template.ts',
    'packages/domain/src/access/template.ts',
    'of two walks over conditions, one gives up where a value is missing, the other widens',
  ],
];

const LEFT_OUT = /\.test\.ts$|\/(testing|migrations|contract)\/|\/examples\.ts$/;
// A checker that finds nothing to check also finds nothing wrong.
const MIN_FILES = 1000;

const TOKEN = /'(?:\\.|[^'\\\n])*'|[\w$]+|[^\s\w,]/g;
const isImport = ({ type, source }) => type === 'ImportDeclaration' || (type.startsWith('Export') && source);

/** The tokens of a file, each with its line. */
function tokensOf(path, source) {
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const blanked = [...comments, ...program.body.filter(isImport)].reduce(
    (text, { start, end }) => text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + text.slice(end),
    source,
  );
  return blanked
    .split('\n')
    .flatMap((line, index) => Array.from(line.matchAll(TOKEN), ([token]) => ({ token, line: index + 1 })));
}

/**
 * The longest runs of at least so many tokens that stand at two places of some files, `[path, text]` each, longest first. Of
 * each file one character stands for one token, so that a run is a part of a string.
 */
export function findDuplicates(files, minTokens = MIN_TOKENS) {
  const characters = new Map();
  const characterOf = (token) => {
    if (!characters.has(token)) characters.set(token, String.fromCharCode(characters.size));
    return characters.get(token);
  };
  const read = files.map(([path, text]) => {
    const tokens = tokensOf(path, text);
    return {
      path,
      lines: tokens.map(({ line }) => line),
      code: tokens.map(({ token }) => characterOf(token)).join(''),
    };
  });
  if (characters.size > 65_536) throw new Error('There are more different tokens than characters for them');

  const seen = new Map();
  const found = [];
  for (const file of read)
    for (let at = 0; at + minTokens <= file.code.length; at++) {
      const window = file.code.slice(at, at + minTokens);
      const earlier = seen.get(window) ?? [];
      for (const other of earlier) {
        const isContinued = at > 0 && other.at > 0 && file.code[at - 1] === other.file.code[other.at - 1];
        const overlaps = other.file === file && at - other.at < minTokens;
        if (!isContinued && !overlaps) found.push(runOf({ file, at }, other));
      }
      seen.set(window, [...earlier, { file, at }]);
    }
  return found.toSorted((one, two) => two.tokens - one.tokens);
}

/** The run that begins at two places, as far as it goes. */
function runOf(one, other) {
  let tokens = 0;
  const next = ({ file, at }) => file.code[at + tokens];
  while (next(one) !== undefined && next(one) === next(other)) tokens++;
  const placeOf = ({ file: { path, lines }, at }) => `${path}:${lines[at]}-${lines[at + tokens - 1]}`;
  return { tokens, paths: [other.file.path, one.file.path], places: [placeOf(other), placeOf(one)] };
}

/** What is wrong, one sentence each: runs of pairs that are not accepted, and accepted pairs that share none. */
export function problemsOf(found, accepted) {
  const isOf = ({ paths }, [one, two]) => paths[0] === one && paths[1] === two;
  return [
    ...found
      .filter((run) => !accepted.some((pair) => isOf(run, pair)))
      .map(({ tokens, places: [one, two] }) => `${one} stands again at ${two} (${tokens} tokens)`),
    ...accepted
      .filter((pair) => !found.some((run) => isOf(run, pair)))
      .map(([one, two]) => `${one} and ${two} share nothing any more: take them out of the accepted pairs`),
  ];
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const paths = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root }).filter((path) => !LEFT_OUT.test(path));
  const found = findDuplicates(paths.toSorted().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const problems = problemsOf(found, ACCEPTED);
  if (paths.length < MIN_FILES) problems.push(`fewer than the ${MIN_FILES} files that are known to exist`);
  for (const problem of problems) console.error(problem);
  console.log(`${paths.length} files, ${found.length} duplicates, ${ACCEPTED.length} pairs accepted`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
