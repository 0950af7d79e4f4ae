import { atOrNull, statement, type Context, type Rule } from '../kernel/index.ts';
import { entersAllProjectsUntil, isCoveredByAllProjects } from './all-projects.ts';
import { requireMayGiveMachineRights } from './approval-policy/index.ts';
import { liftedDenials, requireNoEscalation } from './boundary.ts';
import { holdingsOf, projectsOfOthersAreBeyond, requireRulesWithin } from './holdings.ts';
import { roleRules } from './role/rules.ts';
import { rowsOf } from './rows-of.ts';
import { FOREVER, type Until } from './period.ts';
import { factsIn, type FactName } from './template.ts';
import { isWithin, spanOf, spanOfWindow, type TimeWindow } from './temporary.ts';

/** A change of rules that some have in a project. */
export interface RuleChange {
  readonly projectId: string;
  /** The actors and groups that have them. */
  readonly holderIds: readonly string[];
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
  /** When the rules would have ended by themselves. */
  readonly until: Until;
}

/**
 * Removing a forbidding rule grants rights. If a change policy exempts a machine with such a rule, the machine could
 * then bypass approvals: so lifting the rule needs the right to edit the policy, for as long as the rule would have
 * lasted. Called by every change after which a rule no longer forbids.
 *
 * @throws DomainError 403 `PermissionBoundaryError`.
 */
export async function requireMayLiftFromMachines(
  ctx: Context,
  { projectId, holderIds, before, after, until }: RuleChange,
): Promise<void> {
  if (liftedDenials(after, before).length === 0) return;
  await requireMayGiveMachineRights(ctx, { projectIds: [projectId], holderIds, until });
}

/**
 * Checks a change of facts about an actor that rules use (see `template.ts`). A forbidding rule may no longer match
 * after the change, so the same rights are needed as for removing one. The caller must also hold everything that the
 * rules can allow for any value, also for changes of its own facts: a renaming must not give more rights, or lift a
 * denial.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the missing rights.
 */
export async function requireMayChangeFacts(
  ctx: Context,
  organizationId: string,
  actorId: string,
  changed: readonly FactName[],
): Promise<void> {
  if (ctx.actor.type === 'platform' || changed.length === 0) return;
  const holders = { organizationId, holderIds: [actorId] };
  const speaksOfThem = (rule: Rule) => {
    const facts = factsIn(rule);
    return changed.some((name) => facts.has(name));
  };
  await requireRulesWithin(ctx, holders, FOREVER, (rules) =>
    rules.filter(speaksOfThem).map(({ inverted: _, ...rule }) => rule),
  );
  const held = [...(await holdingsOf(ctx, holders))];
  const projectIds = held.flatMap(([projectId, holdings]) =>
    projectId && holdings.some(({ rules }) => rules.some(speaksOfThem)) ? [projectId] : [],
  );
  await requireMayGiveMachineRights(ctx, { projectIds, holderIds: [actorId], until: FOREVER });
}

interface RoleRow {
  projectId: string | null;
  permissions: Rule[];
  isTemporary: boolean;
  starts: string | null;
  ends: string | null;
}

/**
 * The forbidding roles of a group ($2) of an organization ($1), with their places, as far as they can restrict a member
 * ($3; null: anybody) that has another role there.
 */
const ROLES = statement(
  'access.restraining_roles',
  `select m.project_id as "projectId", c.permissions, r.is_temporary as "isTemporary",
     r.temporary_access_start_time as starts, r.temporary_access_end_time as ends
   from memberships m cross join lateral (${rowsOf('membership_roles', 'membership_id = m.id')}) r
   cross join lateral (${rowsOf('roles', 'id = r.custom_role_id')}) c
   where m.organization_id = $1 and m.group_id = $2 and coalesce(r.temporary_access_end_time > $4, true)
     and c.permissions @> '[{"inverted": true}]' and exists (
     select 1 from group_members g
     join lateral (
       select o.id from memberships o
       where o.actor_id = g.actor_id and o.organization_id = $1 and o.project_id is not distinct from m.project_id
       union all
       select o.id from group_members x join memberships o on o.group_id = x.group_id
         and o.organization_id = $1 and o.project_id is not distinct from m.project_id
       where x.actor_id = g.actor_id and o.id <> m.id
     ) o on true
     join lateral (${rowsOf('membership_roles', 'membership_id = o.id')}) other
       on other.role <> 'no-access' and coalesce(other.temporary_access_end_time > $4, true)
     where g.group_id = $2 and ($3::uuid is null or g.actor_id = $3))`,
);

