import { hash } from 'node:crypto';
import { DomainError, type Context, type JobOptions, type Mail } from '../kernel/index.ts';
import { MAIL_REFUSED } from './smtp.ts';

/** Later and later, for most of a day; and after all other work that waits, which a slow mail server is not to hold up. */
export const MAIL_JOB: JobOptions = { maxAttempts: 12, priority: 10 };

/**
 * Hands a message to the mail server; jobs call this outside of transactions. What the server will never take is noted
 * in the log and done with, everything else is thrown for the job to be tried again.
 */
export async function deliver(ctx: Context, mail: Mail): Promise<void> {
  if (!ctx.sendMail) {
    ctx.log.warn({}, 'A message is not sent: no mail server is configured any more');
    return;
  }
  try {
    await ctx.sendMail({ ...mail, id: idOf(ctx, mail) });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === MAIL_REFUSED)) throw error;
    ctx.log.error({ reason: error.message }, 'A message is not sent: the mail server permanently rejected it');
  }
}

/** Of one message of one job. A message says who gets it and what for; its job, which time. */
const idOf = ({ request }: Context, { to, text }: Mail): string =>
  hash('sha256', JSON.stringify([request.id, to, text]), 'hex').slice(0, 40);
