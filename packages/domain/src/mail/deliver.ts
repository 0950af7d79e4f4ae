import { DomainError, type Context, type JobOptions, type Mail } from '../kernel/index.ts';
import { MAIL_REFUSED } from './smtp.ts';

/** Later and later, for most of a day. */
export const MAIL_JOB: JobOptions = { maxAttempts: 12 };

/**
 * Hands a message to the mail server; jobs call this outside of transactions. What the server will never take is noted
 * in the log and done with, everything else is thrown for the job to be tried again.
 */
export async function deliver(ctx: Context, mail: Mail): Promise<void> {
  if (!ctx.sendMail) {
    ctx.log.warn({}, 'A message is not sent: there is no mail server any more');
    return;
  }
  try {
    await ctx.sendMail(mail);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === MAIL_REFUSED)) throw error;
    ctx.log.error({ reason: error.message }, 'A message is not sent: the mail server refuses it for good');
  }
}
