import { z } from 'zod';
import { defineEvent, defineUpdate, Id, Instant, page, Uuid } from '../../kernel/schema.ts';

/** The prefix of the access tokens of machine identities. */
export const IDENTITY_TOKEN = 'cfi_';

/** The response of every login; all numbers are seconds, `expiresIn` 0 means that the token does not expire. */
export const IssuedToken = z.object({
  accessToken: z.string().describe('Returned once. Send it as `Authorization: Bearer`'),
  expiresIn: z.int().describe('Seconds; 0 where the token does not expire'),
  accessTokenMaxTTL: z.int().describe('Seconds; 0 where renewing has no end'),
  tokenType: z.literal('Bearer'),
});
export type IssuedToken = z.output<typeof IssuedToken>;

/** A token as its owner's administrators see it: everything but the token. */
export const AccessToken = z.object({
  id: Uuid,
  identityId: Uuid,
  name: z.string().nullable(),
  authMethod: z.string(),
  accessTokenTTL: z.int(),
  accessTokenMaxTTL: z.int(),
  accessTokenNumUses: z.int(),
  accessTokenNumUsesLimit: z.int(),
  accessTokenPeriod: z.int(),
  accessTokenLastUsedAt: Instant.nullable(),
  accessTokenLastRenewedAt: Instant.nullable(),
  isAccessTokenRevoked: z.boolean(),
  identityUAClientSecretId: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type AccessToken = z.output<typeof AccessToken>;

/** A token with what only its creation shows. */
export const CreatedAccessToken = IssuedToken.extend({ tokenData: AccessToken });
export type CreatedAccessToken = z.output<typeof CreatedAccessToken>;

const Name = z.string().trim().max(255);
export const ListAccessTokens = z.object({ identityId: Id, ...page({ limit: 20, maxOffset: 100 }).shape });
export type ListAccessTokens = z.output<typeof ListAccessTokens>;
export const CreateAccessToken = z.object({ identityId: Id, name: Name.optional() });
export type CreateAccessToken = z.output<typeof CreateAccessToken>;
export const RenameAccessToken = z.object({ tokenId: Id, name: Name.optional() });
export type RenameAccessToken = z.output<typeof RenameAccessToken>;
export const AccessTokenRef = z.object({ tokenId: Id });
export type AccessTokenRef = z.output<typeof AccessTokenRef>;
/** The token speaks for itself: no header is needed. */
export const PresentedToken = z.object({ accessToken: z.string().trim().max(1024) });
export type PresentedToken = z.output<typeof PresentedToken>;

const TokenEvent = z.object({ identityId: z.string(), tokenId: z.string(), name: z.string().nullable() });
export const tokenCreated = defineEvent('access_token.created', 'create-token-identity-token-auth', TokenEvent);
export const tokenUpdated = defineUpdate('access_token.updated', 'update-token-identity-token-auth', TokenEvent);
export const tokenRead = defineEvent('access_token.read', 'get-token-identity-token-auth', TokenEvent);
export const tokensListed = defineEvent(
  'access_token.listed',
  'get-tokens-identity-token-auth',
  z.object({ identityId: z.string() }),
);
export const tokenRevoked = defineEvent('access_token.revoked', 'revoke-identity-access-token', TokenEvent);
export const tokenRenewed = defineEvent('access_token.renewed', 'renew-identity-access-token', TokenEvent);
