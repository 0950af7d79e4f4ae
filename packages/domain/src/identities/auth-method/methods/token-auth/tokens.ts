import { authorize, organizationOf } from '../../../../access/index.ts';
import { eventOf, inTransaction, notFound, record, type Context } from '../../../../kernel/index.ts';
import {
  findIssuedToken,
  issueToken,
  renameIssuedToken,
  revokeIssuedToken,
  tokenCreated,
  tokenRead,
  tokenRevoked,
  tokensListed,
  tokensOf,
  tokenUpdated,
  type AccessToken,
  type AccessTokenRef,
  type CreateAccessToken,
  type CreatedAccessToken,
  type ListAccessTokens,
  type RenameAccessToken,
} from '../../../access-token/index.ts';
import { findIdentity, identityPermissions, requireAuthorityOver } from '../../../identity/index.ts';
import { findAttached } from '../../auth-method.service.ts';
import { tokenAuth } from './token-auth.ts';

/** The tokens that administrators make for an identity by token auth. */

const eventData = ({ id, identityId, name }: AccessToken) => ({ identityId, tokenId: id, name });

/** @throws DomainError 404 unknown identity, 400 no token auth, 403 (`PermissionBoundaryError` where it may do more than the caller). */
export async function createAccessToken(
  ctx: Context,
  { identityId, name }: CreateAccessToken,
): Promise<CreatedAccessToken> {
  const identity = await findIdentity(ctx, identityId);
  await findAttached(ctx, tokenAuth, identity);
  await authorize(ctx, identityPermissions.edit, { identityId: identity.id });
  await requireAuthorityOver(ctx, identity);
  return inTransaction(ctx, async (tx) => {
    const method = await findAttached(tx, tokenAuth, identity);
    const { id, issued } = await issueToken(tx, {
      organizationId: identity.organizationId,
      identityId: identity.id,
      method,
      name,
    });
    const tokenData = await findIssuedToken(tx, identity.organizationId, tokenAuth.kind, id);
    record(tx, tokenCreated, eventData(tokenData));
    return { ...issued, tokenData };
  });
}

/** @throws DomainError 404 unknown identity, 400 no token auth, 403. */
export async function listAccessTokens(
  ctx: Context,
  { identityId, offset, limit }: ListAccessTokens,
): Promise<AccessToken[]> {
  const identity = await findIdentity(ctx, identityId);
  const method = await findAttached(ctx, tokenAuth, identity);
  await authorize(ctx, identityPermissions.read, { identityId: identity.id });
  const tokens = await tokensOf(ctx, method.id, offset, limit);
  await ctx.commitRead(eventOf(tokensListed, { identityId: identity.id }), ctx);
  return tokens;
}

export async function getAccessToken(ctx: Context, { tokenId }: AccessTokenRef): Promise<AccessToken> {
  const token = await findIssuedToken(ctx, organizationOf(ctx), tokenAuth.kind, tokenId);
  await authorize(ctx, identityPermissions.read, { identityId: token.identityId });
  await ctx.commitRead(eventOf(tokenRead, eventData(token)), ctx);
  return token;
}

/** Without a name nothing but the time of the last change is changed. */
export async function renameAccessToken(ctx: Context, { tokenId, name }: RenameAccessToken): Promise<AccessToken> {
  const known = await findIssuedToken(ctx, organizationOf(ctx), tokenAuth.kind, tokenId);
  await authorize(ctx, identityPermissions.edit, { identityId: known.identityId });
  await requireAuthorityOver(ctx, await findIdentity(ctx, known.identityId));
  return inTransaction(ctx, async (tx) => {
    const token = await renameIssuedToken(tx, known.id, name);
    record(tx, tokenUpdated, eventData(token));
    return token;
  });
}

/** @throws DomainError 404 for a token that is unknown or was revoked before, 403. */
export async function revokeAccessToken(ctx: Context, { tokenId }: AccessTokenRef): Promise<void> {
  const token = await findIssuedToken(ctx, organizationOf(ctx), tokenAuth.kind, tokenId);
  if (token.isAccessTokenRevoked) throw notFound('access token');
  await authorize(ctx, identityPermissions.edit, { identityId: token.identityId });
  await requireAuthorityOver(ctx, await findIdentity(ctx, token.identityId));
  await inTransaction(ctx, async (tx) => {
    if (!(await revokeIssuedToken(tx, token.id))) throw notFound('access token');
    record(tx, tokenRevoked, eventData(token));
  });
}
