import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultOf, ROOT, tableRows } from '../harness/pages.ts';

// Checks docs/security.md: its tests and files.

const rows = tableRows(readFileSync(join(ROOT, 'docs/security.md'), 'utf8'), '| Threat | Defence | Shown by |');

/** The files that a text names, in the repository or in the domain package. */
const filesIn = (text: string) => Array.from(text.matchAll(/`([\w./-]+(?:\.ts|\/))`/g), ([, path = '']) => path);
const isThere = (path: string) => ['.', 'packages/domain/src'].some((folder) => existsSync(join(ROOT, folder, path)));

describe('docs/security.md', () => {
  it('has a threat, a defence with its file, and a test in every row', () => {
    expect(rows.length).toBeGreaterThan(50);
    const incomplete = rows.filter(
      ({ cells }) => cells.length !== 3 || cells.includes('') || filesIn(cells[1] ?? '').length === 0,
    );
    expect(incomplete.map(({ line }) => line)).toEqual([]);
  });

  it('names files that exist', () => {
    const missing = rows.flatMap(({ cells, line }) =>
      filesIn(cells[1] ?? '')
        .filter((path) => !isThere(path))
        .map((path) => `${line}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('names tests that exist', () => {
    const faults = rows.flatMap(({ cells, line }) =>
      (cells[2] ?? '')
        .split('<br>')
        .flatMap((test) => faultOf(test) ?? [])
        .map((fault) => `${line}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });
});
