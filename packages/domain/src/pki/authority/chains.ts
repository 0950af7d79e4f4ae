import { invalidate, lockedRows, statement, type Transaction } from '../../kernel/index.ts';
import { readCertificate, toPem, type ReadCertificate } from '../x509.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import type { Certified } from './certify.ts';
import { tagOf } from './signer.ts';

interface Below {
  readonly id: string;
  readonly certificateId: string;
  readonly body: Buffer;
}

const LOCK_BELOW = statement(
  'certificate_authorities.lock_below',
  'select from certificate_authorities where parent_ca_id = $1 order by id for update',
);
const BELOW = statement(
  'certificate_authorities.below',
  `select a.id, c.id as "certificateId", c.body from certificate_authorities a
   join ca_certificates c on c.id = a.active_certificate_id where a.parent_ca_id = $1 order by a.id`,
);
const SET_CHAIN = statement('ca_certificates.set_chain', 'update ca_certificates set chain = $2 where id = $1');

/** A limit above all practical depths; an authority cannot be above and below another. */
const DEPTH = 32;

/**
 * After a renewal with the same key, authorities below use the new certificate in their chains, because the previous one expires
 * earlier. A chain that has become too long to be given is no obstacle: who makes authorities below does not decide about
 * renewals above. `certifyFirst` refuses to make such ones.
 */
export async function refreshChains(
  tx: Transaction,
  row: Pick<AuthorityEntity, 'id'>,
  above: Above,
  depth = 0,
): Promise<void> {
  if (depth >= DEPTH) return;
  const chain = `${toPem('CERTIFICATE', above.certificate.der)}${above.chain}`;
  for (const below of await lockedRows<Below>(tx, LOCK_BELOW, BELOW, [row.id])) {
    const certificate = readCertificate(below.body);
    if (!isSignedBy(certificate, above.certificate)) continue;
    await tx.sql(SET_CHAIN, [below.certificateId, chain]);
    invalidate(tx, tagOf(below.id));
    await refreshChains(tx, below, { certificate, chain }, depth + 1);
  }
}

type Above = Pick<Certified, 'certificate' | 'chain'>;

const isSignedBy = (certificate: ReadCertificate, issuer: ReadCertificate): boolean =>
  certificate.issuerName.equals(issuer.subjectName) &&
  issuer.keyId !== undefined &&
  certificate.authorityKeyId?.equals(issuer.keyId) === true;
