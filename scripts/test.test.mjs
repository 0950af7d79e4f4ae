import { describe, expect, it } from 'vitest';
import { longFiles, summarize, vitestArguments } from './test.mjs';

const file = (status, ...statuses) => ({ status, assertionResults: statuses.map((of) => ({ status: of })) });

describe('summarize', () => {
  it('counts tests', () => {
    const report = { testResults: [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')] };
    expect(summarize(report, 1)).toEqual({ line: '3 passed, 1 failed', ok: false });
  });

  it('names skipped tests only if there are some', () => {
    const report = { testResults: [file('passed', 'passed', 'pending', 'todo')] };
    expect(summarize(report, 0)).toEqual({ line: '1 passed, 0 failed, 2 skipped', ok: true });
  });

  it('counts a file that failed before its tests', () => {
    const report = { testResults: [file('passed', 'passed'), file('failed')] };
    expect(summarize(report, 1)).toEqual({ line: '1 passed, 1 failed', ok: false });
  });

  it('counts a run that failed outside its tests', () => {
    expect(summarize({ testResults: [file('passed', 'passed')] }, 1)).toEqual({
      line: '1 passed, 1 failed',
      ok: false,
    });
    expect(summarize(undefined, 1)).toEqual({ line: '0 passed, 1 failed', ok: false });
  });

  it('does not call a run in order in which nothing ran', () => {
    expect(summarize({ testResults: [file('passed', 'skipped')] }, 0).ok).toBe(false);
  });
});

describe('what is run', () => {
  it('is everything but the long files without arguments, everything with --all, and otherwise what is named', () => {
    expect(vitestArguments([], ['a.test.ts'])).toEqual(['--exclude=a.test.ts']);
    expect(vitestArguments(['--all'], ['a.test.ts'])).toEqual([]);
    expect(vitestArguments(['packages/domain/'], ['a.test.ts'])).toEqual(['packages/domain']);
  });

  it('leaves out files that name what takes their time', () => {
    expect(longFiles()).toContain('apps/cli/test/agent-kills.test.ts');
    expect(longFiles()).not.toContain('apps/server/test/matrix.test.ts');
  });
});
