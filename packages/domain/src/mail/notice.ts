import { z } from 'zod';
import { defineJob, enqueue, type Job } from '../jobs/index.ts';
import { inTransaction, type Context } from '../kernel/index.ts';
import { deliver, NOTICE, noticeTurns } from './deliver.ts';
import { compose, type MessageText } from './message-text.ts';

/** A message, and who gets it. */
export interface Notice {
  readonly readers: readonly { readonly id: string; readonly email: string | null }[];
  readonly text: MessageText;
}

const OfReader = z.object({
  readerId: z.string().optional().describe('If omitted, one message is sent to each reader'),
  noticeId: z.string().optional().describe('Of the job that has enqueued this one, perhaps not for the first time'),
});

/**
 * A job that sends one message to several readers. It enqueues one job per reader, so that a retry for one does not repeat the
 * message to the others. Each of them calls `find` again, and sends the message only if that still returns its reader.
 */
export function defineNotice<Payload extends { readonly organizationId: string }>(notice: {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** `readerId`: of the only reader that matters, if it is one. */
  readonly find: (ctx: Context, payload: Payload, readerId: string | undefined) => Promise<Notice | undefined>;
}): Job<Payload & z.output<typeof OfReader>> {
  const { name, payload: Payload, find } = notice;
  const job = defineJob({
    name,
    payload: z.intersection(Payload, OfReader),
    turns: noticeTurns,
    run: async (ctx, payload) => {
      const found = await find(ctx, payload, payload.readerId);
      if (!found) return;
      if (payload.readerId === undefined) {
        const { id: noticeId } = ctx.request;
        await inTransaction(ctx, async (tx) => {
          for (const { id } of found.readers) enqueue(tx, job, { ...payload, readerId: id, noticeId }, NOTICE);
        });
        return;
      }
      const email = found.readers.find(({ id }) => id === payload.readerId)?.email;
      if (email) await deliver(ctx, compose(email, found.text), payload.noticeId);
    },
  });
  return job;
}
