import { generateKey, type KeyPair, type SigningKey } from '../algorithm.ts';
import type { Finding, KeyAlgorithm } from '../content.ts';
import { fieldRules } from './fields.ts';
import { readLinted, type Linted, type LintOptions } from './linted.ts';
import { nameRules } from './names.ts';
import { pointerRules } from './pointers.ts';
import type { LintRule } from './rule.ts';
import { usageRules } from './usages.ts';

export type { LintOptions } from './linted.ts';
export type { LintRule } from './rule.ts';

/** All rules, in the order of their findings. Add new ones to one of these lists. */
export const LINT_RULES: readonly LintRule[] = [...fieldRules, ...usageRules, ...nameRules, ...pointerRules];

const STRUCTURE = 'rfc5280.structure';

/**
 * Lints a certificate, or a TBSCertificate, by RFC 5280 and further rules, with a parser that is independent of the
 * encoder. Never throws.
 */
export function lint(der: Uint8Array, options: LintOptions = {}): Finding[] {
  let certificate: Linted;
  try {
    certificate = readLinted(Buffer.from(der.buffer, der.byteOffset, der.length), options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return [
      { rule: STRUCTURE, severity: 'error', message: `It does not have the structure of a certificate: ${reason}` },
    ];
  }
  return LINT_RULES.flatMap((rule) => {
    const message = judged(rule, certificate, options);
    return message ? [{ rule: rule.id, severity: rule.severity ?? 'error', message }] : [];
  });
}

function judged(rule: LintRule, certificate: Linted, options: LintOptions): string | undefined {
  try {
    return rule.check(certificate, options);
  } catch {
    return 'The rule cannot be evaluated, because the certificate is malformed';
  }
}

const keys = new Map<KeyAlgorithm, Promise<KeyPair & SigningKey>>();

/** A temporary key for signing certificates that are only linted. One per process, created on first use. */
export function throwAwayKey(algorithm: KeyAlgorithm): Promise<KeyPair & SigningKey> {
  const made = keys.get(algorithm);
  if (made) return made;
  const making = generateKey(algorithm).then((key) => ({ ...key, algorithm }));
  keys.set(algorithm, making);
  // A failure is retried by the next call; waiting callers get the error.
  making.catch(() => keys.delete(algorithm));
  return making;
}
