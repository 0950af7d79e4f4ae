import { hash } from 'node:crypto';
import { turnsOf } from '../jobs/index.ts';
import { DomainError, unavailable, type Context, type JobOptions, type Mail } from '../kernel/index.ts';
import { MAIL_REFUSED } from './smtp.ts';

/** A message that somebody waits for. It is tried later and later, for most of a day. */
export const AWAITED_MAIL: JobOptions = { maxAttempts: 12, priority: 5 };

/** Any other message: behind all work that waits. */
export const NOTICE: JobOptions = { ...AWAITED_MAIL, priority: 20 };

/** Those of an organization are sent one after the other, in turns with those of others. */
export const noticeTurns = turnsOf('notices');

/**
 * Hands a message to the mail server; called by jobs outside of transactions. Permanent rejections are logged and
 * dropped; other errors are thrown, so that the job is retried: also in a process without a mail server, since it was
 * queued by one that has one.
 *
 * @param occasion Default: the job that calls it.
 */
export async function deliver(ctx: Context, mail: Mail, occasion = ctx.request.id): Promise<void> {
  if (!ctx.sendMail)
    throw unavailable('mail.not_here', 'This process has no mail server, and leaves the message to one that has');
  try {
    await ctx.sendMail({ ...mail, id: mail.id ?? idOf(occasion, mail) });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === MAIL_REFUSED)) throw error;
    ctx.log.error({ reason: error.message }, 'A message is not sent: the mail server permanently rejected it');
  }
}

/** Identifies one message. Itself it identifies its recipient and purpose; its job, the occasion. */
const idOf = (occasion: string, { to, text }: Mail): string =>
  hash('sha256', JSON.stringify([occasion, to, text]), 'hex').slice(0, 40);
