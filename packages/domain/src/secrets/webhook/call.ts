import { DomainError, type Context } from '../../kernel/index.ts';
import { requestOf, type Message } from './message.ts';
import { openTarget } from './sealed.ts';
import type { WebhookType } from './webhook.ts';

/** Milliseconds: of the call itself, and of waiting where one receiver has several calls at a time. */
const CALL = 10_000;
const WAIT = 10_000;
const MAX_MESSAGE = 255;

/** A webhook, as far as calling it takes. */
export interface Callee {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly type: string;
  readonly url: Uint8Array;
  readonly secretKey: Uint8Array | null | undefined;
}

/**
 * Calls a webhook once. Answers why that failed, in words that name the host and nothing else: an address may be a
 * secret, and so may what a receiver says. A fault of ours is logged, and is a failure like any other: one that was thrown
 * would be met again at once.
 */
export async function callWebhook(ctx: Context, webhook: Callee, message: Message): Promise<string | undefined> {
  try {
    return await call(ctx, webhook, message);
  } catch (error) {
    if (error instanceof DomainError) return error.message.replace(/^webhook /, '').slice(0, MAX_MESSAGE);
    ctx.log.error({ err: error, webhookId: webhook.id }, 'A webhook could not be called');
    return 'A fault of ours, which is in the log';
  }
}

async function call(ctx: Context, webhook: Callee, message: Message): Promise<string | undefined> {
  const { url, secretKey } = await openTarget(ctx, webhook);
  const { host } = new URL(url);
  const request = requestOf(message, { type: webhook.type as WebhookType, secretKey, now: ctx.now() });
  const { status } = await ctx.targets.run(
    `webhook ${host}`,
    () => ctx.fetch(url, { ...request, timeoutMs: CALL, maxRedirects: 0 }),
    { timeMs: CALL + 1000, waitMs: WAIT, whose: webhook.organizationId },
  );
  return status >= 200 && status < 300 ? undefined : `${host} answered ${status}`.slice(0, MAX_MESSAGE);
}
