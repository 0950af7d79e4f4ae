import { badRequest, DomainError } from '../../kernel/index.ts';
import { readChain } from '../x509.ts';

/**
 * The configuration of EST clients (RFC 7030) on a profile or template. The passphrase is stored as an argon2id hash.
 */
export interface EstAccess {
  /** Whether the first enrollment needs no certificate. */
  readonly isOpen: boolean;
  /** PEM of the authorities of the certificates with which others enrol for the first time. */
  readonly caChain: string | null;
}

/**
 * Checks that the first enrollment either has trusted authorities or needs no certificate.
 *
 * @throws DomainError 400 `est_config.no_chain`, `est_config.chain`
 */
export function requireAnchors({ isOpen, caChain: chain }: EstAccess, nameOfOpen: string): void {
  if (chain) checkChain(chain);
  else if (!isOpen) throw badRequest('est_config.no_chain', `caChain is required, or set ${nameOfOpen}`);
}

function checkChain(pem: string): void {
  try {
    if (readChain(pem).every(({ ca }) => ca)) return;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  throw badRequest('est_config.chain', 'caChain must contain CA certificates in PEM form');
}
