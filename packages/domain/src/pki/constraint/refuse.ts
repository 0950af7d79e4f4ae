import { badRequest, DomainError } from '../../kernel/index.ts';
import type { Finding } from '../x509.ts';

const SHOWN = 3;

/**
 * Rejects findings with errors.
 *
 * @throws DomainError 400, with the first error's rule as code; the message and `details.findings` contain all rules.
 */
export function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const said = errors.slice(0, SHOWN).map(({ rule, message }) => `${message} (${rule})`);
  if (errors.length > SHOWN) said.push(`and ${errors.length - SHOWN} more`);
  throw badRequest(first.rule, said.join('; '), { findings: errors });
}

/** The error for one rule. */
export function refused(rule: string, message: string): DomainError {
  return badRequest(rule, `${message} (${rule})`, { findings: [{ rule, severity: 'error', message }] });
}

/** Parses caller input; errors get a rule name like all other violations. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'bad_request') throw error;
    throw refused(error.code, error.message);
  }
}
