import { z } from 'zod';
import { defineEvent } from '../kernel/schema.ts';

/** Where a service token reaches. */
export const TokenScope = z.object({
  environment: z.string().describe('The slug of an environment'),
  secretPath: z.string().describe('A folder path or a glob, for example /app/**'),
});

const TokenEvent = z.object({
  serviceTokenId: z.string(),
  name: z.string(),
  scopes: z.array(TokenScope),
  permissions: z.array(z.string()),
});
export const serviceTokenCreated = defineEvent('service_token.created', 'create-service-token', TokenEvent);
export const serviceTokenDeleted = defineEvent('service_token.deleted', 'delete-service-token', TokenEvent);
