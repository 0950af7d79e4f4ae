import { statement, type Transaction } from '../../kernel/index.ts';
import { disableRevoked } from '../authority/index.ts';
import { crlEntry, REVOCATION_REASONS, type RevocationReason } from '../x509.ts';
import { enqueueRebuild } from './rebuild.ts';

export interface Revoked {
  readonly certificateId: string;
  /** The key that signed the certificate: its list gets the entry. */
  readonly caKeyId: string;
  /** Lower-case hexadecimal. */
  readonly serialNumber: string;
  readonly reason: RevocationReason;
  readonly revokedAt: Date;
}

/** `not_after` is the certificate's. */
const ENTER = statement(
  'revocation_entries.enter',
  `insert into revocation_entries
     (ca_key_id, serial_number, organization_id, project_id, not_after, revoked_at, reason, entry)
   select k.id, $2, k.organization_id, k.project_id, c.not_after, $4, $5, $6
   from ca_keys k, certificates c where k.id = $1 and c.id = $3
   returning organization_id as "organizationId"`,
);

/**
 * Stores the entry of a certificate in the revocation list of a key, and has the list renewed some seconds after the
 * commit. The entry stays when the certificate's own row is deleted. If the certificate belongs to an authority of the
 * project, that authority is disabled with those below it.
 *
 * @throws DomainError 403 if the caller may not edit one of these.
 */
export async function revoked(tx: Transaction, input: Revoked): Promise<void> {
  const { certificateId, caKeyId, serialNumber, reason, revokedAt } = input;
  const entry = crlEntry(serialNumber, revokedAt, reason);
  const values = [caKeyId, serialNumber, certificateId, revokedAt, REVOCATION_REASONS[reason], entry];
  const [entered] = await tx.sql<{ organizationId: string }>(ENTER, values);
  if (!entered) throw new Error('What is revoked has no row, or its key has none');
  await disableRevoked(tx, [certificateId]);
  enqueueRebuild(tx, { organizationId: entered.organizationId, caKeyId });
}
