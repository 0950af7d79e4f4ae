import { notifyReceiver } from '../../family/index.ts';
import { DomainError, type Context } from '../../kernel/index.ts';
import { bodyOf, signatureHeaders, type Message } from './message.ts';
import { openTarget } from './sealed.ts';
import type { WebhookType } from './webhook.ts';

const MAX_MESSAGE = 255;

/** The data of a webhook for calling it. */
export interface Callee {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly type: string;
  readonly url: Uint8Array;
  readonly secretKey: Uint8Array | null | undefined;
}

/**
 * Calls a webhook once. Returns the error, which contains only the host: addresses and responses of receivers may be
 * secret. An internal error is logged and counts as a failure: throwing it would cause an immediate retry.
 */
export async function callWebhook(ctx: Context, webhook: Callee, message: Message): Promise<string | undefined> {
  try {
    await call(ctx, webhook, message);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message.replace(/^webhook /, '').slice(0, MAX_MESSAGE);
    ctx.log.error({ err: error, webhookId: webhook.id }, 'A webhook could not be called');
    return 'Internal error; the log of the server has the details';
  }
}

async function call(ctx: Context, webhook: Callee, message: Message): Promise<void> {
  const { url, secretKey } = await openTarget(ctx, webhook);
  const timestamp = ctx.now().getTime();
  const body = JSON.stringify(bodyOf(webhook.type as WebhookType, message, timestamp));
  const headers = secretKey === null ? {} : signatureHeaders(body, secretKey, timestamp);
  await notifyReceiver(ctx, webhook.organizationId, { id: message.id, url, body, headers });
}
