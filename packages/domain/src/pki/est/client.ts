import { restBeforeLong, SLOW_VERIFICATION, unauthenticated, type Context } from '../../kernel/index.ts';
import { isAnyRevoked } from '../authority/index.ts';
import { readChain, verifyChain, type ReadCertificate } from '../x509.ts';
import type { Place } from './place.ts';

/** The certificates that a client of EST shows. */

export const notKnown = () =>
  unauthenticated('est.refused', 'The passphrase or the client certificate is not accepted');

/** Characters of the header; a proxy passes on a few kilobytes for each certificate. */
const MAX_HEADER = 32_768;

/** The client certificate from the handshake of a trusted proxy, and what it shows with that. */
export async function clientCertificates(ctx: Context): Promise<ReadCertificate[]> {
  const header = ctx.request.clientCertificate ?? '';
  if (header === '' || header.length > MAX_HEADER) return [];
  // Reading a chain verifies what signs itself.
  await restBeforeLong(SLOW_VERIFICATION);
  try {
    return readChain(decodeURIComponent(header));
  } catch {
    return [];
  }
}

const ANY_EXTENDED_KEY_USAGE = '2.5.29.37.0';

/** Whether the usages of a certificate, if it has any, are those of clients too (RFC 5280, section 4.2.1.12). */
const isForClients = ({ extendedKeyUsages, otherExtendedKeyUsages }: ReadCertificate): boolean =>
  extendedKeyUsages.length + otherExtendedKeyUsages.length === 0 ||
  extendedKeyUsages.includes('clientAuth') ||
  otherExtendedKeyUsages.includes(ANY_EXTENDED_KEY_USAGE);

/**
 * The certificate of a client that enrols for the first time, with those above it up to an anchor (DER).
 *
 * @throws DomainError 401
 */
export async function requireBootstrap(ctx: Context, { caChain }: Place): Promise<Buffer[]> {
  const [leaf, ...others] = await clientCertificates(ctx);
  if (!leaf || !caChain) throw notKnown();
  await restBeforeLong(SLOW_VERIFICATION);
  const vouching = await vouchingFor(leaf, { others, anchors: readChain(caChain), now: ctx.now() });
  // Verifiers take the usages of authorities as limits of what is below; anchors are trusted as they are.
  if (!vouching || leaf.ca || ![leaf, ...vouching.slice(0, -1)].every(isForClients)) throw notKnown();
  return [leaf, ...vouching].map(({ der }) => der);
}

interface Offered {
  readonly others: readonly ReadCertificate[];
  readonly anchors: readonly ReadCertificate[];
  readonly now: Date;
}

/** Clients may send their chain, including the root; each certificate may be an anchor. */
async function vouchingFor(
  leaf: ReadCertificate,
  { others, anchors, now }: Offered,
): Promise<ReadCertificate[] | undefined> {
  for (const anchor of anchors)
    for (let length = 0; length <= others.length; length++) {
      const path = [...others.slice(0, length), anchor];
      await restBeforeLong(SLOW_VERIFICATION);
      if (verifyChain(leaf, path, now) === undefined) return path;
    }
  return undefined;
}

/** @throws DomainError 401 if one of them (DER) was revoked. */
export async function requireNoneRevoked(ctx: Context, place: Place, whole: readonly Buffer[]): Promise<void> {
  if (whole.length > 0 && (await isAnyRevoked(ctx, place, whole))) throw notKnown();
}
