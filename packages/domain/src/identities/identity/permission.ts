import {
  abilityIn,
  authorize,
  authorizeById,
  organizationPermissions,
  projectPermissions,
  requireNotForbidden,
} from '../../access/index.ts';
import type { Context, Permission } from '../../kernel/index.ts';
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

/**
 * Checks a permission on an identity at the place that it belongs to, and notes it; and that no rule forbids the specific one.
 *
 * @throws DomainError 403, as `authorize` does.
 */
export async function authorizeIdentity(
  ctx: Context,
  right: IdentityRight,
  { id: identityId, projectId }: Asked,
): Promise<void> {
  const [organization, project] = identityRights[right];
  const target = projectId ? { projectId, identityId } : { identityId };
  await authorize(ctx, projectId ? project : organization, target);
  const specific = SPECIFIC[right];
  if (specific) await requireNotForbidden(ctx, (projectId ? ofProject : identityPermissions)[specific], target);
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
