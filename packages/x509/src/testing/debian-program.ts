import { existsSync } from 'node:fs';

/** A program that a Debian package brings, and that tests run. */
export interface DebianProgram {
  /** Tests with it are skipped if it is missing; in CI, where it is installed, they then fail. */
  readonly isMissing: boolean;
  /** Suffix of the titles of such tests, so that a skip gives the reason. */
  readonly orSkipped: string;
  /** @throws Error if it is missing. */
  readonly require: () => void;
}

export function debianProgram(command: string, debianPackage: string): DebianProgram {
  const isThere = existsSync(command);
  const isMissing = !isThere && !process.env['CI'];
  const why = `there is no ${command} here; install the Debian package ${debianPackage}`;
  return {
    isMissing,
    orSkipped: isMissing ? ` (SKIPPED: ${why})` : '',
    require() {
      if (!isThere) throw new Error(why);
    },
  };
}
