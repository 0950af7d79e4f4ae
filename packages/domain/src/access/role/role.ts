import { z } from 'zod';
import { defineEvent, defineUpdate, Id, Instant, type PermissionScope, slug, text, Uuid } from '../../kernel/schema.ts';
import { builtInRole } from '../built-in-roles.ts';
import { organizationPermissions, projectPermissions } from '../catalogue.ts';
import { OrganizationRules, ProjectRules, PublishedRule } from '../rule.ts';

export const projectRolePermissions = projectPermissions('role');
export const organizationRolePermissions = organizationPermissions('role');

/** A role of an organization or a project; the ID of a built-in role is its slug. */
export const Role = z.object({
  id: z.string().describe('UUID; for a built-in role its slug'),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  permissions: z.array(PublishedRule),
  version: z.number().int().describe('Number of updates, plus one'),
  orgId: Uuid,
  projectId: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Role = z.output<typeof Role>;

/** How a role of an organization is answered. */
export const OrganizationRole = Role.omit({ projectId: true, version: true });
/** How a role of a project is answered. */
export const ProjectRole = Role.omit({ orgId: true });
export const ProjectRoleSummary = ProjectRole.omit({ permissions: true, version: true });

/** A custom role as memberships and groups show it. */
export const CustomRole = z.object({
  id: Uuid,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  permissions: z.array(PublishedRule),
});

/** `custom` is how a membership names any role that is not built in. */
const RESERVED = ['custom'];

const roleSlug = (scope: PermissionScope) =>
  slug(1, 64).refine(
    (given) => !builtInRole(scope, given) && !RESERVED.includes(given),
    'This slug belongs to a built-in role',
  );

const about = {
  name: text(255).trim().min(1),
  description: text(1024).nullish(),
};

export const CreateOrganizationRole = z.object({
  ...about,
  slug: roleSlug('organization'),
  permissions: OrganizationRules,
});
export const CreateProjectRole = z.object({ ...about, slug: roleSlug('project'), permissions: ProjectRules });
export type CreateRole = z.output<typeof CreateProjectRole>;

export const UpdateOrganizationRole = CreateOrganizationRole.partial();
export const UpdateProjectRole = CreateProjectRole.partial();
export type UpdateRole = z.output<typeof UpdateProjectRole>;

/** Where a role belongs: to a project, or to the caller's organization. */
export type RolePlace = { readonly projectId?: string | undefined };

export const RoleById = z.object({ roleId: Id });
export const RoleBySlug = z.object({ roleSlug: z.string().trim().min(1) });

const data = z.object({ roleId: z.string(), slug: z.string(), name: z.string() });
const given = { permissions: z.array(PublishedRule) };
const [creation, update] = [data.extend(given), data.extend(given).partial({ permissions: true })];
export const roleEvents = {
  organization: {
    created: defineEvent('organization_role.created', 'create-org-role', creation),
    updated: defineUpdate('organization_role.updated', 'update-org-role', update),
    deleted: defineEvent('organization_role.deleted', 'delete-org-role', data),
  },
  project: {
    created: defineEvent('project_role.created', 'create-project-role', creation),
    updated: defineUpdate('project_role.updated', 'update-project-role', update),
    deleted: defineEvent('project_role.deleted', 'delete-project-role', data),
  },
};
