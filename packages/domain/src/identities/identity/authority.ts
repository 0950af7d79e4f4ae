import { abilityIn, organizationPermissions, requireNoEscalation } from '../../access/index.ts';
import { MembershipEntity, rolesOf } from '../../access/membership/index.ts';
import { DomainError, forbidden, type Context } from '../../kernel/index.ts';
import type { IdentityEntity } from './identity.entity.ts';

const { 'access-all-projects': accessAllProjects } = organizationPermissions('organization-admin-console');

/**
 * Asks whether the caller could do by itself whatever this identity may do. Who may log in as an identity, change how
 * it logs in or what it is called in rules, holds its rights; so nobody does that to an identity that may do more.
 * Those who may enter every project of the organization need not be members of the identity's projects.
 *
 * @throws DomainError 403: `PermissionBoundaryError` with the rights that are missing, or, for an identity that
 * administers the instance, unless the caller does, too.
 */
export async function requireAuthorityOver(ctx: Context, identity: IdentityEntity): Promise<void> {
  const { actor } = ctx;
  if (actor.type === 'platform' || ('id' in actor && actor.id === identity.id)) return;
  if (identity.isSuperAdmin && !(actor.type !== 'anonymous' && actor.isSuperAdmin)) {
    throw forbidden(
      'identity.instance_admin',
      'Only an administrator of the instance may do this to an identity that administers it',
    );
  }
  const memberships = await ctx.em.find(
    MembershipEntity,
    { identityId: identity.id },
    { orderBy: { projectId: 'asc nulls first' } },
  );
  const roles = await rolesOf(
    ctx,
    memberships.map(({ id }) => id),
  );
  const entersAllProjects = (await abilityIn(ctx, undefined)).can(accessAllProjects);
  for (const { id, organizationId, projectId } of memberships) {
    if (projectId && entersAllProjects) continue;
    const held = (roles.get(id) ?? []).map((role) => ({ role: role.customRoleSlug ?? role.role }));
    await requireNoEscalation(ctx, { organizationId, projectId, roles: held }).catch(projectsOfOthersAreBeyond);
  }
}

/** A project of which the caller is no member is beyond its rights, and is not named to it. */
function projectsOfOthersAreBeyond(error: unknown): never {
  if (error instanceof DomainError && error.kind === 'not_found') {
    throw forbidden('permission.boundary', 'This identity belongs to a project of which you are no member', {
      name: 'PermissionBoundaryError',
      details: { missingPermissions: [] },
    });
  }
  throw error;
}
