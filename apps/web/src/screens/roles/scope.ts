import type { CofferError, Outputs } from '@coffer/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights, useProjectRights, type May } from '../../app/rights.ts';
import { usePlannedChange, type PlannedChange } from '../access/planned.ts';
import { useCatalogue, type Catalogue } from '../rules/catalogue.ts';
import type { toPermissions } from '../rules/rule.ts';

type ProjectRole = Outputs['projectRoles']['getBySlug']['role'];
export type Role = Pick<ProjectRole, 'id' | 'slug' | 'name' | 'description' | 'permissions' | 'updatedAt'>;

/** A role as it is sent. */
export interface EditedRole {
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly permissions: ReturnType<typeof toPermissions>;
}

/** Where roles belong to: a project, or the organization. */
export interface RoleScope {
  /** The address of its roles. */
  readonly roles: string;
  readonly params: Readonly<Record<string, string>>;
  readonly may: May;
  readonly catalogue: Catalogue;
  readonly found: UseQueryResult<{ role: Role }, CofferError>;
  readonly create: PlannedChange<EditedRole, { role: Role }>;
  readonly update: PlannedChange<EditedRole & { roleId: string }, { role: Role }>;
  readonly remove: PlannedChange<{ roleId: string }>;
}

export function useProjectScope(projectId: string, roleSlug: string): RoleScope {
  const common = { projectId };
  return {
    roles: '/projects/$projectId/roles',
    params: common,
    may: useProjectRights(projectId),
    catalogue: useCatalogue(projectId),
    found: useQuery({
      ...ask('projectRoles', 'getBySlug', { projectId, roleSlug }),
      enabled: roleSlug !== '',
    }),
    create: usePlannedChange('projectRoles', 'create', { common }),
    update: usePlannedChange('projectRoles', 'update', { common }),
    remove: usePlannedChange('projectRoles', 'delete', { common }),
  };
}

export const useOrganizationScope = (roleSlug: string): RoleScope => ({
  roles: '/organization/roles',
  params: {},
  may: useOrganizationRights(),
  catalogue: useCatalogue(),
  found: useQuery({
    ...ask('organizationRoles', 'getBySlug', { roleSlug }),
    enabled: roleSlug !== '',
  }),
  create: usePlannedChange('organizationRoles', 'create'),
  update: usePlannedChange('organizationRoles', 'update'),
  remove: usePlannedChange('organizationRoles', 'delete'),
});
