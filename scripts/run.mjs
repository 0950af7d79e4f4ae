// Runs one task with the workspace's own Node: `node scripts/run.mjs <command> [arguments]`.
//
// The Node that starts this file only has to be 18 or newer. The task itself runs on the Node that pnpm installed
// (optional package node-<platform>), in the root of the workspace, and this process lives exactly as long as it does.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outlive } from './task.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const oldestNode = 24;
/**
 * How many heaps the threads of a process share (glibc). By default each of Node's eight gets its own, and most of what such a
 * heap has once had is never returned.
 */
const MALLOC_ARENA_MAX = '2';

installIfNeeded();
requireNode();
await run(process.argv.slice(2));

/** Installs if the lockfile differs from the last installed one. File times are not reliable after a checkout. */
function installIfNeeded() {
  const stamp = join(root, 'node_modules', '.coffer-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;

  // Its output goes to stderr: stdout belongs to the task. pnpm must not ask questions. Its warnings are about the Node that
  // runs pnpm; the task has another one.
  console.error('Installing what is missing…');
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const install = [
    '-y',
    packageManager,
    'install',
    '--loglevel=error',
    '--frozen-lockfile',
    '--config.confirmModulesPurge=false',
  ];
  const { status, error } = spawnSync('npx', install, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`The dependencies could not be installed${error ? `: ${error.message}` : ''}`);
  // A new file, never a change of the old one: checkouts that were copied by hard links may share that.
  writeFileSync(`${stamp}.new`, lock);
  renameSync(`${stamp}.new`, stamp);
}

/** A platform without its Node package gets none from pnpm, silently; then the Node on the PATH has to do. */
function requireNode() {
  if (existsSync(join(bin, 'node')) || Number.parseInt(process.versions.node, 10) >= oldestNode) return;
  const platform = `${process.platform}-${process.arch}`;
  fail(
    `Coffer runs on Node ${oldestNode} or newer, and there is no package of it for ${platform}: ` +
      `install it and try again (this is ${process.version})`,
  );
}

async function run([command, ...args]) {
  if (!command) fail('Usage: node scripts/run.mjs <command> [arguments]');
  const defaults = { NODE_COMPILE_CACHE: compileCacheOf(args), MALLOC_ARENA_MAX, ...process.env };
  const env = { ...defaults, PATH: bin + delimiter + process.env.PATH, TURBO_TELEMETRY_DISABLED: '1' };
  try {
    process.exitCode = await outlive(spawn(command, args, { cwd: root, stdio: 'inherit', env }));
  } catch (error) {
    fail(`${command} could not be started: ${error.message}`);
  }
}

/**
 * The compile cache of a program, from its first file on: the type stripper takes 20 MB, and is then not loaded. Each
 * program has its own: V8 accepts code only with the flags that it was compiled with, the server changes some
 * (`compact-start.ts`), and each of two programs that share one compiles and writes everything again after the other.
 */
function compileCacheOf(args) {
  const program = args.find((arg) => /\.(?:ts|mjs)$/.test(arg)) ?? 'others';
  return join(root, 'node_modules', '.cache', 'coffer', basename(program, extname(program)));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
