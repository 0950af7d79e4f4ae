import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appRouter, operationsOf } from '@coffer/api';
import { describe, expect, it } from 'vitest';
import { faultOf, ROOT, tableRows } from '../harness/pages.ts';

// Checks docs/compatibility.md: its operations and its tests.

const PAGE = join(ROOT, 'docs/compatibility.md');
const COLUMNS = '| Operation | Shown by | Difference, and why |';
const NOT_OFFERED = 'Not offered: ';

interface Row {
  readonly operations: readonly string[];
  /** In the form `file.test.ts › suite › test`. */
  readonly tests: readonly string[];
  readonly difference: string;
  readonly line: number;
}

function readRows(page: string): Row[] {
  return tableRows(page, COLUMNS).map(({ cells, line }) => {
    expect([line, cells.length], 'three cells').toEqual([line, 3]);
    const [operations = '', tests = '', difference = ''] = cells;
    return {
      operations: operations.split('<br>').map((one) => /^`(.+)`$/.exec(one)?.[1] ?? `no code span: ${one}`),
      tests: tests === '–' ? [] : tests.split('<br>'),
      difference,
      line,
    };
  });
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
/** Two paths that differ only in the names of their parameters are equal. */
const shapeOf = (operation: string) => operation.replaceAll(/\{[^}]+\}/g, '{}');

describe('docs/compatibility.md', () => {
  it('has exactly one row for every operation, aliases included', () => {
    expect(rows.length).toBeGreaterThan(200);
    const withoutRow = without(routed, named(rows));
    expect({ withoutRow, inTwoRows: twice(named(rows)) }).toEqual({ withoutRow: [], inTwoRows: [] });
  });

  it('has no row for missing operations, except unsupported ones', () => {
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

  it('has for each row its tests and differences, or that it is not supported and why', () => {
    const bare = offered.filter(({ tests }) => tests.length === 0);
    const shown = missing.filter(({ tests }) => tests.length > 0);
    const silent = rows.filter(({ difference }) => difference === '' || difference === NOT_OFFERED.trim());
    expect([...bare, ...shown, ...silent].map(({ line }) => line)).toEqual([]);
  });
});
