import { z } from 'zod';
import { defineJob } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../kernel/index.ts';
import { defineSshRevocation, REVOKED_AT_ONCE } from '../certificate/index.ts';
import { principalSql } from '../login/index.ts';

/**
 * Of the certificates for hosts those that the host would not issue any more to whoever ordered them: it has another authority
 * or principal mode, or no such login.
 */
const revokeEnded = defineSshRevocation(
  'of_ended_logins',
  `c.cert_type = 'user' and c.ssh_host_id is not null and c.not_after > $1
     and (select true from effective_memberships e cross join lateral (
         select l.ssh_host_id, l.login_user from ssh_logins l where l.membership_id = e.membership_id offset 0
       ) l cross join lateral (
         select s.principal_mode, s.user_ssh_ca_id from ssh_host_settings s where s.ssh_host_id = l.ssh_host_id offset 0
       ) s
       where e.organization_id = c.organization_id and l.ssh_host_id = c.ssh_host_id and e.actor_id = c.actor_id
         and s.user_ssh_ca_id = c.ca_id
         and c.principals = array[${principalSql('s.principal_mode', 'l.ssh_host_id', 'l.login_user')}]
       limit 1) is null`,
);

/**
 * Revokes the certificates of logins that have ended, in whatever way: by another mapping, another group, the end of a
 * membership, a deactivated user.
 *
 * @returns Their number.
 */
export async function revokeEndedLogins(ctx: Context): Promise<number> {
  for (let count = 0; ;) {
    const { length } = await inTransaction(ctx, (tx) => revokeEnded(tx));
    count += length;
    if (length < REVOKED_AT_ONCE) return count;
  }
}

/** Hosts read revocations from the list of the authority. */
export const endedSshLogins = defineJob({
  name: 'ssh.ended_logins',
  payload: z.object({}),
  schedule: '* * * * *',
  run: async (ctx) => void (await revokeEndedLogins(ctx)),
});
