import { at, atOrNull, notFound, statement, type Ability, type Context, type Rule } from '../kernel/index.ts';
import { compile } from './ability.ts';
import { builtInRole } from './built-in-roles.ts';

/** Where an actor's rights are asked for: an organization, or one of its projects. */
export interface Place {
  readonly organizationId: string;
  readonly projectId?: string | undefined;
}

/**
 * One source of an actor's rights at a place: a role of its membership or of a group's, or an additional privilege.
 */
export interface Grant {
  readonly kind: 'role' | 'privilege';
  /** Of the role's assignment, or of the privilege. */
  readonly id: string;
  /** A built-in role, or the slug of the custom role or privilege. */
  readonly slug: string;
  readonly actorId: string;
  readonly membershipId: string;
  /** The group by which the actor has it. */
  readonly groupId: string | null;
  readonly rules: readonly Rule[];
  /** When it counts: from the start, up to but not including the end; milliseconds, infinite for what holds for ever. */
  readonly start: number;
  readonly end: number;
}

interface GrantRow {
  kind: 'role' | 'privilege';
  id: string;
  slug: string;
  actor_id: string;
  membership_id: string;
  group_id: string | null;
  permissions: Rule[] | null;
  is_temporary: boolean;
  starts: string | null;
  ends: string | null;
}

/**
 * What is granted at a place ($1, $2), in the order in which rules override each other: roles of the actor's own
 * membership, roles of its groups, then its privileges, each by the time at which they were given.
 */
const granted = (whose: string): string => `
  with held as materialized (
    select h.actor_id, h.membership_id, h.group_id from effective_memberships h
    where h.organization_id = $1 and h.project_id is not distinct from $2::uuid ${whose}
  )
  select 'role' as kind, r.id, coalesce(c.slug, r.role) as slug, h.actor_id, h.membership_id, h.group_id, c.permissions,
    r.is_temporary, r.temporary_access_start_time as starts, r.temporary_access_end_time as ends,
    case when h.group_id is null then 0 else 1 end as rank, r.created_at
  from held h join membership_roles r on r.membership_id = h.membership_id left join roles c on c.id = r.custom_role_id
  union all
  select 'privilege', p.id, p.slug, h.actor_id, h.membership_id, h.group_id, p.permissions,
    p.is_temporary, p.temporary_access_start_time, p.temporary_access_end_time, 2, p.created_at
  from held h join additional_privileges p on p.membership_id = h.membership_id
  order by rank, created_at, id`;

const OF_ONE = statement('access.grants', granted('and h.actor_id = $3'));
const OF_ALL = statement('access.all_grants', granted(''));

/** Every grant of an actor at a place, also those that are over or have not begun; none where it is no member. */
export async function grantsOf(ctx: Context, place: Place, actorId: string): Promise<Grant[]> {
  const rows = await ctx.sql<GrantRow>(OF_ONE, [place.organizationId, place.projectId ?? null, actorId]);
  return rows.map((row) => toGrant(place, row));
}

/** Every grant of everybody at a place, by actor. */
export async function allGrants(ctx: Context, place: Place): Promise<Map<string, Grant[]>> {
  const rows = await ctx.sql<GrantRow>(OF_ALL, [place.organizationId, place.projectId ?? null]);
  return Map.groupBy(
    rows.map((row) => toGrant(place, row)),
    ({ actorId }) => actorId,
  );
}

/** The rules that grants come to at an instant, and until when that holds; milliseconds. */
export function rulesAt(grants: readonly Grant[], now: number): { rules: Rule[]; until: number } {
  let until = Infinity;
  const rules: Rule[] = [];
  for (const { start, end, rules: own } of grants) {
    if (start > now) until = Math.min(until, start);
    else if (end > now) {
      until = Math.min(until, end);
      rules.push(...own);
    }
  }
  return { rules, until };
}

/**
 * What an actor may do at a place, and until when that holds (milliseconds): a temporary grant counts from its start to
 * its end. `undefined` where the actor is no member.
 */
export async function loadAbility(
  ctx: Context,
  place: Place,
): Promise<{ ability: Ability; until: number } | undefined> {
  const { actor } = ctx;
  if (actor.type !== 'user' && actor.type !== 'identity') return undefined;
  const grants = await grantsOf(ctx, place, actor.id);
  if (grants.length === 0) return undefined;
  const { rules, until } = rulesAt(grants, ctx.now().getTime());
  return { ability: compile(rules), until };
}

function toGrant({ projectId }: Place, row: GrantRow): Grant {
  const { kind, id, slug, permissions, is_temporary: isTemporary } = row;
  return {
    kind,
    id,
    slug,
    actorId: row.actor_id,
    membershipId: row.membership_id,
    groupId: row.group_id,
    rules: permissions ?? builtInRole(projectId ? 'project' : 'organization', slug)?.rules ?? [],
    start: isTemporary && row.starts ? at(row.starts).getTime() : -Infinity,
    end: isTemporary ? (atOrNull(row.ends)?.getTime() ?? -Infinity) : Infinity,
  };
}

/** Cache tags of an actor's rights at a place: a change of any of these drops them. */
export const abilityTags = (actorId: string, place: Place): string[] => [
  `actor:${actorId}`,
  `access:${place.organizationId}`,
  ...(place.projectId ? [`access:${place.projectId}`] : []),
];

export const noMember = (place: Place) => notFound(place.projectId ? 'project' : 'organization');
