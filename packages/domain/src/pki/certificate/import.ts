import { createPublicKey, type KeyObject } from 'node:crypto';
import { authorize, organizationOf, authorizeAnywhere, projectIdBySlug } from '../../access/index.ts';
import { PRIVATE_KEY_KINDS, readPrivateKey } from '../../crypto/index.ts';
import { badRequest, explainConstraint, inTransaction, newId, record, type Context } from '../../kernel/index.ts';
import { addToCollection, collectionPermissions } from '../collection/index.ts';
import { reading, refused } from '../constraint/index.ts';
import {
  afterWildcard,
  isWildcard,
  chainPem,
  readCertificate,
  readChain,
  sameKey,
  toPem,
  verifyChain,
  type ReadCertificate,
} from '../x509.ts';
import { certificateImported, certificatePermissions, type ImportCertificate } from './certificate.ts';
import { storeForeign } from './foreign.ts';
import { authorizeCertificate, requireMayHaveAnyName } from './right.ts';
import { privateKeyPem } from './sealed.ts';

explainConstraint('certificates_fingerprint_unique', 'The project already has this certificate');

export interface ImportedCertificate {
  readonly certificateId: string;
  /** PEM, as are all of them. */
  readonly certificate: string;
  readonly certificateChain: string;
  readonly privateKey: string | null;
  readonly serialNumber: string;
}

/** `adm*.example.com`, which clients may take for `admin.example.com`; it is not issued here. */
function hasPartialWildcard({ subject: { commonName = '' }, altNames }: ReadCertificate): boolean {
  const hosts = altNames.filter(({ type }) => type === 'dns').map(({ value }) => value);
  return [commonName, ...hosts].some((name) => afterWildcard(name) !== undefined && !isWildcard(name));
}

/**
 * Stores a certificate of an external authority, to monitor its expiry. It cannot be revoked or renewed here.
 *
 * @throws DomainError 404; 403, also for names that rules cannot compare, unless the caller may import all names; 400 for malformed
 * input, `certificate.private_key` for a key that does not match,
 * `certificate.chain` for an invalid chain, `certificates_fingerprint_unique` if it is stored already.
 */
export async function importCertificate(ctx: Context, input: ImportCertificate): Promise<ImportedCertificate> {
  const { projectSlug, pkiCollectionId } = input;
  if (input.projectId === undefined && projectSlug === undefined)
    throw badRequest('certificate.no_project', 'The project is required: projectId or projectSlug');
  const projectId = input.projectId ?? (await projectIdBySlug(ctx, projectSlug!));
  const organizationId = organizationOf(ctx);
  // Faults of a certificate are reported only to callers who may import one.
  await authorizeAnywhere(ctx, certificatePermissions.import, { projectId });
  const certificate = reading(() => readCertificate(input.certificatePem));
  const { commonName = '' } = certificate.subject;
  const friendlyName = input.friendlyName || commonName || certificate.altNames[0]?.value || '';
  const names = certificate.altNames;
  const { other, ...subject } = certificate.subject;
  const { serialNumber } = certificate;
  const facts = { commonName, subject, names, friendlyName, status: 'active', serialNumber };
  await authorizeCertificate(ctx, certificatePermissions.import, projectId, facts);
  if (other.length > 0 || certificate.hasOtherAltNames || hasPartialWildcard(certificate))
    await requireMayHaveAnyName(ctx, certificatePermissions.import, projectId, facts);
  if (pkiCollectionId !== undefined) await authorize(ctx, collectionPermissions.create, { projectId });
  const chain = readIssuers(certificate, input.chainPem);
  const privateKey = input.privateKeyPem ? readKey(certificate, input.privateKeyPem) : undefined;
  const id = newId();
  return inTransaction(ctx, async (tx) => {
    const key = privateKey?.export({ type: 'pkcs8', format: 'der' });
    const place = { id, organizationId, projectId };
    await storeForeign(tx, place, { certificate, chain, privateKey: key, friendlyName, source: 'import' });
    if (pkiCollectionId !== undefined)
      await addToCollection(tx, { organizationId, projectId, pkiCollectionId, certificateId: id });
    record(tx, certificateImported, { certificateId: id, serialNumber, commonName }, { projectId });
    return {
      certificateId: id,
      certificate: toPem('CERTIFICATE', certificate.der),
      certificateChain: chain,
      privateKey: privateKey ? privateKeyPem(privateKey) : null,
      serialNumber,
    };
  });
}

/** PEM of its chain. Each certificate must be signed by the next one; expiry is not checked. */
function readIssuers(certificate: ReadCertificate, pem: string | undefined): string {
  if (!pem?.trim()) return '';
  const chain = reading(() => readChain(pem));
  // Some begin it with the certificate itself.
  const issuers = chain[0]?.der.equals(certificate.der) ? chain.slice(1) : chain;
  if (issuers.length === 0) return '';
  const problem = verifyChain(certificate, issuers, certificate.notBefore);
  if (problem && problem.rule !== 'expired' && problem.rule !== 'not_yet_valid')
    throw refused('certificate.chain', problem.message);
  return chainPem(issuers.map(({ der }) => der));
}

function readKey({ publicKey }: ReadCertificate, pem: string): KeyObject {
  const key = readPrivateKey(pem);
  if (!key)
    throw refused(
      'certificate.private_key',
      `The private key must be one PEM block of PKCS #8, PKCS #1 or SEC 1 without a password: ${PRIVATE_KEY_KINDS}`,
    );
  if (!sameKey(createPublicKey(key), publicKey))
    throw refused('certificate.private_key', 'The private key does not match the certificate');
  return key;
}
