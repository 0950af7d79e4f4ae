import {
  abilityIn,
  authorize,
  authorizeById,
  forbids,
  organizationPermissions,
  projectPermissions,
  requireNotForbidden,
} from '../../access/index.ts';
import { statement, type Ability, type Context, type Permission, type Transaction } from '../../kernel/index.ts';
import type { IdentityEntity } from './identity.entity.ts';

export const identityPermissions = organizationPermissions('identity');
const ofProject = projectPermissions('identity');

type Right = readonly [organization: Permission, project: Permission];

/**
 * The operations on an identity, and their permissions: the organization's, or, for an identity of a project, that
 * project's. Credentials of the latter have permissions of their own.
 */
export const identityRights = {
  read: [identityPermissions.read, ofProject.read],
  create: [identityPermissions.create, ofProject.create],
  edit: [identityPermissions.edit, ofProject.edit],
  delete: [identityPermissions.delete, ofProject.delete],
  detach: [identityPermissions.edit, ofProject.edit],
  readToken: [identityPermissions.read, ofProject.read],
  createToken: [identityPermissions.edit, ofProject['create-token']],
  revokeToken: [identityPermissions.edit, ofProject['delete-token']],
  createClientSecret: [identityPermissions.create, ofProject['create-token']],
  revokeClientSecret: [identityPermissions.delete, ofProject['delete-token']],
} as const satisfies Record<string, Right>;
export type IdentityRight = keyof typeof identityRights;

/** The specific permission of an operation, which a rule may forbid to who has the other one. */
const SPECIFIC: Partial<Record<IdentityRight, 'create-token' | 'get-token' | 'delete-token' | 'revoke-auth'>> = {
  detach: 'revoke-auth',
  readToken: 'get-token',
  createToken: 'create-token',
  createClientSecret: 'create-token',
  revokeToken: 'delete-token',
  revokeClientSecret: 'delete-token',
};

/** An identity, and the project that it belongs to. */
type Asked = Pick<IdentityEntity, 'id' | 'projectId'>;

/** Where an identity is: what rules are asked about it, and the specific permissions there. */
const placeOf = ({ id: identityId, projectId }: Asked) =>
  projectId
    ? { target: { projectId, identityId }, specific: ofProject }
    : { target: { identityId }, specific: identityPermissions };

/**
 * Checks a permission on an identity at the place that it belongs to, and notes it; and that no rule forbids the specific one.
 *
 * @throws DomainError 403, as `authorize` does.
 */
export async function authorizeIdentity(ctx: Context, right: IdentityRight, identity: Asked): Promise<void> {
  const [organization, project] = identityRights[right];
  const { target, specific } = placeOf(identity);
  await authorize(ctx, identity.projectId ? project : organization, target);
  const name = SPECIFIC[right];
  if (name) await requireNotForbidden(ctx, specific[name], target);
}

/** Whether somebody with this ability, at the place of an identity, may read which credentials it has. */
export function mayReadTokens(ability: Ability, identity: Asked): boolean {
  const [organization, project] = identityRights.readToken;
  const { target, specific } = placeOf(identity);
  const isAllowed = ability.can(identity.projectId ? project : organization, target);
  return isAllowed && !forbids(ability, specific['get-token'], target);
}

/** The login methods of an identity, and whether there are client secrets of them, or tokens that were made for it. */
const METHODS = statement(
  'identities.ending_methods',
  `select m.id, coalesce(
     (select true from client_secrets s where s.auth_method_id = m.id and not s.is_revoked
        and (s.ttl = 0 or s.created_at + make_interval(secs => s.ttl) > $2) limit 1),
     (select true from identity_access_tokens t where m.kind = 'token-auth' and t.auth_method_id = m.id and not t.is_revoked
        and coalesce(t.expires_at, 'infinity') > $2 limit 1), false) as "hasTokens"
   from identity_auth_methods m where m.identity_id = $1`,
);

/**
 * Checks, once an identity or one of its login methods is locked to be deleted, that no rule forbids the caller to delete what
 * ends with it: login methods, client secrets, and tokens that were made for it.
 *
 * @throws DomainError 403
 */
export async function requireMayEndLogins(tx: Transaction, identity: Asked, authMethodId?: string): Promise<void> {
  const { target, specific } = placeOf(identity);
  const methods = await tx.sql<{ id: string; hasTokens: boolean }>(METHODS, [identity.id, tx.now()]);
  const ending = methods.filter(({ id }) => authMethodId === undefined || id === authMethodId);
  if (authMethodId === undefined && ending.length > 0) await requireNotForbidden(tx, specific['revoke-auth'], target);
  if (ending.some(({ hasTokens }) => hasTokens)) await requireNotForbidden(tx, specific['delete-token'], target);
}

/** Whether the caller may know of an identity: it may read it, or has the right to this operation on it. */
export async function mayKnowOf(
  ctx: Context,
  right: IdentityRight,
  { id: identityId, projectId }: Asked,
): Promise<boolean> {
  const ability = await abilityIn(ctx, projectId ?? undefined);
  return [identityRights.read, identityRights[right]].some(([organization, project]) =>
    projectId ? ability.can(project, { projectId, identityId }) : ability.can(organization, { identityId }),
  );
}

/**
 * Asks for a right before a 404 for an ID of nothing, or of what the caller may not know of, wherever that is: readers of the
 * organization's identities get the 404, others one and the same 403.
 *
 * @throws DomainError 403, as `authorizeById` does.
 */
export async function authorizeUnknown(ctx: Context, right: IdentityRight, identityId?: string): Promise<void> {
  const ability = await abilityIn(ctx, undefined);
  const fields = { identityId };
  if (!ability.can(identityPermissions.read, fields)) await authorizeById(ctx, identityRights[right][0], fields);
}
