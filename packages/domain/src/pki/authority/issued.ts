import { newId, statement, type Transaction } from '../../kernel/index.ts';
import { nameText } from '../x509.ts';
import type { Certified } from './certify.ts';
import { requireNotCompromised } from './compromised.ts';
import { keepAuthority, notActive } from './find.ts';
import type { Signer } from './signer.ts';

/**
 * Nothing is inserted where the authority issues no more, or has another chain or name, whatever this process still believes.
 */
const INSERT = statement(
  'certificate_authorities.issue',
  `insert into certificates (id, organization_id, project_id, ca_id, ca_certificate_id, ca_key_id, serial_number,
     friendly_name, common_name, subject, not_before, not_after, key_usages, extended_key_usages, key_algorithm,
     signature_algorithm, is_ca, body, chain, fingerprint_sha256, lint, source, created_at, updated_at)
   select $1, a.organization_id, a.project_id, a.id, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, '{}', $12, $13, true,
     $14, $15, $16, $17::jsonb, 'sign', $18, $18
   from certificate_authorities a join ca_certificates c on c.id = a.active_certificate_id
   where a.id = $2 and a.status = 'active' and a.not_after > $18 and c.id = $3 and c.chain = $19
     and a.name = $20
   returning id`,
);

/**
 * Stores an authority's certificate among those of its issuer, so that it can be revoked; returns the ID of its row.
 *
 * @throws DomainError 400 `certificate_authority.not_active`.
 */
export async function storeIssued(tx: Transaction, signer: Signer, { certificate, chain, findings }: Certified) {
  const { other: _, ...subject } = certificate.subject;
  const { issuingCaCertificate, certificateChain } = signer;
  await requireNotCompromised(tx, signer, certificate.publicKey);
  // A renewal of the issuer, or of an authority above it, updates the chains of all earlier certificates.
  await keepAuthority(tx, signer.caId);
  const [row] = await tx.sql<{ id: string }>(INSERT, [
    newId(),
    signer.caId,
    signer.caCertificateId,
    signer.caKeyId,
    certificate.serialNumber,
    nameText(certificate.subject),
    certificate.subject.commonName ?? '',
    JSON.stringify(subject),
    certificate.notBefore,
    certificate.notAfter,
    certificate.keyUsages,
    certificate.keyAlgorithm ?? '',
    certificate.signatureAlgorithm,
    certificate.der,
    chain,
    Buffer.from(certificate.fingerprintSha256, 'hex'),
    JSON.stringify(findings),
    tx.now(),
    certificateChain.slice(issuingCaCertificate.length),
    signer.name,
  ]);
  if (!row) throw notActive('The certificate authority was disabled, renewed or renamed concurrently; try again');
  return row.id;
}
