import type { X509Certificate } from 'node:crypto';
import { badRequest, restBeforeLong, SLOW_VERIFICATION, unauthenticated } from '../../../../kernel/index.ts';
import type { Claims, LoginAttempt } from '../../auth-method.ts';
import { allows } from '../../fields.ts';
import { altNamesOf, commonNameOf, isForClients, isIssuedBy, isValidAt, readCertificates } from './certificate.ts';

/** Characters of the header; a proxy passes on a few kilobytes for each certificate. */
const MAX_HEADER = 32_768;

interface Config {
  readonly caCertificate: string;
  readonly allowedCommonNames: string | null;
  readonly allowedSubjectAltNames: readonly string[];
  readonly verifyClientCertificateChain: boolean;
}

const refused = (reason: string, message: string) => unauthenticated(`tls_cert_auth.${reason}`, message);

/**
 * Verifies the client certificate from the handshake of a trusted proxy.
 *
 * @throws DomainError 400 if there is none, 401 if it may not log in.
 */
export async function verifyClient(
  config: Config,
  _credentials: object,
  { now, request }: Pick<LoginAttempt, 'now' | 'request'>,
): Promise<Claims> {
  const header = request.clientCertificate;
  if (!header)
    throw badRequest(
      'tls_cert_auth.no_certificate',
      'The request has no client certificate: log in through a trusted proxy that forwards it',
    );
  const [leaf, ...others] = readHeader(header);
  if (!leaf) throw refused('malformed', 'The client certificate must be in PEM form, URL-encoded');
  if (others.length > 0 && !config.verifyClientCertificateChain)
    throw refused('malformed', 'Send only the client certificate, or enable chain verification in the login method');
  if (!isForClients(leaf)) throw refused('usage', 'This is not a client certificate');
  const anchors = readCertificates(config.caCertificate);
  if (!(await isTrusted(leaf, others, { anchors, now })))
    throw refused('untrusted', 'The certificate was not signed by the authority of this identity, or is not valid now');
  const [commonName, altNames] = [commonNameOf(leaf), altNamesOf(leaf)];
  if (!allows(config.allowedCommonNames ?? '', commonName))
    throw refused('common_name', 'The common name of this certificate may not log in');
  const { allowedSubjectAltNames: allowed } = config;
  if (allowed.length > 0 && !altNames.some((name) => allowed.includes(name)))
    throw refused('alt_name', 'No alternative name of this certificate may log in');
  const { serialNumber, fingerprint256: fingerprint } = leaf;
  return { tlsCert: { commonName: commonName ?? null, subjectAltNames: altNames, serialNumber, fingerprint } };
}

function readHeader(header: string): X509Certificate[] {
  try {
    return header.length > MAX_HEADER ? [] : readCertificates(decodeURIComponent(header));
  } catch {
    return [];
  }
}

/**
 * Whether a path leads from the certificate through the others, each signed by the next, to one of the authorities. Strangers send
 * long ones: each signature after the first is verified in a turn of its own.
 */
async function isTrusted(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  { anchors, now }: { anchors: readonly X509Certificate[]; now: Date },
): Promise<boolean> {
  const isAnchor = ({ raw }: X509Certificate) => anchors.some((anchor) => anchor.raw.equals(raw));
  // Clients send their root along.
  const path = [leaf, ...others.filter((one) => !isAnchor(one))];
  if (!path.every((one) => isValidAt(one, now))) return false;
  const valid = anchors.filter((anchor) => isValidAt(anchor, now));
  let verified = 0;
  const isIssuedByOne = async (certificate: X509Certificate, issuers: readonly X509Certificate[], below: number) => {
    for (const issuer of issuers) {
      if (verified++ > 0) await restBeforeLong(SLOW_VERIFICATION);
      if (isIssuedBy(certificate, issuer, below)) return true;
    }
    return false;
  };
  for (const [i, certificate] of path.entries()) {
    const next = path[i + 1];
    if (!(await isIssuedByOne(certificate, next ? [next] : valid, i))) return false;
  }
  return true;
}
