import type { Linted, LintOptions } from './linted.ts';

/** One rule for certificates. */
export interface LintRule {
  /** Stable: it is stored with certificates, and callers match on it. */
  readonly id: string;
  /** Its source, with the section. */
  readonly source: string;
  /** Absent for an error. A warning does not keep a certificate from being signed. */
  readonly severity?: 'warning';
  /** The fault; `undefined` if there is none. May throw if the certificate is too malformed to decide. */
  check(certificate: Linted, options: LintOptions): string | undefined;
}

export const when = (isWrong: boolean | undefined, message: string): string | undefined =>
  isWrong ? message : undefined;
