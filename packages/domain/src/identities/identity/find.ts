import { abilityIn, organizationOf, unlessHidden } from '../../access/index.ts';
import { defineLookup, isId, notFound, orUnknown, statement, type Context } from '../../kernel/index.ts';
import { IdentityEntity } from './identity.entity.ts';
import type { Identity } from './identity.ts';
import { publishMetadata } from './metadata.ts';
import { authorizeUnknown, mayKnowOf, type IdentityRight } from './permission.ts';

/**
 * An identity of the caller's organization, or of a project that the caller is a member of. Rights are not checked; see
 * `identityFor`.
 *
 * @throws DomainError 404 for every other ID.
 */
export async function findIdentity(ctx: Context, identityId: string): Promise<IdentityEntity> {
  const identity = await loadIdentity(ctx, identityId);
  if (identity.projectId) await unlessHidden('identity', abilityIn(ctx, identity.projectId));
  return identity;
}

/** The same for an operation that needs this right; `undefined` also for one of which the caller may not know. */
export async function identityKnownFor(
  ctx: Context,
  right: IdentityRight,
  identityId: string,
): Promise<IdentityEntity | undefined> {
  const identity = await orUnknown(findIdentity(ctx, identityId));
  return identity && (await mayKnowOf(ctx, right, identity)) ? identity : undefined;
}

/**
 * The same. The operation has to ask for the right (`authorizeIdentity`) once it has said what it says to readers of the identity
 * alone.
 *
 * @throws DomainError 404 for an ID of nothing; 403 for it for whoever may read no identities of the organization. An identity of which
 * the caller may not know is answered as nothing.
 */
export async function identityFor(ctx: Context, right: IdentityRight, identityId: string): Promise<IdentityEntity> {
  const identity = await identityKnownFor(ctx, right, identityId);
  if (identity) return identity;
  await authorizeUnknown(ctx, right, identityId);
  throw notFound('identity');
}

const lookUp = defineLookup(IdentityEntity, ['id', 'organizationId']);

/** An identity of the caller's organization, whichever it is. @throws DomainError 404 for every other id. */
export async function loadIdentity(ctx: Context, identityId: string): Promise<IdentityEntity> {
  const organizationId = organizationOf(ctx);
  const identity = isId(identityId) ? await lookUp(ctx, [identityId, organizationId]) : undefined;
  if (!identity) throw notFound('identity');
  return identity;
}

const METHODS = statement(
  'identities.auth_methods',
  'select kind from identity_auth_methods where identity_id = $1 order by created_at, id',
);

/** The published form of an identity. */
export async function toIdentity(ctx: Context, row: IdentityEntity): Promise<Identity> {
  const methods = await ctx.sql<{ kind: string }>(METHODS, [row.id]);
  const authMethods = methods.map(({ kind }) => kind);
  return {
    id: row.id,
    name: row.name,
    orgId: row.organizationId,
    projectId: row.projectId ?? null,
    hasDeleteProtection: row.hasDeleteProtection,
    metadata: publishMetadata(row.id, row.metadata),
    authMethods,
    authMethod: authMethods[0] ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
