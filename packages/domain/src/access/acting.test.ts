import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const sources = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] }).map(
  (path) => [path, readFileSync(join(root, path), 'utf8')] as const,
);

/** The files in which this is. */
const filesWith = (pattern: RegExp): string[] =>
  sources.flatMap(([path, text]) => (pattern.test(text) ? path : [])).toSorted();

describe('the rights of others', () => {
  it('are used by contexts of `actingAs`, which has them asked again', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(filesWith(/\bactor: \{ (?:value|get)\b/)).toEqual(['access/acting.ts', 'access/same-rights.ts']);
  });

  it('are counted as approvals by which a transaction decides, or to be shown', () => {
    expect(filesWith(/\bcountedApprovals\(/)).toEqual([
      'access/approval-policy/kept-reviews.ts',
      // Shown; `merge` and `decide` count by `decidingApprovals`.
      'secrets/approval/review-state.ts',
    ]);
  });

  it('that outlast the transaction in which they were asked are compared after the wait', () => {
    const kept = filesWith(/inTransaction\(ctx, \(tx\) => abilityOfRunAs\(/);
    expect(kept).toEqual(['connections/sync/source.ts', 'pki/sync/source.ts']);
    expect(filesWith(/\brequireSame\(rights, await rightsIn\(/)).toEqual(['connections/sync/synchronize.ts']);
    expect(filesWith(/\bawait requireStillWanted\(/)).toEqual(['pki/sync/synchronize.ts']);
  });
});
