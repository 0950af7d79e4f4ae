import { badRequest, DomainError, statement, type Rule, type Transaction } from '../kernel/index.ts';
import { requireAuthorityOverHolders } from './authority.ts';
import { eachInTurns } from './in-turns.ts';
import { MAX_RULES } from './rule-limit.ts';
import { sizeOf } from './rule-size.ts';

/** As many rules of an actor may come from others who have no authority over it. */
const WITHOUT_AUTHORITY = MAX_RULES / 2;

/** Who gets rules by a change, and where: in projects, in the organization itself (`null`). */
export interface Receivers {
  readonly organizationId: string;
  readonly places: readonly (string | null)[];
  readonly actorIds?: readonly string[];
  /** Their members. */
  readonly groupIds?: readonly string[];
  /** Its holders. */
  readonly roleId?: string;
}

interface CountRow {
  actorId: string;
  projectId: string | null;
  count: number;
  /** The roles and privileges of which the size is not stored. */
  unsized: string[];
}

/**
 * The actors among some ($4; the members of groups, $5; the holders of a role, $6) that have more rules at a place ($2,
 * $3) than others may give them: of custom roles and of privileges, also if they are not active yet.
 */
const COUNTS = statement(
  'access.rules_of_receivers',
  `with receivers as (
     select unnest($4::uuid[]) as id
     union select g.actor_id from group_members g where g.group_id = any($5::uuid[])
     union select coalesce(m.actor_id, g.actor_id) from membership_roles r join memberships m on m.id = r.membership_id
       left join group_members g on g.group_id = m.group_id where r.organization_id = $1 and r.custom_role_id = $6
   ), held as materialized (
     select a.id as actor_id, m.project_id, m.id from receivers a
     cross join lateral (select * from memberships where actor_id = a.id and organization_id = $1 offset 0) m
     where m.project_id = any($2::uuid[]) or ($3 and m.project_id is null)
     union all
     select a.id, m.project_id, m.id from receivers a
     cross join lateral (select group_id from group_members where actor_id = a.id and organization_id = $1 offset 0) g
     cross join lateral (select * from memberships where group_id = g.group_id and organization_id = $1 offset 0) m
     where m.project_id = any($2::uuid[]) or ($3 and m.project_id is null)
   ), assigned as (
     select h.actor_id, h.project_id, r.custom_role_id as role_id from held h
     cross join lateral (select * from membership_roles where membership_id = h.id offset 0) r
     where r.custom_role_id is not null and coalesce(r.temporary_access_end_time > $7, true)
   ), sizes as materialized (
     select c.id, c.rules_size as size from roles c
     where c.organization_id = $1 and c.id in (select role_id from assigned)
   ), counted as (
     select a.actor_id, a.project_id, s.id as source, s.size from assigned a join sizes s on s.id = a.role_id
     union all
     select h.actor_id, h.project_id, p.id, case when p.rules_size is not null then greatest(p.rules_size, 1) end from held h
     cross join lateral (select * from additional_privileges where membership_id = h.id offset 0) p
     where coalesce(p.temporary_access_end_time > $7, true)
   )
   select actor_id as "actorId", project_id as "projectId", coalesce(sum(size), 0)::integer as count,
     coalesce(array_agg(source) filter (where size is null), '{}') as unsized from counted
   group by 1, 2 having sum(size) > $8 or bool_or(size is null)`,
);
/** Of rules that the previous release wrote. */
const UNSIZED = statement(
  'access.rules_without_size',
  `select id, permissions from roles where organization_id = $1 and id = any($2::uuid[])
   union all
   select id, permissions from additional_privileges where organization_id = $1 and id = any($2::uuid[])`,
);

const keyOf = ({ actorId, projectId }: CountRow): string => `${projectId} ${actorId}`;

async function countsOf(tx: Transaction, { organizationId, places, ...to }: Receivers): Promise<CountRow[]> {
  const { actorIds = [], groupIds = [], roleId = null } = to;
  const projectIds = places.filter((place) => place !== null);
  const where = [organizationId, projectIds, places.includes(null)];
  const values = [...where, actorIds, groupIds, roleId, tx.now(), WITHOUT_AUTHORITY];
  const rows = await tx.sql<CountRow>(COUNTS, values);
  const unsized = [...new Set(rows.flatMap((row) => row.unsized))];
  if (unsized.length === 0) return rows;
  const sizes = new Map<string, number>();
  await eachInTurns(
    await tx.sql<{ id: string; permissions: Rule[] }>(UNSIZED, [organizationId, unsized]),
    ({ id, permissions }) => void sizes.set(id, Math.max(sizeOf(permissions), 1)),
  );
  const sizeIn = (row: CountRow) => row.unsized.reduce((sum, id) => sum + (sizes.get(id) ?? 0), row.count);
  return rows.map((row) => ({ ...row, count: sizeIn(row) })).filter(({ count }) => count > WITHOUT_AUTHORITY);
}

/**
 * Makes a change that gives rules. Called by everything that does: roles of members and groups, members of groups,
 * privileges, and changes of roles. Each of its receivers has at most `MAX_RULES` rules afterwards, or as many as
 * before; and beyond half of them only by somebody who has authority over it. So nobody can fill the limit of others,
 * who could not be given anything then.
 *
 * @throws DomainError 400 `permission.too_many_rules`.
 */
export async function keepingFewRules<T>(tx: Transaction, to: Receivers, change: () => Promise<T>): Promise<T> {
  const before = new Map((await countsOf(tx, to)).map((row) => [keyOf(row), row.count]));
  const result = await change();
  await tx.em.flush();
  const grown = (await countsOf(tx, to)).filter((row) => row.count > (before.get(keyOf(row)) ?? 0));
  const { organizationId } = to;
  for (const [place, rows] of Map.groupBy(grown, ({ projectId }) => projectId)) {
    const holderIds = rows.map(({ actorId }) => actorId);
    await requireAuthorityOverHolders(tx, { organizationId, holderIds, places: [place] }).catch(explain);
  }
  if (grown.some(({ count }) => count > MAX_RULES)) throw tooManyRules(MAX_RULES);
  return result;
}

/** The same where the rules of a role may become more. */
export const keepingFewRulesOf = async <T>(
  tx: Transaction,
  role: { id: string; organizationId: string; projectId?: string | null; permissions: readonly Rule[] },
  next: readonly Rule[] | undefined,
  change: () => Promise<T>,
): Promise<T> => {
  const { id: roleId, organizationId, projectId = null, permissions } = role;
  if (!next || sizeOf(next) <= sizeOf(permissions)) return change();
  return keepingFewRules(tx, { organizationId, places: [projectId], roleId }, change);
};

/** What the caller lacks is not what it wanted to give. */
function explain(error: unknown): never {
  const isBoundary = error instanceof DomainError && error.code === 'permission.boundary';
  throw isBoundary ? tooManyRules(WITHOUT_AUTHORITY, error) : error;
}

const tooManyRules = (most: number, cause?: DomainError) =>
  badRequest(
    'permission.too_many_rules',
    `A member would have more than ${most} rules here, by custom roles, groups and privileges (long glob patterns count as several)${
      most < MAX_RULES ? '; to give it more you need every permission that it has here' : ''
    }. Use fewer rules or shorter patterns, or remove others first`,
    undefined,
    cause,
  );
