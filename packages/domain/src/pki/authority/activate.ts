import { badRequest, invalidate, type Transaction } from '../../kernel/index.ts';
import { nameText, type ReadCertificate } from '../x509.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import type { Certified } from './certify.ts';
import { requireNotCompromised } from './compromised.ts';
import { requireNotRevoked, wholeOf } from './revoked.ts';
import { tagOf } from './signer.ts';
import { addCertificate, certificateOfKey } from './stored.ts';

/**
 * Activates a certificate of an authority, whose row is locked or new, after `lockPaths`; returns the ID of its row. An authority
 * that waited for it becomes active; a disabled one stays disabled.
 *
 * @throws DomainError 400 `certificate_authority.other_name` for a key that was certified under another name, `.revoked` if the
 * certificate or one above it was revoked.
 */
export async function activate(
  tx: Transaction,
  row: AuthorityEntity,
  keyId: string,
  { certificate, chain }: Pick<Certified, 'certificate' | 'chain'>,
): Promise<string> {
  await requireSameName(tx, keyId, certificate);
  await requireNotCompromised(tx, row, certificate.publicKey);
  await requireNotRevoked(tx, row, wholeOf(certificate.der, chain));
  const { other: _, ...subject } = certificate.subject;
  const certificateId = await addCertificate(tx, row, { keyId, certificate, chain });
  tx.em.assign(row, {
    activeKeyId: keyId,
    activeCertificateId: certificateId,
    status: row.status === 'pending-certificate' ? 'active' : row.status,
    subject,
    dn: nameText(certificate.subject),
    maxPathLength: certificate.ca?.pathLength ?? null,
    nameConstraints: certificate.nameConstraints ?? null,
    serialNumber: certificate.serialNumber,
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
  });
  await tx.em.flush();
  invalidate(tx, tagOf(row.id));
  return certificateId;
}

/**
 * Verifiers find revocation lists (RFC 5280) and OCSP responses (RFC 6960) by the issuer's name, compared byte by byte.
 */
async function requireSameName(tx: Transaction, keyId: string, { subjectName }: ReadCertificate): Promise<void> {
  const former = await certificateOfKey(tx, keyId);
  if (former && !former.subjectName.equals(subjectName))
    throw badRequest(
      'certificate_authority.other_name',
      'The key was certified under another name, which certificates that it signed contain: use a new key',
    );
}
