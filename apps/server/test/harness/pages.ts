import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The tables of pages in docs/, and the tests that they name.

export const ROOT = join(import.meta.dirname, '../../../..');

export interface TableRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** The rows of all tables of a page with these columns, written as `| One | Two |`. */
export function tableRows(page: string, columns: string): TableRow[] {
  const rows: TableRow[] = [];
  let isTable = false;
  for (const [index, text] of page.split('\n').entries()) {
    isTable = text === columns || (isTable && text.startsWith('|'));
    if (!isTable || text === columns || /^[| -]+$/.test(text)) continue;
    rows.push({ cells: text.split(/ ?\| ?/).slice(1, -1), line: index + 1 });
  }
  return rows;
}

const testFiles = globSync(['{apps,packages}/*/{src,test}/**/*.test.ts', 'bench/*/*.test.ts'], { cwd: ROOT });

const NAME = /\b(?:describe|it)(?:\(|\.(?:each|for|skipIf|runIf)[^]*?\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const PLACEHOLDER = /%[a-z]|\$\{[^}]*\}|\$\w+/;
const SHARED = /from '(\.{1,2}\/(?:[^']*\/)?(?:testing|harness|flows)\/[^']+)'/g;

const literally = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/**
 * A matcher for the name of a test in source code: placeholders match any text, and a name of only placeholders any
 * text of the source.
 */
function patternOf(name: string, source: string): (said: string) => boolean {
  const parts = name.replaceAll(/\\(.)/g, '$1').split(PLACEHOLDER);
  if (parts.every((part) => part === '')) return (said) => source.includes(said);
  const pattern = new RegExp(`^${parts.map(literally).join('.*')}$`);
  return (said) => pattern.test(said);
}

const known = new Map<string, ((said: string) => boolean)[]>();
/** All names of a file, including those of imported suites. */
function namesOf(file: string): ((said: string) => boolean)[] {
  let names = known.get(file);
  if (!names) {
    const own = readFileSync(join(ROOT, file), 'utf8');
    const shared = Array.from(own.matchAll(SHARED), ([, path = '']) =>
      readFileSync(join(ROOT, file, '..', path), 'utf8'),
    );
    names = [own, ...shared].flatMap((source) =>
      Array.from(source.matchAll(NAME), ([, , name = '']) => patternOf(name, source)),
    );
    known.set(file, names);
  }
  return names;
}

/**
 * The fault of a test's name in a page, written as `file.test.ts › suite › test`. The parts of the title are names of
 * suites and tests in that file or in the `testing`, `harness` or `flows` modules that it imports.
 */
export function faultOf(test: string): string | undefined {
  const [file = '', ...parts] = test.split(' › ');
  const [path, ...others] = testFiles.filter((one) => `/${one}`.endsWith(`/${file}`));
  if (!path) return `${test}: there is no such file`;
  if (others.length > 0) return `${test}: there are several such files`;
  if (parts.length === 0) return `${test}: names no test`;
  const strange = parts.find((part) => !namesOf(path).some((fits) => fits(part)));
  return strange === undefined ? undefined : `${test}: nothing is called «${strange}» there`;
}
