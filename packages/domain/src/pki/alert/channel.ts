import { z } from 'zod';
import { CallbackUrl, Email, Id, redactedUrl, text, Uuid } from '../../kernel/schema.ts';

/** Maximum per alert. */
export const MAX_CHANNELS = 10;
/** Maximum per channel. */
export const MAX_RECIPIENTS = 10;

const common = {
  id: Id.optional().describe('ID of an existing channel'),
  enabled: z.boolean().optional().describe('Default: true'),
};

const EmailConfig = z.object({ recipients: z.array(Email).min(1).max(MAX_RECIPIENTS) });
const WebhookConfig = z.object({
  url: CallbackUrl,
  signingSecret: text(1024)
    .min(1)
    .nullish()
    .describe('The key that signs the calls. If omitted, it stays unchanged; null removes it. Never returned'),
});
const SlackConfig = z.object({
  webhookUrl: CallbackUrl,
  channel: text(100).nullish(),
  mentionUsers: z
    .array(z.string().regex(/^[A-Za-z0-9._-]{1,50}$/, 'Expected the ID of a user'))
    .max(20)
    .optional(),
});

/** Where notifications are sent. */
export const AlertChannelInput = z.discriminatedUnion('channelType', [
  z.object({ ...common, channelType: z.literal('email'), config: EmailConfig }),
  z.object({ ...common, channelType: z.literal('webhook'), config: WebhookConfig }),
  z.object({ ...common, channelType: z.literal('slack'), config: SlackConfig }),
]);
export type AlertChannelInput = z.output<typeof AlertChannelInput>;

export const AlertChannelType = z.enum(['email', 'webhook', 'slack']);
export type AlertChannelType = z.output<typeof AlertChannelType>;

/**
 * Its published form: without signing secrets, and for callers who may not update it with only the scheme and host of
 * addresses.
 */
export const AlertChannel = z.object({
  id: Uuid,
  channelType: AlertChannelType,
  config: z.union([
    z.object({ recipients: z.array(z.string()) }),
    z.object({ url: z.string(), hasSigningSecret: z.boolean() }),
    z.object({ webhookUrl: z.string(), channel: z.string().nullable(), mentionUsers: z.array(z.string()) }),
  ]),
  enabled: z.boolean(),
});
export type AlertChannel = z.output<typeof AlertChannel>;

/** The sealed part of a channel. */
export type ChannelConfig =
  | { readonly recipients: readonly string[] }
  | { readonly url: string; readonly signingSecret: string | null }
  | { readonly webhookUrl: string; readonly channel: string | null; readonly mentionUsers: readonly string[] };

/** Its visible part, for callers who may update it or not. */
export function shownConfig(config: ChannelConfig, mayEdit: boolean): AlertChannel['config'] {
  const shown = (url: string) => (mayEdit ? url : redactedUrl(url));
  if ('recipients' in config) return { recipients: [...config.recipients] };
  if ('url' in config) return { url: shown(config.url), hasSigningSecret: config.signingSecret !== null };
  return { ...config, webhookUrl: shown(config.webhookUrl), mentionUsers: [...config.mentionUsers] };
}
