import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appRouter, operationsOf } from '@coffer/api';
import { describe, expect, it } from 'vitest';

// Keeps docs/compatibility.md true as far as a program can: which operations there are, and which tests.

const ROOT = join(import.meta.dirname, '../../../..');
const PAGE = join(ROOT, 'docs/compatibility.md');
const COLUMNS = '| Operation | Shown by | Difference, and why |';
const NOT_OFFERED = 'Not offered: ';

interface Row {
  readonly operations: readonly string[];
  /** As they are written: `file.test.ts › what it is about › what it says`. */
  readonly tests: readonly string[];
  readonly difference: string;
  readonly line: number;
}

function readRows(page: string): Row[] {
  const rows: Row[] = [];
  let isTable = false;
  for (const [index, text] of page.split('\n').entries()) {
    isTable = text === COLUMNS || (isTable && text.startsWith('|'));
    if (!isTable || text === COLUMNS || /^[| -]+$/.test(text)) continue;
    const [, operations = '', tests = '', difference = '', ...more] = text.split(/ ?\| ?/);
    expect([index + 1, more], 'three cells').toEqual([index + 1, ['']]);
    rows.push({
      operations: operations.split('<br>').map((one) => /^`(.+)`$/.exec(one)?.[1] ?? `no code span: ${one}`),
      tests: tests === '–' ? [] : tests.split('<br>'),
      difference,
      line: index + 1,
    });
  }
  return rows;
}

const rows = readRows(readFileSync(PAGE, 'utf8'));
const offered = rows.filter(({ difference }) => !difference.startsWith(NOT_OFFERED));
const missing = rows.filter(({ difference }) => difference.startsWith(NOT_OFFERED));
const named = (some: readonly Row[]) => some.flatMap(({ operations }) => operations);
const routed = operationsOf(appRouter).map(({ method, url }) => `${method} ${url}`);

const twice = (texts: readonly string[]) => texts.filter((one, index) => texts.indexOf(one) !== index);
const without = (texts: readonly string[], others: readonly string[]) => {
  const set = new Set(others);
  return texts.filter((one) => !set.has(one));
};
/** Two paths that differ in the names of their parameters are one. */
const shapeOf = (operation: string) => operation.replaceAll(/\{[^}]+\}/g, '{}');

const testFiles = globSync('{apps,packages}/*/src/**/*.test.ts', { cwd: ROOT });

const NAME = /\b(?:describe|it)(?:\(|\.(?:each|skipIf|runIf)[^]*?\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const PLACEHOLDER = /%[a-z]|\$\{[^}]*\}|\$\w+/;
const SHARED = /from '(\.{1,2}\/(?:[^']*\/)?testing\/[^']+)'/g;

const literally = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** What a name in a test's source may say: what stands for a value fits any, and alone any text of the source. */
function patternOf(name: string, source: string): (said: string) => boolean {
  const parts = name.replaceAll(/\\(.)/g, '$1').split(PLACEHOLDER);
  if (parts.every((part) => part === '')) return (said) => source.includes(said);
  const pattern = new RegExp(`^${parts.map(literally).join('.*')}$`);
  return (said) => pattern.test(said);
}

const known = new Map<string, ((said: string) => boolean)[]>();
/** All names that a file has, also those of the suites that it shares with others. */
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

/** What is wrong with the name of a test. */
function faultOf(test: string): string | undefined {
  const [file = '', ...parts] = test.split(' › ');
  const [path, ...others] = testFiles.filter((one) => `/${one}`.endsWith(`/${file}`));
  if (!path) return `${test}: there is no such file`;
  if (others.length > 0) return `${test}: there are several such files`;
  if (parts.length === 0) return `${test}: names no test`;
  const strange = parts.find((part) => !namesOf(path).some((fits) => fits(part)));
  return strange === undefined ? undefined : `${test}: nothing is called «${strange}» there`;
}

describe('docs/compatibility.md', () => {
  it('has exactly one row for every operation, aliases included', () => {
    expect(rows.length).toBeGreaterThan(200);
    const withoutRow = without(routed, named(rows));
    expect({ withoutRow, inTwoRows: twice(named(rows)) }).toEqual({ withoutRow: [], inTwoRows: [] });
  });

  it('has no row for what is not there, but for what is not offered', () => {
    const shapes = new Set(routed.map(shapeOf));
    expect({
      noOperation: without(named(offered), routed),
      offeredAfterAll: named(missing).filter((one) => shapes.has(shapeOf(one))),
      malformed: named(rows).filter((one) => !/^(?:GET|POST|PUT|PATCH|DELETE) \/\S+$/.test(one)),
    }).toEqual({ noOperation: [], offeredAfterAll: [], malformed: [] });
  });

  it('names tests that exist', () => {
    const faults = offered.flatMap(({ tests, line }) =>
      tests.map(faultOf).map((fault) => fault && `${line}: ${fault}`),
    );
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it('says of each row what shows it and what differs, or that it is not offered and why', () => {
    const bare = offered.filter(({ tests }) => tests.length === 0);
    const shown = missing.filter(({ tests }) => tests.length > 0);
    const silent = rows.filter(({ difference }) => difference === '' || difference === NOT_OFFERED.trim());
    expect([...bare, ...shown, ...silent].map(({ line }) => line)).toEqual([]);
  });
});
