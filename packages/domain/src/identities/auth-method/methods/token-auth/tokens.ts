import { organizationOf } from '../../../../access/index.ts';
import {
  givenFields,
  eventOf,
  beforeLock,
  inTransaction,
  notFound,
  orUnknown,
  record,
  type Context,
} from '../../../../kernel/index.ts';
import {
  findIssuedToken,
  issueToken,
  longestLife,
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
import {
  authorizeIdentity,
  authorizeUnknown,
  identityFor,
  identityKnownFor,
  noteIssuer,
  requireAuthorityOver,
  type IdentityEntity,
  type IdentityRight,
} from '../../../identity/index.ts';
import { findAttached } from '../../auth-method.service.ts';
import { tokenAuth } from './token-auth.ts';

/** The tokens that administrators make for an identity by token auth. */

const eventData = ({ id, identityId, name }: AccessToken) => ({ identityId, tokenId: id, name });

/**
 * @throws DomainError 404 unknown identity, 400 no token auth, 403 (`PermissionBoundaryError` if it may do more than
 * the caller).
 */
export async function createAccessToken(
  ctx: Context,
  { identityId, name }: CreateAccessToken,
): Promise<CreatedAccessToken> {
  const identity = await identityFor(ctx, 'createToken', identityId);
  const known = await findAttached(ctx, tokenAuth, identity);
  await authorizeIdentity(ctx, 'createToken', identity);
  await requireAuthorityOver(beforeLock(ctx), identity, ctx.now().getTime() + longestLife(known));
  return inTransaction(ctx, async (tx) => {
    const method = await findAttached(tx, tokenAuth, identity);
    await requireAuthorityOver(tx, identity, tx.now().getTime() + longestLife(method));
    const { id, issued } = await issueToken(tx, {
      organizationId: identity.organizationId,
      identityId: identity.id,
      method,
      name,
    });
    const tokenData = await findIssuedToken(tx, identity.organizationId, tokenAuth.kind, id);
    await noteIssuer(tx, identity);
    record(tx, tokenCreated, eventData(tokenData), { projectId: identity.projectId });
    return { ...issued, tokenData };
  });
}

/** @throws DomainError 404 unknown identity, 400 no token auth, 403. */
export async function listAccessTokens(
  ctx: Context,
  { identityId, offset, limit }: ListAccessTokens,
): Promise<AccessToken[]> {
  const identity = await identityFor(ctx, 'readToken', identityId);
  const method = await findAttached(ctx, tokenAuth, identity);
  await authorizeIdentity(ctx, 'readToken', identity);
  const tokens = await tokensOf(ctx, method.id, offset, limit);
  await ctx.commitRead(eventOf(tokensListed, { identityId: identity.id }, { projectId: identity.projectId }), ctx);
  return tokens;
}

export async function getAccessToken(ctx: Context, { tokenId }: AccessTokenRef): Promise<AccessToken> {
  const { token, identity } = await findToken(ctx, 'readToken', tokenId);
  await authorizeIdentity(ctx, 'readToken', identity);
  await ctx.commitRead(eventOf(tokenRead, eventData(token), { projectId: identity.projectId }), ctx);
  return token;
}

/** Without a name nothing but the time of the last change is changed. */
export async function renameAccessToken(ctx: Context, { tokenId, name }: RenameAccessToken): Promise<AccessToken> {
  const { token: known, identity } = await findToken(ctx, 'edit', tokenId);
  await authorizeIdentity(ctx, 'edit', identity);
  await requireAuthorityOver(ctx, identity, 'now');
  return inTransaction(ctx, async (tx) => {
    const token = await renameIssuedToken(tx, known.id, name);
    record(
      tx,
      tokenUpdated,
      { ...eventData(token), changed: givenFields({ name }) },
      { projectId: identity.projectId },
    );
    return token;
  });
}

/** @throws DomainError 404 for a token that is unknown or was revoked before, 403. */
export async function revokeAccessToken(ctx: Context, { tokenId }: AccessTokenRef): Promise<void> {
  const { token, identity } = await findToken(ctx, 'revokeToken', tokenId);
  if (token.isAccessTokenRevoked) throw notFound('access token');
  await authorizeIdentity(ctx, 'revokeToken', identity);
  await requireAuthorityOver(ctx, identity, 'now');
  await inTransaction(ctx, async (tx) => {
    if (!(await revokeIssuedToken(tx, token.id))) throw notFound('access token');
    record(tx, tokenRevoked, eventData(token), { projectId: identity.projectId });
  });
}

interface Found {
  readonly token: AccessToken;
  readonly identity: IdentityEntity;
}

/**
 * A token, for an operation that needs this right to its identity; see `identityFor`.
 *
 * @throws DomainError 404, also for a token of an identity whose project the caller is no member of; 403.
 */
async function findToken(ctx: Context, right: IdentityRight, tokenId: string): Promise<Found> {
  const token = await orUnknown(findIssuedToken(ctx, organizationOf(ctx), tokenAuth.kind, tokenId));
  const identity = token && (await identityKnownFor(ctx, right, token.identityId));
  if (token && identity) return { token, identity };
  await authorizeUnknown(ctx, right);
  throw notFound('access token');
}
