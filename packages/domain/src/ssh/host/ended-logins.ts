import { z } from 'zod';
import { defineJob } from '../../jobs/index.ts';
import { inTransaction, invalidate, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { sshTagOf } from '../authority/index.ts';
import { sshCertificateRevoked } from '../certificate/index.ts';

const AT_ONCE = 1_000;

/**
 * Of certificates for hosts, whose key ID begins with the actor, and whose only principal has the login user: those that the host
 * would not issue any more, as it has another authority or principal mode, or no such login.
 */
const REVOKE = statement(
  'ssh_certificates.revoke_of_ended_logins',
  `with ended as materialized (
     select c.id from ssh_certificates c
     where c.cert_type = 'user' and c.ssh_host_id is not null and c.revoked_at is null and c.not_after > $1
       and (select true from effective_memberships e cross join lateral (
           select l.ssh_host_id, l.login_user from ssh_logins l where l.membership_id = e.membership_id offset 0
         ) l cross join lateral (
           select s.principal_mode, s.user_ssh_ca_id from ssh_host_settings s where s.ssh_host_id = l.ssh_host_id offset 0
         ) s
         where e.organization_id = c.organization_id and l.ssh_host_id = c.ssh_host_id
           and e.actor_id = substring(c.key_id, '^[a-z]+-([0-9a-f-]{36})')::uuid
           and s.user_ssh_ca_id = c.ca_id and c.principals[1] =
             case when s.principal_mode = 'host-bound' then 'host:' || l.ssh_host_id || ':' else '' end || l.login_user
         limit 1) is null
     order by c.not_after limit ${AT_ONCE} for update skip locked
   )
   update ssh_certificates c set revoked_at = $1 from ended where c.id = ended.id
   returning c.id as "certificateId", c.organization_id as "organizationId", c.project_id as "projectId",
     c.serial_number::text as "serialNumber", c.ca_id as "sshCaId", c.ssh_host_id as "sshHostId", c.key_id as "keyId",
     c.principals`,
);

interface Revoked {
  readonly certificateId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly serialNumber: string;
  readonly sshCaId: string;
  readonly sshHostId: string;
  readonly keyId: string;
  readonly principals: string[];
}

/**
 * Revokes the certificates of logins that have ended, in whatever way: by another mapping, another group, the end of a
 * membership, a deactivated user.
 *
 * @returns Their number.
 */
export async function revokeEndedLogins(ctx: Context): Promise<number> {
  for (let count = 0; ;) {
    const revoked = await inTransaction(ctx, revokeSome);
    count += revoked;
    if (revoked < AT_ONCE) return count;
  }
}

async function revokeSome(tx: Transaction): Promise<number> {
  const rows = await tx.sql<Revoked>(REVOKE, [tx.now()]);
  for (const { organizationId, projectId, ...data } of rows) {
    invalidate(tx, sshTagOf(data.sshCaId));
    const event = { ...data, certificateTemplateId: null, certType: 'user' };
    record(tx, sshCertificateRevoked, event, { organizationId, projectId });
  }
  return rows.length;
}

/** Hosts read revocations from the list of the authority. */
export const endedSshLogins = defineJob({
  name: 'ssh.ended_logins',
  payload: z.object({}),
  schedule: '* * * * *',
  run: async (ctx) => void (await revokeEndedLogins(ctx)),
});
