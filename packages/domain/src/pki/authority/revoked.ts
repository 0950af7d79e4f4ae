import { hash } from 'node:crypto';
import { badRequest, forget, record, statement, type Transaction } from '../../kernel/index.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import { authorityUpdated } from './authority.ts';
import { tagOf } from './signer.ts';

const DISABLE = statement(
  'certificate_authorities.disable_revoked',
  `update certificate_authorities a set status = 'disabled', updated_at = $2
   from certificates r, ca_certificates c
   where r.id = $1 and r.is_ca and c.project_id = r.project_id and c.body = r.body
     and a.active_certificate_id = c.id and a.status = 'active'
   returning a.id as "caId", a.name, a.project_id as "projectId"`,
);

/**
 * Disables the authority of the same project that works with a certificate, if one does: it was revoked, and nobody is
 * to trust what is issued by it. It would renew itself otherwise, with the key that was revoked.
 */
export async function disableRevoked(tx: Transaction, certificateId: string): Promise<void> {
  const rows = await tx.sql<{ caId: string; name: string; projectId: string }>(DISABLE, [certificateId, tx.now()]);
  for (const { caId, name, projectId } of rows) {
    forget(tx, tagOf(caId));
    record(tx, authorityUpdated, { caId, name, changed: ['status'] }, { projectId });
  }
}

const IS_REVOKED = statement(
  'certificates.is_revoked',
  `select id from certificates
   where organization_id = $1 and project_id = $2 and fingerprint_sha256 = $3 and status = 'revoked'`,
);

/** @throws DomainError 400 `certificate_authority.revoked` where the project knows that this certificate (DER) was. */
export async function requireNotRevoked(
  tx: Transaction,
  { organizationId, projectId }: Pick<AuthorityEntity, 'organizationId' | 'projectId'>,
  der: Uint8Array,
): Promise<void> {
  const [revoked] = await tx.sql(IS_REVOKED, [organizationId, projectId, hash('sha256', der, 'buffer')]);
  if (revoked)
    throw badRequest(
      'certificate_authority.revoked',
      'The certificate was revoked: the authority needs another one, for a new key',
    );
}
