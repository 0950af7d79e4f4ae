import {
  abilityIn,
  builtInRoles,
  organizationOf,
  organizationPermissions,
  projectRolePermissions,
  projectsWith,
  projectIdBySlug,
} from '../../access/index.ts';
import { at, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import type {
  FoundProjects,
  ListedProject,
  ListProjects,
  Project,
  ListedProjectRole,
  SearchProjects,
} from './project.ts';
import { PROJECT_COLUMNS, toProject, type ProjectRow } from './row.ts';

const BY_ID = statement(
  'project.by_id',
  `select ${PROJECT_COLUMNS} from projects p where p.organization_id = $1 and p.id = $2`,
);

/** A project, without a check of rights. */
export async function findProject(ctx: Context, projectId: string): Promise<Project> {
  const [row] = isId(projectId) ? await ctx.sql<ProjectRow>(BY_ID, [organizationOf(ctx), projectId]) : [];
  if (!row) throw notFound('project');
  return toProject(row);
}

/** A project of the caller; 404 otherwise. */
export async function getProject(ctx: Context, { projectId }: { projectId: string }): Promise<Project> {
  await abilityIn(ctx, projectId);
  return findProject(ctx, projectId);
}

export const getProjectBySlug = async (ctx: Context, { slug }: { slug: string }): Promise<Project> =>
  getProject(ctx, { projectId: await projectIdBySlug(ctx, slug) });

/** The projects of an organization ($1) of which an actor ($2) is a member, by own membership or by a group. */
const MEMBER_OF = `select h.project_id from effective_memberships h
  where h.organization_id = $1 and h.actor_id = $2 and h.project_id is not null`;

const OF_MEMBER = statement(
  'project.of_member',
  `select ${PROJECT_COLUMNS} from projects p
   where p.organization_id = $1 and p.id in (${MEMBER_OF}) and ($3::text is null or p.type = $3) order by lower(p.name), p.id`,
);
const ROLES = statement(
  'project.roles',
  `select id, slug, name, description, project_id as "projectId", created_at as "createdAt",
     updated_at as "updatedAt" from roles where organization_id = $1 and project_id = any($2::uuid[]) order by slug`,
);

/** The projects that the caller is a member of, by name. */
export async function listProjects(ctx: Context, { type, includeRoles }: ListProjects): Promise<ListedProject[]> {
  const { actor } = ctx;
  if (!('id' in actor)) return [];
  const rows = await ctx.sql<ProjectRow>(OF_MEMBER, [
    organizationOf(ctx),
    actor.id,
    type === 'all' ? null : (type ?? null),
  ]);
  const projects = rows.map(toProject);
  return includeRoles ? withRoles(ctx, projects) : projects;
}

interface RoleRow {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  projectId: string;
  createdAt: string;
  updatedAt: string;
}

/**
 * Adds the roles of each project: the built-in ones, named by their slugs, then custom ones if the caller may read
 * them.
 */
async function withRoles(ctx: Context, projects: readonly Project[]): Promise<ListedProject[]> {
  const ids = projects.map(({ id }) => id);
  const rows = await ctx.sql<RoleRow>(ROLES, [organizationOf(ctx), ids]);
  const byProject = Map.groupBy(rows, (row) => row.projectId);
  // The others have nothing to be read: rights are looked up project by project.
  const readable = await projectsWith(ctx, projectRolePermissions.read, byProject.keys());
  return projects.map((project) => {
    const { id: projectId, createdAt, updatedAt } = project;
    const builtIn = builtInRoles('project').map(({ slug, name, description }): ListedProjectRole => ({
      id: slug,
      slug,
      name,
      description,
      createdAt,
      updatedAt,
      projectId,
    }));
    const custom = readable.has(projectId) ? (byProject.get(projectId) ?? []) : [];
    const own = custom.map(({ id, slug, name, description, ...row }): ListedProjectRole => ({
      id,
      slug,
      name,
      description,
      createdAt: at(row.createdAt),
      updatedAt: at(row.updatedAt),
      projectId,
    }));
    return { ...project, roles: [...builtIn, ...own] };
  });
}

const search = (direction: 'asc' | 'desc') =>
  statement(
    `project.search_${direction}`,
    `select ${PROJECT_COLUMNS}, is_member as "isMember", count(*) over () as total
     from (select p.*, p.id in (${MEMBER_OF}) as is_member from projects p where p.organization_id = $1) p
     where (is_member or $3::boolean) and ($4::text is null or p.type = $4) and ($5::text is null or position(lower($5) in lower(p.name)) > 0)
     order by lower(p.name) ${direction}, p.id limit $6 offset $7`,
  );
const SEARCH = { asc: search('asc'), desc: search('desc') };

/**
 * Searches projects by a part of their name: those of the caller, and all of the organization for callers who may enter
 * all.
 */
export async function searchProjects(
  ctx: Context,
  { offset, limit, type, name, orderDirection }: SearchProjects,
): Promise<FoundProjects> {
  const { actor } = ctx;
  if (!('id' in actor)) return { projects: [], totalCount: 0 };
  const everything = (await abilityIn(ctx, undefined)).can(
    organizationPermissions('organization-admin-console')['access-all-projects'],
  );
  const rows = await ctx.sql<ProjectRow & { isMember: boolean; total: string }>(SEARCH[orderDirection], [
    organizationOf(ctx),
    actor.id,
    everything,
    type ?? null,
    name || null,
    limit,
    offset,
  ]);
  return {
    projects: rows.map((row) => ({ ...toProject(row), isMember: row.isMember })),
    totalCount: Number(rows[0]?.total ?? 0),
  };
}
