import { record, statement, type Transaction } from '../../kernel/index.ts';
import { sshListsChanged } from '../authority/index.ts';
import { sshCertificateRevoked } from './certificate.ts';
import { LISTED, type SshCertificateRow } from './stored.ts';

/** So many are revoked by one statement. */
export const REVOKED_AT_ONCE = 1_000;

interface RevokedRow extends SshCertificateRow {
  readonly organizationId: string;
}

/**
 * Revokes certificates, with an event for each. The revocation lists of their authorities have them from the commit on.
 *
 * @param values Of the parameters from `$2` on.
 * @returns At most `REVOKED_AT_ONCE`.
 */
type SshRevocation = (tx: Transaction, values?: readonly unknown[]) => Promise<readonly SshCertificateRow[]>;

/**
 * Some certificates to revoke: the only way to do so.
 *
 * @param name In the name of its statement.
 * @param which SQL: a condition on certificates `c`. `$1` is the present time.
 */
export function defineSshRevocation(name: string, which: string): SshRevocation {
  const REVOKE = statement(
    `ssh_certificates.revoke_${name}`,
    `update ssh_certificates c set revoked_at = $1 where c.id = any (array(
       select c.id from ssh_certificates c where c.revoked_at is null and ${which}
       order by c.not_after limit ${REVOKED_AT_ONCE} for update))
     returning ${LISTED}, organization_id as "organizationId"`,
  );
  return async (tx, values = []) => {
    const rows = await tx.sql<RevokedRow>(REVOKE, [tx.now(), ...values]);
    for (const row of rows) {
      const { organizationId, projectId } = row;
      record(tx, sshCertificateRevoked, eventData(row), { organizationId, projectId });
    }
    await sshListsChanged(tx, rows);
    return rows;
  };
}

const eventData = (row: RevokedRow) => ({
  certificateId: row.id,
  serialNumber: row.serialNumber,
  sshCaId: row.sshCaId,
  certificateTemplateId: row.sshCertificateTemplateId,
  sshHostId: row.sshHostId,
  certType: row.certType,
  keyId: row.keyId,
  principals: row.principals,
});
