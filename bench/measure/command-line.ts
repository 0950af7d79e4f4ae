import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './sample.ts';

const PROGRAM = fileURLToPath(new URL('../../apps/cli/bin/coffer.mjs', import.meta.url));
const ROUNDS = 21;
/** Milliseconds that `coffer --version` may take beyond the start of Node. */
const TARGET = 60;

/** Milliseconds, medians of rounds in which both have their turn. */
export interface CommandLineStart {
  readonly node: number;
  readonly version: number;
}

/** Measures how long the command line takes to print its version, and how much of that is the start of Node. */
export function measureCommandLine(): CommandLineStart {
  const [node, version]: [number[], number[]] = [[], []];
  // The first run fills the compile cache.
  run([PROGRAM, '--version']);
  for (let round = 0; round < ROUNDS; round++) {
    node.push(run(['--eval', '0']));
    version.push(run([PROGRAM, '--version']));
  }
  return { node: median(node), version: median(version) };
}

function run(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`coffer --version has failed: ${stderr}`);
  return performance.now() - started;
}

export const showCommandLine = ({ node, version }: CommandLineStart): string =>
  `coffer --version ${version.toFixed(0)} ms, of which Node's own start ${node.toFixed(0)} ms (target: ${TARGET} ms more than Node)\n`;
