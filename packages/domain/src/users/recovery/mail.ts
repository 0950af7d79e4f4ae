import { z } from 'zod';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { inTransaction, newId, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { compose, deliver, MAIL_JOB } from '../../mail/index.ts';
import { recordForUser } from '../user/index.ts';
import { CODE_LIFETIME, lockUser, makeCode, resetLink } from './link.ts';
import { passwordResetSent } from './recovery.ts';

/** Messages to one person within an hour; the last of them is good for as long. */
const MAX_PER_HOUR = 3;
const HOUR = 3600 * 1000;

const Asked = z.object({
  resetId: z.string(),
  email: z.string(),
  askedAt: z.iso.datetime(),
  askedFrom: z.string(),
});
type Asked = z.output<typeof Asked>;

/** Besides this one: how many came within the hour, and whether another or itself has taken its place. */
const STANDING = statement(
  'password_resets.standing',
  `select count(*) filter (where id <> $2 and asked_at > $3)::int as recent,
     coalesce(bool_or(case when id = $2 then verified_at is not null or ended_at is not null else asked_at > $4 end), false) as is_past
   from password_resets where user_id = $1`,
);

/**
 * Sends a link to whoever has an account with the address. The account is looked for, and the code made, no sooner than
 * here: so nothing that waits could be used, and nobody learns from the answer, nor from how long it took, whether
 * there is one. Tried again, it sends another code in place of its first.
 */
export const passwordResetMail = defineJob({
  name: 'mail.password_reset',
  payload: Asked,
  run: async (ctx, asked) => {
    const { email } = asked;
    const code = await inTransaction(ctx, (tx) => codeFor(tx, asked));
    if (code === undefined) return;
    await deliver(
      ctx,
      compose(email, {
        subject: 'A new password for Coffer',
        paragraphs: [
          'Somebody asked for a new password for the account of this e-mail address on Coffer.',
          'The link is for you alone. It works once, and for one hour; a newer one takes its place. Choosing a new password ends all sessions.',
          'If it was not you, there is nothing to do: the password stays as it is.',
        ],
        action: { label: 'Choose a new password', url: resetLink(ctx, { code, email }) },
      }),
    );
  },
});

/** Nothing where nobody has the address, where the message would come too late, and where enough were sent. */
async function codeFor(tx: Transaction, asked: Asked): Promise<string | undefined> {
  const { resetId: id, email, askedFrom } = asked;
  const [now, askedAt] = [tx.now().getTime(), new Date(asked.askedAt)];
  if (askedAt.getTime() + CODE_LIFETIME <= now) return undefined;
  const userId = await lockUser(tx, email);
  if (userId === undefined) return undefined;
  const [standing] = await tx.sql<{ recent: number; is_past: boolean }>(STANDING, [
    userId,
    id,
    new Date(now - HOUR),
    askedAt,
  ]);
  if (!standing || standing.is_past || standing.recent >= MAX_PER_HOUR) return undefined;
  await recordForUser(tx, userId, passwordResetSent, { userId, askedFrom });
  return makeCode(tx, { id, userId, askedAt });
}

/** Asks for the message; one that still waits for the same address gives way. */
export function sendReset(ctx: Context, email: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const asked = { resetId: newId(), email, askedAt: tx.now().toISOString(), askedFrom: tx.request.ipAddress };
    enqueue(tx, passwordResetMail, asked, { ...MAIL_JOB, key: `password-reset:${email}` });
  });
}
