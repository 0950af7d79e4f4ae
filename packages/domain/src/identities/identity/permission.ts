import { authorize, organizationPermissions, projectPermissions } from '../../access/index.ts';
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

/**
 * Checks a permission on an identity at the place that it belongs to, and notes it.
 *
 * @throws DomainError 403, as `authorize` does.
 */
export function authorizeIdentity(
  ctx: Context,
  right: keyof typeof identityRights,
  { id: identityId, projectId }: Pick<IdentityEntity, 'id' | 'projectId'>,
): Promise<void> {
  const [organization, project] = identityRights[right];
  return projectId ? authorize(ctx, project, { projectId, identityId }) : authorize(ctx, organization, { identityId });
}
