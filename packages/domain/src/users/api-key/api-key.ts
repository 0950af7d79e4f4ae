import { z } from 'zod';
import { count, defineEvent, Id, Instant, text, Timestamps, Uuid } from '../../kernel/schema.ts';

/** How API keys begin: `ak.<id>.<secret>`. */
export const API_KEY = 'ak.';

/** Maximum number of a user's keys in one organization, without expired ones. */
export const MAX_API_KEYS = 50;

/** The maximum lifetime of a key, in seconds: one year. */
export const MAX_API_KEY_SECONDS = 365 * 24 * 3600;

/** A credential of a user for one organization, for programs that act as the user. */
export const ApiKey = z.object({
  id: Uuid,
  name: z.string(),
  lastUsed: Instant.nullable(),
  expiresAt: Instant,
  userId: Uuid,
  ...Timestamps.shape,
});
export type ApiKey = z.output<typeof ApiKey>;

export const CreateApiKey = z.object({
  name: text(64).trim().min(1),
  expiresIn: count(1, MAX_API_KEY_SECONDS).describe(
    'The lifetime in seconds; at most one year and the maximum of the organization for tokens of users',
  ),
});
export type CreateApiKey = z.output<typeof CreateApiKey>;

export const CreatedApiKey = z.object({
  apiKey: z.string().describe('Returned once. Send it in the header `X-API-Key`'),
  apiKeyData: ApiKey,
});
export type CreatedApiKey = z.output<typeof CreatedApiKey>;

export const DeleteApiKey = z.object({ apiKeyDataId: Id });
export type DeleteApiKey = z.output<typeof DeleteApiKey>;

const ApiKeyEvent = z.object({
  apiKeyId: z.string(),
  userId: z.string(),
  name: z.string(),
  expiresAt: z.string(),
});
export const apiKeyCreated = defineEvent('api_key.created', 'create-user-api-key', ApiKeyEvent);
export const apiKeyDeleted = defineEvent('api_key.deleted', 'delete-user-api-key', ApiKeyEvent);
