import type { Linted, LintOptions } from './linted.ts';

/** One thing that a certificate has to be. */
export interface LintRule {
  /** Stable: it is kept with certificates, and callers match on it. */
  readonly id: string;
  /** Where it is written, with the section. */
  readonly source: string;
  /** Absent for an error. A warning does not keep a certificate from being signed. */
  readonly severity?: 'warning';
  /** What is wrong; `undefined` where nothing is. May throw where the certificate is too broken to tell. */
  check(certificate: Linted, options: LintOptions): string | undefined;
}

export const when = (isWrong: boolean | undefined, message: string): string | undefined =>
  isWrong ? message : undefined;
