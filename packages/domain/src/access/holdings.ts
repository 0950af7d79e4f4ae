import { atOrNull, DomainError, forbidden, statement, type Context, type Rule } from '../kernel/index.ts';
import { entersAllProjectsUntil, isCoveredByAllProjects } from './all-projects.ts';
import { requireNoEscalation } from './boundary.ts';
import { builtInRole } from './built-in-roles.ts';
import { rulesOfRoles } from './role/stored-rules.ts';
import { FOREVER, type Until } from './period.ts';

interface HoldingRow {
  projectId: string | null;
  /** The custom role. */
  roleId: string | null;
  slug: string;
  permissions: Rule[] | null;
  ends: string | null;
}

/**
 * Everything that some actors and groups ($2) have been granted anywhere in an organization ($1) and that has not ended ($3),
 * active or not, because it can become active (an invitation that is accepted, a member who is reactivated, a role that
 * begins later). A role that is assigned several times at a place is held until the last end.
 * A login on SSH hosts counts as the right to edit hosts, which can give any login.
 */
const HOLDINGS = statement(
  'access.holdings',
  `with held as materialized (
     select m.id, m.project_id from memberships m where m.organization_id = $1 and m.actor_id = any($2::uuid[])
     union all
     select m.id, m.project_id from memberships m where m.organization_id = $1 and m.group_id = any($2::uuid[])
     union all
     select m.id, m.project_id from group_members g join memberships m on m.group_id = g.group_id and m.organization_id = $1
     where g.actor_id = any($2::uuid[]) and g.organization_id = $1
   )
   select h.project_id as "projectId", r.custom_role_id as "roleId", r.role as slug, null::jsonb as permissions,
     nullif(max(coalesce(r.temporary_access_end_time, 'infinity')), 'infinity') as ends
   from held h join membership_roles r on r.membership_id = h.id and coalesce(r.temporary_access_end_time > $3, true)
   group by 1, 2, 3
   union all
   select h.project_id, null, p.slug, p.permissions, p.temporary_access_end_time
   from held h join additional_privileges p on p.membership_id = h.id and coalesce(p.temporary_access_end_time > $3, true)
   union all
   select h.project_id, null, 'ssh-login', '[{"subject": "ssh-hosts", "action": "edit"}]'::jsonb, null
   from held h where exists (select from ssh_login_mappings l where l.membership_id = h.id)`,
);

/**
 * Checks that the caller holds everything that an actor or a group (`holderId`) has been granted in the organization.
 * Whoever can act as an actor, or join a group, gets its rights; so this is needed for as long as it can (`until`).
 * Callers who may enter every project of the organization need not be members of its projects.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the missing rights.
 */
export async function requireHoldingsWithin(
  ctx: Context,
  organizationId: string,
  holderId: string,
  until: Until,
): Promise<void> {
  const { actor } = ctx;
  if (actor.type === 'platform' || ('id' in actor && actor.id === holderId)) return;
  await requireRulesWithin(ctx, { organizationId, holderIds: [holderId] }, until, (rules) => rules);
}

/** Some actors and groups, and where: in projects, in the organization itself (`null`), or, without `places`, everywhere. */
export interface Holders {
  readonly organizationId: string;
  readonly holderIds: readonly string[];
  readonly places?: readonly (string | null)[] | undefined;
}

/** The rules of one assigned role or privilege, and when it ends. */
export interface Holding {
  readonly rules: readonly Rule[];
  readonly end: number;
}

/** The active and future grants of some actors and groups, by place. */
export async function holdingsOf(
  ctx: Context,
  { organizationId, holderIds, places }: Holders,
): Promise<Map<string | null, Holding[]>> {
  const granted = await ctx.sql<HoldingRow>(HOLDINGS, [organizationId, holderIds, ctx.now()]);
  const rows = granted.filter(({ projectId }) => places === undefined || places.includes(projectId));
  const rulesOf = await rulesOfRoles(
    ctx,
    organizationId,
    rows.flatMap(({ roleId }) => roleId ?? []),
  );
  const byPlace = [...Map.groupBy(rows, (row) => row.projectId)].toSorted(([a], [b]) =>
    (a ?? '').localeCompare(b ?? ''),
  );
  return new Map(
    byPlace.map(([projectId, held]) => {
      const scope = projectId ? 'project' : 'organization';
      // Several holders may have privileges with the same rules.
      const distinct = new Map(
        held.map((row) => [row.permissions ? JSON.stringify([row.permissions, row.ends]) : row, row]),
      );
      const holdings = Array.from(distinct.values(), ({ roleId, slug, permissions, ends }) => ({
        rules: permissions ?? (roleId ? rulesOf.get(roleId) : builtInRole(scope, slug)?.rules) ?? [],
        end: atOrNull(ends)?.getTime() ?? FOREVER,
      }));
      return [projectId, holdings];
    }),
  );
}

/** Checks that the caller holds the rules of these holders that `select` keeps. */
export async function requireRulesWithin(
  ctx: Context,
  holders: Holders,
  until: Until,
  select: (rules: readonly Rule[]) => readonly Rule[],
): Promise<void> {
  const now = ctx.now().getTime();
  const { organizationId } = holders;
  const entersUntil = await entersAllProjectsUntil(ctx, organizationId);
  for (const [projectId, held] of await holdingsOf(ctx, holders)) {
    const ruleSets = held
      .map(({ rules, end }) => ({ rules: select(rules), until: Math.min(until === 'now' ? now : until, end) }))
      .filter((set) => set.rules.length > 0 && !(projectId && isCoveredByAllProjects(ctx, entersUntil, set.until)));
    if (ruleSets.length > 0)
      await requireNoEscalation(ctx, { organizationId, projectId, until, ruleSets }).catch(projectsOfOthersAreBeyond);
  }
}

/** A project of which the caller is not a member is outside of its rights, and is not named in the error. */
export function projectsOfOthersAreBeyond(error: unknown): never {
  if (error instanceof DomainError && error.kind === 'not_found') {
    throw forbidden(
      'permission.boundary',
      'This change reaches into a project of which you are not a member; a member of that project with these permissions can do it',
      {
        name: 'PermissionBoundaryError',
        details: { missingPermissions: [] },
      },
    );
  }
  throw error;
}
