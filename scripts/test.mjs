// Runs the tests of all packages in one run: `node scripts/test.mjs [--all | arguments of vitest]`. Without `--all` the files that
// begin with `// @long: what takes the time` are left out: a fifteenth of the tests, which takes a third of the time. The last line of its
// output is `N passed, N failed` (`, N skipped`), counted from vitest's own report.
import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
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

/** The arguments of vitest for those of this program. */
export function vitestArguments(args, long) {
  if (args.length === 0) return long.map((file) => `--exclude=${file}`);
  // vitest finds nothing under `packages/domain/`, which is what a shell completes to.
  return args.filter((arg) => arg !== ALL).map((arg) => arg.replace(/\/$/, ''));
}

const ALL = '--all';

/** The test files that begin with the mark of long ones. */
export const longFiles = () =>
  globSync(['{packages,apps}/*/{src,test}/**/*.test.ts', '{bench,examples}/**/*.test.ts'], {
    exclude: ['**/node_modules'],
  })
    .filter((file) => readFileSync(file, 'utf8').startsWith('// @long: '))
    .toSorted();

const isFailed = ({ status }) => status === 'failed';

const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;

/**
 * The temporary folder of a run. Each test file makes a database of a thousand small files, which costs a tenth of the
 * CPU time in memory. Where memory is short, or programs must not run from there, it is on the disk.
 */
function temporaryFolder() {
  const folder = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), 'coffer-test-'));
  // PostgreSQL runs as a user other than root and needs a way to its data directory.
  chmodSync(folder, 0o711);
  return folder;
}

function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    return mount?.includes('noexec') === false && bavail * bsize > 4 * GIB && freemem() > 8 * GIB;
  } catch {
    return false; // another system than Linux
  }
}

function runVitest(args, folder, outputFile) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`];
  const env = { ...process.env, TMPDIR: folder };
  return outlive(spawn('vitest', ['run', ...reporters, ...args], { stdio: 'inherit', env }));
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // vitest broke before it could write one
  }
}

if (import.meta.main) {
  const folder = temporaryFolder();
  const outputFile = join(folder, 'report.json');
  const own = process.argv.slice(2);
  const args = vitestArguments(own, longFiles());
  // Many tests start servers, which begin while it is made or after.
  const bundling =
    own.every((arg) => arg === ALL) && outlive(spawn('node', ['scripts/bundle.mjs'], { stdio: 'inherit' }));
  const [exitCode] = await Promise.all([runVitest(args, folder, outputFile), bundling]);
  const { line, ok } = summarize(readReport(outputFile), exitCode);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  console.log(line);
  process.exitCode = ok ? 0 : 1;
}
