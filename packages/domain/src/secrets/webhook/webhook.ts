import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { CallbackUrl, defineEvent, defineUpdate, Id, Instant, text, Uuid } from '../../kernel/schema.ts';
import { EnvironmentSlug } from '../folder/folder.ts';
import { FolderPattern } from '../watch/folder-pattern.ts';

export const webhookPermissions = projectPermissions('webhooks');

export const WebhookType = z.enum(['general', 'slack']);
export type WebhookType = z.output<typeof WebhookType>;

const WebhookSecretKey = text(1024).min(1).describe('The key that signs the calls');

/** A published webhook. Its key is never returned. */
export const Webhook = z.object({
  id: Uuid,
  projectId: Uuid,
  envId: Uuid,
  environment: z.object({ id: Uuid, name: z.string(), slug: z.string() }),
  secretPath: z.string(),
  type: z.string(),
  isDisabled: z.boolean(),
  lastStatus: z.string().nullable().describe('`success` or `failed`: the result of the last call'),
  lastRunErrorMessage: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Webhook = z.output<typeof Webhook>;

export const WebhookWithUrl = Webhook.extend({
  url: z.string().describe('Only its scheme and host for callers who may not edit the webhook'),
});
export type WebhookWithUrl = z.output<typeof WebhookWithUrl>;

export const CreateWebhook = z.object({
  projectId: Id,
  environment: EnvironmentSlug,
  secretPath: FolderPattern.default('/'),
  type: WebhookType.default('general'),
  webhookUrl: CallbackUrl,
  webhookSecretKey: z
    .union([WebhookSecretKey, z.literal('')])
    .optional()
    .describe('The key that signs the calls; without a key they are not signed'),
});
export type CreateWebhook = z.output<typeof CreateWebhook>;

export const ListWebhooks = z.object({
  projectId: Id,
  environment: EnvironmentSlug.optional(),
  secretPath: FolderPattern.optional(),
});
export type ListWebhooks = z.output<typeof ListWebhooks>;

export const WebhookRef = z.object({ webhookId: Id });
export type WebhookRef = z.output<typeof WebhookRef>;

export const UpdateWebhook = WebhookRef.extend({
  isDisabled: z.boolean().optional(),
  environment: EnvironmentSlug.optional(),
  secretPath: FolderPattern.optional(),
  webhookUrl: CallbackUrl.optional().describe('A new address needs the key again, if there is one'),
  webhookSecretKey: WebhookSecretKey.nullish().describe('null removes it'),
});
export type UpdateWebhook = z.output<typeof UpdateWebhook>;

const place = { webhookId: z.string(), environment: z.string(), secretPath: z.string(), isDisabled: z.boolean() };
export const webhooksListed = defineEvent(
  'webhooks.listed',
  'list-webhooks',
  z.object({ numberOfWebhooks: z.int().describe('With their whole addresses, which are credentials') }),
);
export const webhookCreated = defineEvent('webhook.created', 'create-webhook', z.object(place));
export const webhookUpdated = defineUpdate('webhook.updated', 'update-webhook-status', z.object({ ...place }));
export const webhookDeleted = defineEvent('webhook.deleted', 'delete-webhook', z.object(place));
export const webhookTested = defineEvent(
  'webhook.tested',
  'test-webhook',
  z.object({ ...place, isReached: z.boolean() }),
);
