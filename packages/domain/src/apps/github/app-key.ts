import { isRsaKey } from '../../kernel/rsa-pem.ts';
import { badRequest } from '../../kernel/errors.ts';

/**
 * Reads a private key of a GitHub App, as the operator sets it: in PEM, with `\n` for line breaks where the environment has
 * no others.
 *
 * @throws DomainError 400 for anything else.
 */
export function parseGitHubAppKey(text: string): string {
  const pem = text.replaceAll(String.raw`\n`, '\n').trim();
  if (isRsaKey(pem)) return pem;
  throw badRequest('github.app_key', 'expected the RSA private key of a GitHub App, in PEM');
}
