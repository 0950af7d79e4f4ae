import { z } from 'zod';
import { defineJob, enqueueEach, turnsOf } from '../../jobs/index.ts';
import { inTransaction, portionsOfRows, statement } from '../../kernel/index.ts';
import { defineSshRevocation, REVOKED_AT_ONCE } from '../certificate/index.ts';
import { ENDED_LOGINS, OF_ENDED_LOGINS, OF_LOGIN } from '../login/index.ts';

const revokeEnded = defineSshRevocation('of_ended_logins', OF_ENDED_LOGINS);

/** So many are looked up by one statement, which looks at all certificates of logins of the organization. */
const LOGINS_AT_ONCE = 1_000;

/**
 * Revokes the certificates of logins of an organization that have ended, in whatever way: by another mapping, another group, the
 * end of a membership, a deactivated user.
 */
export const endSshLogins = defineJob({
  name: 'ssh.end_logins',
  payload: z.object({ organizationId: z.string() }),
  turns: turnsOf('ssh.end_logins'),
  run: async (ctx, { organizationId }) => {
    const ended = await ctx.sql<object>(ENDED_LOGINS, [ctx.now(), organizationId]);
    for (const logins of portionsOfRows(ended, LOGINS_AT_ONCE)) {
      const values = [organizationId, JSON.stringify(logins)];
      // They may be given again meanwhile, so that they are looked up again.
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
    await enqueueEach(ctx, endSshLogins, found, ({ organizationId }) => ({
      key: `ssh-logins:${organizationId}`,
      maxAttempts: 1,
    }));
  },
});
