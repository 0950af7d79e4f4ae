import { spawnSync } from 'node:child_process';

/**
 * Whether programs of other packages are on this machine. Where one is missing, tests with it are skipped; with `CI` set nothing is skipped: what
 * needs a missing program fails.
 */
export const isInstalled = (...programs: readonly string[]): boolean =>
  process.env['CI'] !== undefined ||
  programs.every((program) => spawnSync('sh', ['-c', `command -v "${program}"`]).status === 0);
