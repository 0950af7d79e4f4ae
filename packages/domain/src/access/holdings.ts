import { at, atOrNull, DomainError, forbidden, statement, type Context, type Rule } from '../kernel/index.ts';
import { entersAllProjectsUntil, isCoveredByAllProjects } from './all-projects.ts';
import { requireNoEscalation } from './boundary.ts';
import { builtInRole } from './built-in-roles.ts';
import { FOREVER, type Until } from './period.ts';

interface HoldingRow {
  project_id: string | null;
  slug: string;
  permissions: Rule[] | null;
  ends: string | null;
}

/**
 * All that some actors and groups ($2) have been given anywhere in an organization ($1): whether or not it counts now,
 * since it may again (an invitation that is accepted, a member who is let back in, a role that has not begun).
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
   select h.project_id, coalesce(c.slug, r.role) as slug, c.permissions, r.temporary_access_end_time as ends
   from held h join membership_roles r on r.membership_id = h.id left join roles c on c.id = r.custom_role_id
   union all
   select h.project_id, p.slug, p.permissions, p.temporary_access_end_time
   from held h join additional_privileges p on p.membership_id = h.id`,
);

/**
 * Asks whether the caller could do by itself whatever an actor or a group (`holderId`) has been given in the
 * organization. Who may act as somebody, or put itself into a group, holds what that one holds; so nobody does that to
 * one that may do more, or will be able to while that lasts (`until`). Those who may enter every project of the
 * organization need not be members of its projects.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the rights that are missing.
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

/** The rules of one role or privilege that is held, and when it ends. */
export interface Holding {
  readonly rules: readonly Rule[];
  readonly end: number;
}

/** What some actors and groups have been given and what is not over, by place. */
export async function holdingsOf(
  ctx: Context,
  { organizationId, holderIds, places }: Holders,
): Promise<Map<string | null, Holding[]>> {
  const now = ctx.now().getTime();
  const rows = (await ctx.sql<HoldingRow>(HOLDINGS, [organizationId, holderIds])).filter(
    ({ ends, project_id: projectId }) =>
      (ends === null || at(ends).getTime() > now) && (places === undefined || places.includes(projectId)),
  );
  const byPlace = [...Map.groupBy(rows, (row) => row.project_id)].toSorted(([a], [b]) =>
    (a ?? '').localeCompare(b ?? ''),
  );
  return new Map(
    byPlace.map(([projectId, held]) => {
      const scope = projectId ? 'project' : 'organization';
      // Holders of the same role have the same rules.
      const distinct = new Map(held.map((row) => [JSON.stringify([row.permissions ?? row.slug, row.ends]), row]));
      const holdings = [...distinct.values()].map(({ slug, permissions, ends }) => ({
        rules: permissions ?? builtInRole(scope, slug)?.rules ?? [],
        end: atOrNull(ends)?.getTime() ?? FOREVER,
      }));
      return [projectId, holdings];
    }),
  );
}

/** Asks whether the caller could do by itself what `select` leaves of the rules of these holders. */
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

/** A project of which the caller is no member is beyond its rights, and is not named to it. */
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
