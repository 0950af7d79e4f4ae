import { z } from 'zod';
import { defineJob, enqueue, turnsOf } from '../../jobs/index.ts';
import { inTransaction, statement } from '../../kernel/index.ts';
import { defineSshRevocation, REVOKED_AT_ONCE } from '../certificate/index.ts';
import { ENDED_LOGINS, OF_ENDED_LOGIN, OF_LOGIN } from '../login/index.ts';

const revokeEnded = defineSshRevocation('of_ended_login', OF_ENDED_LOGIN);

/** What the certificates of one login have in common. */
interface Login {
  readonly sshHostId: string;
  readonly actorId: string | null;
  readonly sshCaId: string;
  readonly principals: readonly string[];
}

/**
 * Revokes the certificates of logins of an organization that have ended, in whatever way: by another mapping, another group, the
 * end of a membership, a deactivated user.
 */
export const endSshLogins = defineJob({
  name: 'ssh.end_logins',
  payload: z.object({ organizationId: z.string() }),
  turns: turnsOf('ssh.end_logins'),
  run: async (ctx, { organizationId }) => {
    for (const login of await ctx.sql<Login>(ENDED_LOGINS, [ctx.now(), organizationId])) {
      const values = [organizationId, login.sshHostId, login.actorId, login.sshCaId, login.principals];
      // It may be given again meanwhile, so that it is looked up again.
      while ((await inTransaction(ctx, (tx) => revokeEnded(tx, values))).length === REVOKED_AT_ONCE);
    }
  },
});

const WITH_LOGINS = statement(
  'ssh_certificates.organizations_with_logins',
  `select o.id as "organizationId" from organizations o cross join lateral (
     select from ssh_certificates c where c.organization_id = o.id and ${OF_LOGIN} limit 1) c`,
);

/** Once a minute, each organization by a job of its own. Hosts read revocations from the list of the authority. */
export const endedSshLogins = defineJob({
  name: 'ssh.ended_logins',
  payload: z.object({}),
  schedule: '* * * * *',
  run: async (ctx) => {
    const found = await ctx.sql<{ organizationId: string }>(WITH_LOGINS, [ctx.now()]);
    await inTransaction(ctx, async (tx) => {
      for (const one of found)
        enqueue(tx, endSshLogins, one, { key: `ssh-logins:${one.organizationId}`, maxAttempts: 1 });
    });
  },
});
