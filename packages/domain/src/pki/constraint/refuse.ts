import { badRequest, DomainError } from '../../kernel/index.ts';
import type { Finding } from '../x509.ts';

const SHOWN = 3;

/**
 * Refuses what has errors.
 *
 * @throws DomainError 400, its code the first error's rule; the message and `details.findings` name all rules.
 */
export function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return;
  const said = errors.slice(0, SHOWN).map(({ rule, message }) => `${message} (${rule})`);
  if (errors.length > SHOWN) said.push(`and ${errors.length - SHOWN} more`);
  throw badRequest(first.rule, said.join('; '), { findings: errors });
}

/** The refusal by one rule. */
export function refused(rule: string, message: string): DomainError {
  return badRequest(rule, `${message} (${rule})`, { findings: [{ rule, severity: 'error', message }] });
}

/** Reads something that a caller sent; where that is refused, the answer names the rule as every other refusal does. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'bad_request') throw error;
    throw refused(error.code, error.message);
  }
}
