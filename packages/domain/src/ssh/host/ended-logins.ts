import { z } from 'zod';
import { defineJob } from '../../jobs/index.ts';
import { inTransaction, type Context } from '../../kernel/index.ts';
import { defineSshRevocation, REVOKED_AT_ONCE } from '../certificate/index.ts';
import { OF_ENDED_LOGIN } from '../login/index.ts';

const revokeEnded = defineSshRevocation('of_ended_logins', OF_ENDED_LOGIN);

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
