// Runs the tests of all packages in one run: `node scripts/test.mjs [arguments of vitest]`. The last line of its output
// is `N passed, N failed` (`, N skipped`), counted from vitest's own report.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outlive } from './task.mjs';

/**
 * The counts of a vitest report. A file that failed before its tests counts as a failed test, and so does a failed run.
 */
export function summarize(report, exitCode) {
  const results = report?.testResults ?? [];
  const tests = results.flatMap((file) => file.assertionResults);
  const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length;
  const broken = results.filter((file) => file.status === 'failed' && !file.assertionResults.some(isFailed)).length;

  const passed = count('passed');
  const failed = count('failed') + broken || (exitCode === 0 ? 0 : 1);
  const skipped = tests.length - passed - count('failed');
  return {
    line: `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`,
    ok: failed === 0 && passed > 0,
  };
}

const isFailed = ({ status }) => status === 'failed';

function runVitest(args, outputFile) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  return outlive(spawn('vitest', ['run', ...reporters, ...args], { stdio: 'inherit' }));
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // vitest broke before it could write one
  }
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-test-'));
  const outputFile = join(folder, 'report.json');
  // vitest finds nothing under `packages/domain/`, which is what a shell completes to.
  const args = process.argv.slice(2).map((arg) => arg.replace(/\/$/, ''));
  const exitCode = await runVitest(args, outputFile);
  const { line, ok } = summarize(readReport(outputFile), exitCode);
  rmSync(folder, { recursive: true });
  console.log(line);
  process.exitCode = ok ? 0 : 1;
}
