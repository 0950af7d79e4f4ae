import {
  abilityIn,
  authorize,
  type authorizeById,
  organizationPermissions,
  projectPermissions,
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
  createToken: [identityPermissions.edit, ofProject['create-token']],
  revokeToken: [identityPermissions.edit, ofProject['delete-token']],
  createClientSecret: [identityPermissions.create, ofProject['create-token']],
  revokeClientSecret: [identityPermissions.delete, ofProject['delete-token']],
} as const satisfies Record<string, Right>;
export type IdentityRight = keyof typeof identityRights;

/** Of an identity, or of none: an ID of nothing is asked for as if it were of the organization. */
type Asked = { readonly [Field in 'id' | 'projectId']?: IdentityEntity[Field] | undefined };

/**
 * Checks a permission on an identity at the place that it belongs to, and notes it.
 *
 * @throws DomainError 403, as `authorize` does; with `authorizeById` as that does.
 */
export function authorizeIdentity(
  ctx: Context,
  right: IdentityRight,
  { id: identityId, projectId }: Asked,
  ask: typeof authorizeById = authorize,
): Promise<void> {
  const [organization, project] = identityRights[right];
  return projectId ? ask(ctx, project, { projectId, identityId }) : ask(ctx, organization, { identityId });
}

/**
 * Asks for a right before anything is said of an identity, unless the caller may read it: to others an ID of nothing gets the same
 * 403 as one of an identity.
 *
 * @throws DomainError 403, as `authorizeIdentity` does.
 */
export async function authorizeUnlessReader(
  ctx: Context,
  right: IdentityRight,
  identity: Asked,
  ask?: typeof authorizeById,
): Promise<void> {
  const projectId = identity.projectId ?? undefined;
  const { read } = projectId ? ofProject : identityPermissions;
  const ability = await abilityIn(ctx, projectId);
  if (!ability.can(read, { projectId, identityId: identity.id })) await authorizeIdentity(ctx, right, identity, ask);
}