type NextRole = TimeWindow & { readonly role: string };

/** One place where a group gets other roles: the organization (no project) or a project. */
export interface NextRoles {
  readonly projectId: string | null;
  /** None where the group leaves it. */
  readonly roles: readonly NextRole[];
}

/** Whose denials end. */
export interface LiftedDenials {
  readonly organizationId: string;
  readonly groupId: string;
  /** The member who leaves the group; default: all. */
  readonly actorId?: string;
  /** The place where they end; absent: everywhere. */
  readonly next?: NextRoles;
}

/**
 * The forbidding rules of a group apply after the roles of its members, and restrict them. Ending that restores rights.
 * So removing such a role from a group, or a member from the group, needs the rights that the role forbids.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the missing rights.
 */
export async function requireMayLiftDenials(
  ctx: Context,
  { organizationId, groupId, actorId, next }: LiftedDenials,
): Promise<void> {
  if (ctx.actor.type === 'platform') return;
  const now = ctx.now().getTime();
  const rows = await ctx.sql<RoleRow>(ROLES, [organizationId, groupId, actorId ?? null, ctx.now()]);
  if (rows.length === 0) return;
  const entersUntil = await entersAllProjectsUntil(ctx, organizationId);
  for (const row of rows) {
    const projectId = row.projectId ?? undefined;
    const place = { organizationId, projectId };
    const span = spanOf(row.isTemporary, atOrNull(row.starts), atOrNull(row.ends));
    const isElsewhere = next !== undefined && next.projectId !== row.projectId;
    if (isElsewhere || (projectId && isCoveredByAllProjects(ctx, entersUntil, span.end))) continue;
    const kept = (next?.roles ?? []).filter((role) => isWithin(span, spanOfWindow(role), now));
    const keptRules = (await roleRules(ctx, place, kept)).flat();
    await requireNoEscalation(ctx, {
      ...place,
      until: span.end,
      rules: keptRules,
      areStored: true,
      replaced: row.permissions,
    }).catch(projectsOfOthersAreBeyond);
    if (!projectId) continue;
    const change = { projectId, before: row.permissions, after: keptRules, until: span.end };
    await requireMayLiftFromMachines(ctx, { ...change, holderIds: [actorId ?? groupId] });
  }
}

/**
 * The forbidding privileges of some memberships ($1) whose holders stay in the project by a group and have a role
 * there.
 */
const PRIVILEGES = statement(
  'access.restraining_privileges',
  `select m.actor_id as "actorId", p.permissions, case when p.is_temporary then p.temporary_access_end_time end as ends
   from memberships m
   cross join lateral (${rowsOf('additional_privileges', 'membership_id = m.id')}) p
   where m.id = any($1::uuid[]) and coalesce(p.temporary_access_end_time > $2, true)
     and p.permissions @> '[{"inverted": true}]' and exists (
     select 1 from group_members g
     join memberships o on o.group_id = g.group_id and o.organization_id = m.organization_id and o.project_id = m.project_id
     join membership_roles r on r.membership_id = o.id and r.role <> 'no-access'
       and coalesce(r.temporary_access_end_time > $2, true)
     where g.actor_id = m.actor_id)`,
);

/**
 * Checks the same before members of a project, who are also in it by a group, lose their own memberships: this ends
 * what their privileges forbid, but not what their groups allow.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the missing rights.
 */
export async function requireMayEndPrivileges(
  ctx: Context,
  place: { organizationId: string; projectId: string },
  membershipIds: readonly string[],
): Promise<void> {
  if (ctx.actor.type === 'platform') return;
  const rows = await ctx.sql<{ actorId: string; permissions: Rule[]; ends: string | null }>(PRIVILEGES, [
    membershipIds,
    ctx.now(),
  ]);
  if (rows.length === 0) return;
  const entersUntil = await entersAllProjectsUntil(ctx, place.organizationId);
  for (const { actorId, permissions: replaced, ends } of rows) {
    const until = atOrNull(ends)?.getTime() ?? FOREVER;
    if (isCoveredByAllProjects(ctx, entersUntil, until)) continue;
    await requireNoEscalation(ctx, { ...place, until, replaced });
    const { projectId } = place;
    await requireMayLiftFromMachines(ctx, { projectId, holderIds: [actorId], before: replaced, after: [], until });
  }
}
