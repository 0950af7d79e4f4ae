import { z } from 'zod';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { inTransaction, newId, type Context, type Transaction } from '../../kernel/index.ts';
import { AWAITED_MAIL } from '../../mail/index.ts';
import { mailedCodeTurns, mailLink } from '../mailed-code/index.ts';
import { recordForUser } from '../user/index.ts';
import { lockUser, resetCodes } from './link.ts';
import { passwordResetSent } from './recovery.ts';

const Asked = z.object({
  resetId: z.string(),
  email: z.string(),
  askedAt: z.iso.datetime(),
  askedFrom: z.string(),
});
type Asked = z.output<typeof Asked>;

const TEXT = {
  subject: 'A new password for Coffer',
  request: 'A password reset was requested for the Coffer account of this e-mail address.',
  effect: 'A new password ends all sessions.',
  otherwise: 'your password stays unchanged',
  label: 'Choose a new password',
};

/**
 * Sends a recovery link to the user with the address, if there is one. The lookup and the creation of the code happen
 * in the job: so waiting jobs contain no code, and neither the response nor its timing discloses whether the account
 * exists. A retry sends a new code.
 */
export const passwordResetMail = defineJob({
  name: 'mail.password_reset',
  payload: Asked,
  turns: mailedCodeTurns,
  run: async (ctx, asked) => {
    const code = await inTransaction(ctx, (tx) => codeFor(tx, asked));
    if (code !== undefined) await mailLink(ctx, resetCodes, { code, email: asked.email }, TEXT);
  },
});

/** Nothing if the address is unknown, the message too late, or the limit of messages reached. */
async function codeFor(tx: Transaction, asked: Asked): Promise<string | undefined> {
  const { resetId: id, email, askedAt, askedFrom } = asked;
  const userId = await lockUser(tx, email);
  if (userId === undefined) return undefined;
  const code = await resetCodes.makeToSend(tx, { id, owner: userId, askedAt: new Date(askedAt) });
  if (code !== undefined) await recordForUser(tx, userId, passwordResetSent, { userId, askedFrom });
  return code;
}

/** Enqueues the message; it replaces a waiting one for the same address. */
export function sendReset(ctx: Context, email: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const asked = { resetId: newId(), email, askedAt: tx.now().toISOString(), askedFrom: tx.request.ipAddress };
    enqueue(tx, passwordResetMail, asked, { ...AWAITED_MAIL, key: `password-reset:${email}` });
  });
}
