import {
  AccessToken,
  AccessTokenRef,
  CreateAccessToken,
  createAccessToken,
  CreatedAccessToken,
  getAccessToken,
  identityRights,
  ListAccessTokens,
  listAccessTokens,
  RenameAccessToken,
  renameAccessToken,
  revokeAccessToken,
  tokenAuth,
} from '@coffer/domain';
import { z } from 'zod';
import { mergeRouters, procedure, rest, router } from '../kernel/index.ts';
import { authMethodRouter } from './auth-method.router.ts';

const tokensOfIdentity = '/api/v1/auth/token-auth/identities/{identityId}/tokens';
const token = '/api/v1/auth/token-auth/tokens/{tokenId}';
const One = z.object({ token: AccessToken });
const { read, edit, createToken, revokeToken } = identityRights;

const accessTokenRouter = router({
  createToken: procedure
    .meta(rest('POST', tokensOfIdentity, createToken, 'Create an access token for a machine identity'))
    .input(CreateAccessToken)
    .output(CreatedAccessToken)
    .mutation(({ ctx, input }) => createAccessToken(ctx, input)),

  listTokens: procedure
    .meta(rest('GET', tokensOfIdentity, read, 'List the access tokens that were created for a machine identity'))
    .input(ListAccessTokens)
    .output(z.object({ tokens: z.array(AccessToken) }))
    .query(async ({ ctx, input }) => ({ tokens: await listAccessTokens(ctx, input) })),

  getToken: procedure
    .meta(rest('GET', token, read, 'Read the metadata of an access token'))
    .input(AccessTokenRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ token: await getAccessToken(ctx, input) })),

  renameToken: procedure
    .meta(rest('PATCH', token, edit, 'Rename an access token'))
    .input(RenameAccessToken)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ token: await renameAccessToken(ctx, input) })),

  revokeToken: procedure
    .meta(rest('POST', `${token}/revoke`, revokeToken, 'Revoke an access token'))
    .input(AccessTokenRef)
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await revokeAccessToken(ctx, input);
      return { message: 'Successfully revoked access token' };
    }),
});

export const tokenAuthRouter = mergeRouters(authMethodRouter(tokenAuth), accessTokenRouter);
