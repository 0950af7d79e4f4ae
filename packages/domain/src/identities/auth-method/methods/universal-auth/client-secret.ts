import { z } from 'zod';
import { defineEvent, Id, Timestamps, Uuid } from '../../../../kernel/schema.ts';

const MAX_INTEGER = 2_147_483_647;
/** Ten years, in seconds. */
const MAX_TTL = 315_360_000;

/** A client secret as administrators see it: everything but the secret. */
export const ClientSecret = z.object({
  id: Uuid,
  description: z.string(),
  clientSecretPrefix: z.string().describe('The first four characters'),
  clientSecretNumUses: z.int().describe('Number of logins so far'),
  clientSecretNumUsesLimit: z.int().describe('0: unlimited'),
  clientSecretTTL: z.int().describe('In seconds from creation; 0: it does not expire'),
  identityUAId: Uuid,
  isClientSecretRevoked: z.boolean().describe('Revoked, expired or used up'),
  ...Timestamps.shape,
});
export type ClientSecret = z.output<typeof ClientSecret>;

export const CreatedClientSecret = z.object({
  clientSecret: z.string().describe('Returned once'),
  clientSecretData: ClientSecret,
});
export type CreatedClientSecret = z.output<typeof CreatedClientSecret>;

export const CreateClientSecret = z.object({
  identityId: Id,
  description: z.string().trim().max(1000).default(''),
  numUsesLimit: z.int().min(0).max(MAX_INTEGER).default(0).describe('0: unlimited'),
  ttl: z.int().min(0).max(MAX_TTL).default(0).describe('In seconds; 0: it does not expire'),
});
export type CreateClientSecret = z.output<typeof CreateClientSecret>;

export const ClientSecretRef = z.object({ identityId: Id, clientSecretId: Id });
export type ClientSecretRef = z.output<typeof ClientSecretRef>;

const SecretEvent = z.object({ identityId: z.string(), clientSecretId: z.string(), prefix: z.string() });
export const clientSecretCreated = defineEvent(
  'client_secret.created',
  'create-identity-universal-auth-client-secret',
  SecretEvent.extend({
    ttl: z.int().describe('In seconds; 0: it does not expire'),
    numUsesLimit: z.int().describe('0: unlimited'),
  }),
);
export const clientSecretRead = defineEvent(
  'client_secret.read',
  'get-identity-universal-auth-client-secret',
  SecretEvent,
);
export const clientSecretsListed = defineEvent(
  'client_secret.listed',
  'get-identity-universal-auth-client-secrets',
  z.object({ identityId: z.string() }),
);
export const clientSecretRevoked = defineEvent(
  'client_secret.revoked',
  'revoke-identity-universal-auth-client-secret',
  SecretEvent,
);
