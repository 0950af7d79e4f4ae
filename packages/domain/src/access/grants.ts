import { at, atOrNull, notFound, statement, type Ability, type Context, type Rule } from '../kernel/index.ts';
import { compile } from './ability.ts';
import { builtInRole } from './built-in-roles.ts';

/** Where an actor's rights are asked for: an organization, or one of its projects. */
export interface Place {
  readonly organizationId: string;
  readonly projectId?: string | undefined;
}

interface GrantRow {
  role: string;
  permissions: Rule[] | null;
  is_temporary: boolean;
  starts: string | null;
  ends: string | null;
}

/**
 * Every role that the actor holds at the place: none but active, accepted memberships count, and in a project only
 * those of actors who are (still) active members of its organization.
 */
const GRANTS = statement(
  'access.grants',
  `select r.role, c.permissions, r.is_temporary, r.temporary_access_start_time as starts, r.temporary_access_end_time as ends
   from memberships m
   join membership_roles r on r.membership_id = m.id
   left join roles c on c.id = r.custom_role_id
   where m.organization_id = $1 and m.project_id is not distinct from $2::uuid
     and (m.user_id = $3 or m.identity_id = $3) and m.status = 'accepted' and m.is_active
     and exists (select 1 from memberships o
       where o.organization_id = $1 and o.project_id is null and (o.user_id = $3 or o.identity_id = $3)
         and o.status = 'accepted' and o.is_active)
   order by r.created_at, r.id`,
);

/**
 * What an actor may do at a place, and until when that holds (milliseconds): a temporary role counts from its start to
 * its end. `undefined` where the actor is no member.
 */
export async function loadAbility(
  ctx: Context,
  place: Place,
): Promise<{ ability: Ability; until: number } | undefined> {
  const { actor } = ctx;
  if (actor.type !== 'user' && actor.type !== 'identity') return undefined;
  const rows = await ctx.sql<GrantRow>(GRANTS, [place.organizationId, place.projectId ?? null, actor.id]);
  if (rows.length === 0) return undefined;
  const now = ctx.now().getTime();
  const scope = place.projectId ? 'project' : 'organization';
  let until = Infinity;
  const rules: Rule[] = [];
  for (const { role, permissions, is_temporary: isTemporary, starts, ends } of rows) {
    const start = isTemporary && starts ? at(starts).getTime() : -Infinity;
    const end = isTemporary ? (atOrNull(ends)?.getTime() ?? -Infinity) : Infinity;
    if (start > now) until = Math.min(until, start);
    else if (end > now) {
      until = Math.min(until, end);
      rules.push(...(permissions ?? builtInRole(scope, role)?.rules ?? []));
    }
  }
  return { ability: compile(rules), until };
}

/** Cache tags of an actor's rights at a place: a change of any of these drops them. */
export const abilityTags = (actorId: string, place: Place): string[] => [
  `actor:${actorId}`,
  `access:${place.organizationId}`,
  ...(place.projectId ? [`access:${place.projectId}`] : []),
];

export const noMember = (place: Place) => notFound(place.projectId ? 'project' : 'organization');
