import { z } from 'zod';
import { defineJob, enqueue, turnsOf } from '../../jobs/index.ts';
import { abilityIn, requireMayRemove } from '../../access/index.ts';
import { inTransaction, type Transaction } from '../../kernel/index.ts';
import { defineSshRevocation, REVOKED_AT_ONCE, sshCertificatePermissions } from '../certificate/index.ts';
import type { HostRow } from './stored.ts';

/** All certificates of a host that is gone, and those for a former name of one. */
const revokeLost = defineSshRevocation(
  'of_host',
  `c.ssh_host_id = $2 and c.not_after > $1 and coalesce(
     (select c.cert_type = 'host' and c.principals <> array[h.hostname] from ssh_hosts h where h.id = $2), true)`,
);

/** Revokes what is left, in a transaction for each part. */
export const lostSshCertificates = defineJob({
  name: 'ssh.lost_certificates',
  payload: z.object({ organizationId: z.string(), sshHostId: z.string() }),
  turns: turnsOf('ssh.lost_certificates'),
  run: async (ctx, { sshHostId }) => {
    while ((await inTransaction(ctx, (tx) => revokeLost(tx, [sshHostId]))).length === REVOKED_AT_ONCE);
  },
});

/**
 * Revokes the certificates that a host loses by its deletion or another name, after that. Whoever may log in makes as many as it
 * likes: those of the first part are revoked with the change, others by a job right after it.
 *
 * @throws DomainError 403 if a rule forbids the caller to revoke certificates.
 */
export async function revokeLostCertificates(
  tx: Transaction,
  { id: sshHostId, organizationId, projectId }: Pick<HostRow, 'id' | 'organizationId' | 'projectId'>,
): Promise<void> {
  const revoked = await revokeLost(tx, [sshHostId]);
  const fields = revoked.map(() => ({}));
  await requireMayRemove(await abilityIn(tx, projectId), sshCertificatePermissions.delete, projectId, fields);
  if (revoked.length === REVOKED_AT_ONCE)
    enqueue(tx, lostSshCertificates, { organizationId, sshHostId }, { maxAttempts: 25 });
}
