import { at, statement, type Context } from '../../kernel/index.ts';
import { rolesOf } from './roles.ts';
import type { MembershipRole } from './membership.ts';

/** How an actor belongs to a project: by its own membership, by those of its groups, or by both. */
export interface Belonging {
  /** That of its own membership, otherwise of the first of its groups. */
  readonly id: string;
  readonly project: { readonly id: string; readonly name: string; readonly slug: string; readonly type: string };
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** It has no own membership. */
  readonly isByGroup: boolean;
  /** Its own, then those of its groups; including expired and future ones. */
  readonly roles: MembershipRole[];
}

interface Row {
  id: string;
  project: Belonging['project'];
  groupId: string | null;
  actorId: string;
  createdAt: string;
  updatedAt: string;
}

/**
 * The memberships by which actors ($2) belong to projects ($3; null: all) of an organization ($1), their own ones
 * first. Own memberships include inactive ones: an invited actor is a member.
 */
const FIND = statement(
  'memberships.in_projects',
  `select m.id, m.group_id as "groupId", m.actor_id as "actorId", m.created_at as "createdAt", m.updated_at as "updatedAt",
     json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'type', p.type) as project
   from (
     select m.id, m.project_id, m.group_id, m.actor_id, m.created_at, m.updated_at from memberships m
     where m.organization_id = $1 and m.actor_id = any($2::uuid[]) and m.project_id is not null
     union all
     select m.id, m.project_id, m.group_id, h.actor_id, m.created_at, m.updated_at
     from effective_memberships h join memberships m on m.id = h.membership_id
     where h.organization_id = $1 and h.actor_id = any($2::uuid[]) and h.project_id is not null and h.group_id is not null
   ) m join projects p on p.id = m.project_id where $3::uuid is null or m.project_id = $3
   order by m.group_id is not null, m.created_at, m.id`,
);

/** The projects of actors, by own membership or by groups, in the order of joining; by actor. */
export async function belongingsOf(
  ctx: Context,
  organizationId: string,
  actorIds: readonly string[],
  projectId?: string,
): Promise<Map<string, Belonging[]>> {
  const rows = await ctx.sql<Row>(FIND, [organizationId, [...actorIds], projectId ?? null]);
  const roles = await rolesOf(ctx, [...new Set(rows.map(({ id }) => id))]);
  const byActor = Map.groupBy(rows, (row) => row.actorId);
  return new Map(
    [...byActor].map(([actorId, its]) => [
      actorId,
      [...Map.groupBy(its, (row) => row.project.id).values()].map((memberships) => toBelonging(memberships, roles)),
    ]),
  );
}

function toBelonging(memberships: readonly Row[], roles: ReadonlyMap<string, MembershipRole[]>): Belonging {
  const { id, project, groupId, ...row } = memberships[0]!;
  return {
    id,
    project,
    createdAt: at(row.createdAt),
    updatedAt: at(row.updatedAt),
    isByGroup: groupId !== null,
    roles: memberships.flatMap((one) => roles.get(one.id) ?? []),
  };
}
