import { badRequest } from '../../kernel/index.ts';
import { exactGlob, glob, MatchingCost } from '../../pki/constraint/index.ts';
import { MAX_PRINCIPALS, type SshCertificateType } from '../ssh.ts';

const refuse = (message: string) => badRequest('ssh_certificate.principals', message);

/** Printable ASCII without spaces, quotes and what separates or inverts patterns in the files of OpenSSH. */
const NAME = /^[\x21-\x7e]+$/;
const NOT_IN_NAMES = /[,"'!?#\\]/;

/**
 * The rules for the principals of every certificate. A list without principals would be valid for any, and `*` in a
 * host certificate is a pattern for clients.
 *
 * @throws DomainError 400 `ssh_certificate.principals`
 */
export function requirePrincipals(type: SshCertificateType, principals: readonly string[]): void {
  if (principals.length === 0)
    throw refuse('At least one principal is required: without principals, a certificate would be valid for all');
  if (principals.length > MAX_PRINCIPALS)
    throw refuse(`There are ${principals.length} principals; OpenSSH reads at most ${MAX_PRINCIPALS}`);
  for (const one of principals) {
    const shown = one.slice(0, 100);
    if (!NAME.test(one) || NOT_IN_NAMES.test(one))
      throw refuse(`"${shown}" is not a principal: use printable ASCII without spaces, commas, quotes and ! ? # \\`);
    if (type === 'user' && one.includes('*')) throw refuse(`"${shown}" has an asterisk, which is no pattern for users`);
    if (type === 'host' && one !== one.toLowerCase())
      throw refuse(`"${shown}" has upper-case letters; clients compare host names in lower case`);
  }
}

/**
 * Checks principals against patterns in which `*` matches any characters. A principal with `*` is allowed if everything
 * that it matches is: an asterisk is matched by an asterisk only.
 *
 * @throws DomainError 400 `ssh_certificate.principals`
 */
export function requireAllowed(
  type: SshCertificateType,
  principals: readonly string[],
  allowed: readonly string[],
): void {
  const cost = new MatchingCost();
  const globs = allowed.map((pattern) => (type === 'user' ? exactGlob(pattern) : glob(pattern)));
  const refused = principals.find((one) => !globs.some((pattern) => pattern.matches(one, cost)));
  if (refused === undefined) return;
  const field = type === 'user' ? 'allowedUsers' : 'allowedHosts';
  throw refuse(`${refused.slice(0, 100)} is not among the ${field} of the template`);
}
