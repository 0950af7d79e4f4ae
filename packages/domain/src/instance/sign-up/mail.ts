import { z } from 'zod';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { DomainError, inTransaction, newId, type Context, type Transaction } from '../../kernel/index.ts';
import { AWAITED_MAIL } from '../../mail/index.ts';
import { mailedCodeTurns, mailLink } from '../../users/mailed-code/index.ts';
import { accountOf, requireAdmission } from './admission.ts';
import { signUpCodes } from './proof.ts';

const Asked = z.object({
  codeId: z.string(),
  email: z.string(),
  askedAt: z.iso.datetime(),
  // Jobs of the previous release do not have it.
  askedFrom: z.string().default(''),
});
type Asked = z.output<typeof Asked>;

const TEXT = {
  subject: 'Your account on Coffer',
  request: 'A Coffer account was requested for this e-mail address.',
  otherwise: 'nobody gets the account without the link',
  label: 'Complete the account',
};

/**
 * Sends a code to an address that may sign up, or was invited, and has no account yet. The lookup happens in the job,
 * so that neither the response nor its timing discloses invitations and accounts.
 */
export const signUpMail = defineJob({
  name: 'mail.sign_up',
  payload: Asked,
  turns: mailedCodeTurns,
  run: async (ctx, asked) => {
    const code = await inTransaction(ctx, (tx) => codeFor(tx, asked));
    if (code !== undefined) await mailLink(ctx, signUpCodes, { code, email: asked.email }, TEXT);
  },
});

async function codeFor(tx: Transaction, { codeId: id, email, askedAt }: Asked): Promise<string | undefined> {
  if (!(await mayComplete(tx, email))) return undefined;
  return signUpCodes.makeToSend(tx, { id, owner: email, askedAt: new Date(askedAt) });
}

async function mayComplete(tx: Transaction, email: string): Promise<boolean> {
  const account = await accountOf(tx, email);
  if (account?.isAccepted) return false;
  if (account?.isInvited) return true;
  return requireAdmission(tx, email).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError) return false;
      throw error;
    },
  );
}

/** Enqueues the message; it replaces a waiting one for the same address. */
export function sendSignUpCode(ctx: Context, email: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const asked = { codeId: newId(), email, askedAt: tx.now().toISOString(), askedFrom: tx.request.ipAddress };
    enqueue(tx, signUpMail, asked, { ...AWAITED_MAIL, key: `sign-up:${email}` });
  });
}
